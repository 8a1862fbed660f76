"""What the database itself refuses: changing or deleting a ledger entry."""

from django.db import migrations

APPEND_ONLY = """
CREATE FUNCTION hits_ledger_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'ledger entries are only ever added' USING ERRCODE = 'check_violation',
    CONSTRAINT = 'ledger_is_append_only';
END $$;
CREATE TRIGGER ledger_is_append_only BEFORE UPDATE OR DELETE ON hits_ledgerentry
  FOR EACH ROW EXECUTE FUNCTION hits_ledger_is_append_only();
"""
NOT_APPEND_ONLY = """
DROP TRIGGER ledger_is_append_only ON hits_ledgerentry;
DROP FUNCTION hits_ledger_is_append_only();
"""


class Migration(migrations.Migration):
    dependencies = [("hits", "0001_initial")]
    operations = [migrations.RunSQL(APPEND_ONLY, NOT_APPEND_ONLY)]
