"""What the database itself refuses: changing or deleting a release."""

from django.db import migrations

FROZEN = """
CREATE FUNCTION reviewer_release_is_frozen() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a release never changes' USING ERRCODE = 'check_violation', CONSTRAINT = 'release_is_frozen';
END $$;
CREATE TRIGGER release_is_frozen BEFORE UPDATE OR DELETE ON reviewer_release
  FOR EACH ROW EXECUTE FUNCTION reviewer_release_is_frozen();
"""
NOT_FROZEN = """
DROP TRIGGER release_is_frozen ON reviewer_release;
DROP FUNCTION reviewer_release_is_frozen();
"""


class Migration(migrations.Migration):
    dependencies = [("reviewer", "0003_keep_releases")]
    operations = [migrations.RunSQL(FROZEN, NOT_FROZEN)]
