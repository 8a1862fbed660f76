"""What the database keeps of passages: decisions are only added, and hold from there on; splits freeze with the first
task, texts with the first task or question."""

from django.db import migrations

CHOICES_HOLD = """
CREATE FUNCTION annotation_paragraph_choices_hold() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE annotation_paragraph SET is_excluded = chosen.is_excluded FROM chosen
   WHERE annotation_paragraph.id = chosen.paragraph_id
     AND annotation_paragraph.is_excluded <> chosen.is_excluded;
  RETURN NULL;
END $$;
CREATE TRIGGER paragraph_choices_hold AFTER INSERT ON annotation_paragraphchoice
  REFERENCING NEW TABLE AS chosen FOR EACH STATEMENT EXECUTE FUNCTION annotation_paragraph_choices_hold();
"""
CHOICES_DO_NOT_HOLD = """
DROP TRIGGER paragraph_choices_hold ON annotation_paragraphchoice;
DROP FUNCTION annotation_paragraph_choices_hold();
"""
APPEND_ONLY = """
CREATE FUNCTION annotation_passage_decision_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'decisions on passages are only ever added'
    USING ERRCODE = 'check_violation', CONSTRAINT = 'passage_decision_is_append_only';
END $$;
CREATE TRIGGER passage_act_is_append_only BEFORE UPDATE OR DELETE ON annotation_passageact
  FOR EACH ROW EXECUTE FUNCTION annotation_passage_decision_is_append_only();
CREATE TRIGGER paragraph_choice_is_append_only BEFORE UPDATE OR DELETE ON annotation_paragraphchoice
  FOR EACH ROW EXECUTE FUNCTION annotation_passage_decision_is_append_only();
CREATE TRIGGER text_repair_is_append_only BEFORE UPDATE OR DELETE ON annotation_textrepair
  FOR EACH ROW EXECUTE FUNCTION annotation_passage_decision_is_append_only();
"""
NOT_APPEND_ONLY = """
DROP TRIGGER text_repair_is_append_only ON annotation_textrepair;
DROP TRIGGER paragraph_choice_is_append_only ON annotation_paragraphchoice;
DROP TRIGGER passage_act_is_append_only ON annotation_passageact;
DROP FUNCTION annotation_passage_decision_is_append_only();
"""
NO_TASK = """
CREATE FUNCTION annotation_excluded_paragraph_enters_no_task() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE refused bigint;
BEGIN
  SELECT held.paragraph_id INTO refused FROM held JOIN annotation_paragraph ON annotation_paragraph.id = held.paragraph_id
   WHERE annotation_paragraph.is_excluded LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'paragraph % is excluded and enters no task', refused
      USING ERRCODE = 'check_violation', CONSTRAINT = 'excluded_paragraph_enters_no_task';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER excluded_paragraph_enters_no_task AFTER INSERT ON annotation_taskparagraph
  REFERENCING NEW TABLE AS held FOR EACH STATEMENT EXECUTE FUNCTION annotation_excluded_paragraph_enters_no_task();
"""
ANY_TASK = """
DROP TRIGGER excluded_paragraph_enters_no_task ON annotation_taskparagraph;
DROP FUNCTION annotation_excluded_paragraph_enters_no_task();
"""
FREEZE_SPLIT = """
CREATE FUNCTION annotation_article_split_is_frozen() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM annotation_task WHERE project_id = OLD.project_id AND kind <> 'quiz') THEN
    RAISE EXCEPTION 'article %: its split cannot change once work was launched', OLD.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'article_split_is_frozen';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER article_split_is_frozen BEFORE UPDATE OF split ON annotation_article
  FOR EACH ROW WHEN (OLD.split <> '' AND OLD.split IS DISTINCT FROM NEW.split)
  EXECUTE FUNCTION annotation_article_split_is_frozen();
"""
THAW_SPLIT = """
DROP TRIGGER article_split_is_frozen ON annotation_article;
DROP FUNCTION annotation_article_split_is_frozen();
"""
FREEZE_TEXT_IN_TASKS = """
CREATE OR REPLACE FUNCTION annotation_paragraph_text_is_frozen() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM annotation_question WHERE paragraph_id = OLD.id)
     OR EXISTS (SELECT 1 FROM annotation_taskparagraph WHERE paragraph_id = OLD.id) THEN
    RAISE EXCEPTION 'paragraph %: its text cannot change once it is in a task or a question exists on it', OLD.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'paragraph_text_is_frozen';
  END IF;
  RETURN NEW;
END $$;
"""
FREEZE_TEXT_UNDER_QUESTIONS = """
CREATE OR REPLACE FUNCTION annotation_paragraph_text_is_frozen() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM annotation_question WHERE paragraph_id = OLD.id) THEN
    RAISE EXCEPTION 'paragraph %: its text cannot change once a question exists on it', OLD.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'paragraph_text_is_frozen';
  END IF;
  RETURN NEW;
END $$;
"""


class Migration(migrations.Migration):
    dependencies = [("annotation", "0009_keep_where_passages_are_from")]
    operations = [
        migrations.RunSQL(CHOICES_HOLD, CHOICES_DO_NOT_HOLD),
        migrations.RunSQL(APPEND_ONLY, NOT_APPEND_ONLY),
        migrations.RunSQL(NO_TASK, ANY_TASK),
        migrations.RunSQL(FREEZE_SPLIT, THAW_SPLIT),
        migrations.RunSQL(FREEZE_TEXT_IN_TASKS, FREEZE_TEXT_UNDER_QUESTIONS),
    ]
