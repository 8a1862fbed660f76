"""What the database itself refuses: changing a paragraph's text under its questions, and changing a verdict."""

from django.db import migrations

FREEZE_TEXT = """
CREATE FUNCTION annotation_paragraph_text_is_frozen() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM annotation_question WHERE paragraph_id = OLD.id) THEN
    RAISE EXCEPTION 'paragraph %: its text cannot change once a question exists on it', OLD.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'paragraph_text_is_frozen';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER paragraph_text_is_frozen BEFORE UPDATE OF text ON annotation_paragraph
  FOR EACH ROW WHEN (OLD.text IS DISTINCT FROM NEW.text) EXECUTE FUNCTION annotation_paragraph_text_is_frozen();
"""
THAW_TEXT = """
DROP TRIGGER paragraph_text_is_frozen ON annotation_paragraph;
DROP FUNCTION annotation_paragraph_text_is_frozen();
"""
APPEND_ONLY = """
CREATE FUNCTION annotation_verdict_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'verdicts are only ever added' USING ERRCODE = 'check_violation', CONSTRAINT = 'verdict_is_append_only';
END $$;
CREATE TRIGGER verdict_is_append_only BEFORE UPDATE OR DELETE ON annotation_verdict
  FOR EACH ROW EXECUTE FUNCTION annotation_verdict_is_append_only();
"""
NOT_APPEND_ONLY = """
DROP TRIGGER verdict_is_append_only ON annotation_verdict;
DROP FUNCTION annotation_verdict_is_append_only();
"""


class Migration(migrations.Migration):
    dependencies = [("annotation", "0001_initial")]
    operations = [migrations.RunSQL(FREEZE_TEXT, THAW_TEXT), migrations.RunSQL(APPEND_ONLY, NOT_APPEND_ONLY)]
