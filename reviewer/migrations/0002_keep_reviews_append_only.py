"""What the database itself refuses: changing or deleting a review."""

from django.db import migrations

APPEND_ONLY = """
CREATE FUNCTION reviewer_review_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'reviews are only ever added' USING ERRCODE = 'check_violation', CONSTRAINT = 'review_is_append_only';
END $$;
CREATE TRIGGER review_is_append_only BEFORE UPDATE OR DELETE ON reviewer_review
  FOR EACH ROW EXECUTE FUNCTION reviewer_review_is_append_only();
"""
NOT_APPEND_ONLY = """
DROP TRIGGER review_is_append_only ON reviewer_review;
DROP FUNCTION reviewer_review_is_append_only();
"""


class Migration(migrations.Migration):
    dependencies = [("reviewer", "0001_initial")]
    operations = [migrations.RunSQL(APPEND_ONLY, NOT_APPEND_ONLY)]
