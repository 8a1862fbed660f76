"""What the database itself refuses: a second look that ends twice, or is withdrawn although it was drawn by chance."""

from django.db import migrations

ENDS_ONCE = """
CREATE FUNCTION reviewer_second_look_ends_once() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  is_drawn boolean;
BEGIN
  -- Whoever ends the same look waits here until the first is done.
  SELECT cause = 'drawn' INTO is_drawn FROM reviewer_secondlook WHERE id = NEW.look_id FOR UPDATE;
  IF TG_TABLE_NAME = 'reviewer_secondlookwithdrawal' AND is_drawn THEN
    RAISE EXCEPTION 'a second look that was drawn by chance is not withdrawn'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'a_drawn_look_stays';
  END IF;
  IF EXISTS (SELECT 1 FROM reviewer_secondopinion WHERE look_id = NEW.look_id)
     OR EXISTS (SELECT 1 FROM reviewer_secondlookwithdrawal WHERE look_id = NEW.look_id) THEN
    RAISE EXCEPTION 'this second look has ended'
      USING ERRCODE = 'unique_violation', CONSTRAINT = 'a_second_look_ends_once';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER secondopinion_ends_a_look BEFORE INSERT ON reviewer_secondopinion
  FOR EACH ROW EXECUTE FUNCTION reviewer_second_look_ends_once();
CREATE TRIGGER secondlookwithdrawal_ends_a_look BEFORE INSERT ON reviewer_secondlookwithdrawal
  FOR EACH ROW EXECUTE FUNCTION reviewer_second_look_ends_once();
CREATE TRIGGER secondlookwithdrawal_is_append_only BEFORE UPDATE OR DELETE ON reviewer_secondlookwithdrawal
  FOR EACH ROW EXECUTE FUNCTION reviewer_row_is_append_only();
"""
MAY_END_TWICE = """
DROP TRIGGER secondlookwithdrawal_is_append_only ON reviewer_secondlookwithdrawal;
DROP TRIGGER secondlookwithdrawal_ends_a_look ON reviewer_secondlookwithdrawal;
DROP TRIGGER secondopinion_ends_a_look ON reviewer_secondopinion;
DROP FUNCTION reviewer_second_look_ends_once();
"""


class Migration(migrations.Migration):
    dependencies = [("reviewer", "0011_withdraw_second_looks")]
    operations = [migrations.RunSQL(ENDS_ONCE, MAY_END_TWICE)]
