"""What the database itself refuses: changing or deleting review rules, second looks and second opinions."""

from django.db import migrations

APPEND_ONLY = """
CREATE FUNCTION reviewer_row_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is only ever added to', TG_TABLE_NAME
    USING ERRCODE = 'check_violation', CONSTRAINT = 'row_is_append_only';
END $$;
CREATE TRIGGER reviewrules_are_append_only BEFORE UPDATE OR DELETE ON reviewer_reviewrules
  FOR EACH ROW EXECUTE FUNCTION reviewer_row_is_append_only();
CREATE TRIGGER secondlook_is_append_only BEFORE UPDATE OR DELETE ON reviewer_secondlook
  FOR EACH ROW EXECUTE FUNCTION reviewer_row_is_append_only();
CREATE TRIGGER secondopinion_is_append_only BEFORE UPDATE OR DELETE ON reviewer_secondopinion
  FOR EACH ROW EXECUTE FUNCTION reviewer_row_is_append_only();
"""
NOT_APPEND_ONLY = """
DROP TRIGGER secondopinion_is_append_only ON reviewer_secondopinion;
DROP TRIGGER secondlook_is_append_only ON reviewer_secondlook;
DROP TRIGGER reviewrules_are_append_only ON reviewer_reviewrules;
DROP FUNCTION reviewer_row_is_append_only();
"""


class Migration(migrations.Migration):
    dependencies = [("reviewer", "0006_keep_signals_and_second_looks")]
    operations = [migrations.RunSQL(APPEND_ONLY, NOT_APPEND_ONLY)]
