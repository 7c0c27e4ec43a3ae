/** The table of mismatches, and how the ledger's own rows follow what is decided about them. */
import { audit } from "@svc/kernel/database/audit"
import { type Migrations, statements } from "@svc/kernel/database/migrations"

export const migrations: Migrations = {
  "26112401_reconciliation_mismatches": statements(
    `CREATE TABLE reconciliation_mismatches (
       merchant_id text NOT NULL REFERENCES accounts (id),
       id text NOT NULL,
       report_id text NOT NULL,
       type text NOT NULL CHECK (type IN ('amount', 'currency', 'missing_internal', 'missing_external', 'duplicate', 'timing')),
       line_type text NOT NULL,
       source text NOT NULL,
       provider_reference text,
       expected jsonb CHECK ((expected IS NULL) = (sequence_id IS NULL)),
       actual jsonb,
       financial_event_id text CHECK ((financial_event_id IS NULL) = (sequence_id IS NULL)),
       sequence_id bigint,
       subject text NOT NULL,
       status text NOT NULL CHECK (status IN ('open', 'resolved')),
       resolution text CHECK ((resolution IS NOT NULL) = (status = 'resolved')),
       note text,
       resolved_by text CHECK ((resolved_by IS NOT NULL) = (status = 'resolved')),
       resolved_at timestamptz CHECK ((resolved_at IS NOT NULL) = (status = 'resolved')),
       created_at timestamptz NOT NULL,
       updated_at timestamptz NOT NULL,
       version bigint NOT NULL,
       PRIMARY KEY (merchant_id, id),
       CHECK (expected IS NOT NULL OR actual IS NOT NULL)
     )`,
    `CREATE INDEX reconciliation_mismatches_report ON reconciliation_mismatches (merchant_id, report_id, id)`,
    `CREATE INDEX reconciliation_mismatches_subject ON reconciliation_mismatches (merchant_id, subject)`,
    `CREATE INDEX reconciliation_mismatches_event ON reconciliation_mismatches (merchant_id, sequence_id) WHERE status = 'open' AND sequence_id IS NOT NULL`,
    `CREATE INDEX reconciliation_mismatches_unknown ON reconciliation_mismatches (merchant_id, provider_reference) WHERE status = 'open' AND sequence_id IS NULL`,
    // The ledger's rows follow in the statement that resolves: reconciliation_status is the one column of theirs that may change, and the
    // road knows versions, which they do not have. The entries that the resolution posts are there by the time a trigger runs.
    `CREATE FUNCTION svc_mismatch_resolved() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       UPDATE financial_events SET reconciliation_status = 'matched'
         WHERE merchant_id = NEW.merchant_id AND sequence_id = NEW.sequence_id AND reconciliation_status IN ('mismatched', 'unreconciled')
           AND NOT EXISTS (SELECT 1 FROM reconciliation_mismatches m
             WHERE m.merchant_id = NEW.merchant_id AND m.sequence_id = NEW.sequence_id AND m.status = 'open' AND m.id <> NEW.id);
       UPDATE financial_events SET reconciliation_status = 'matched'
         WHERE merchant_id = NEW.merchant_id AND resource_id = NEW.id AND reconciliation_status = 'pending';
       RETURN NULL;
     END $$`,
    // What a later report closes says so by the report's id; that report moves the ledger's rows itself.
    `CREATE TRIGGER reconciliation_mismatches_resolved AFTER UPDATE ON reconciliation_mismatches
       FOR EACH ROW WHEN (OLD.status = 'open' AND NEW.status = 'resolved' AND NEW.resolved_by NOT LIKE 'rr\\_%') EXECUTE FUNCTION svc_mismatch_resolved()`
  ),
  "26112491_audit_reconciliation_mismatches": statements(
    audit({ table: "reconciliation_mismatches", resource: "reconciliation_mismatch", account: "merchant_id", id: "id", on: "UPDATE" })
  ),
  "26112511_corrections_that_are_superseded": statements(
    `ALTER TABLE reconciliation_mismatches ADD COLUMN corrects text, ADD COLUMN booked jsonb, ADD COLUMN superseded_by text`,
    // An event that was corrected to nothing is still an event, and a movement that only the provider knew is expected once it was
    // accepted.
    `DO $$
     DECLARE name text;
     BEGIN
       FOR name IN SELECT conname FROM pg_constraint WHERE conrelid = 'reconciliation_mismatches'::regclass AND contype = 'c' AND pg_get_constraintdef(oid) LIKE '%sequence_id IS NULL%' LOOP
         EXECUTE format('ALTER TABLE reconciliation_mismatches DROP CONSTRAINT %I', name);
       END LOOP;
     END $$`,
    `ALTER TABLE reconciliation_mismatches ADD CHECK ((financial_event_id IS NULL) = (sequence_id IS NULL)), ADD CHECK (superseded_by IS NULL OR resolution IN ('accept_external', 'write_off'))`,
    // The corrections that stand, by their event or by what the provider calls the movement.
    `CREATE INDEX reconciliation_mismatches_standing ON reconciliation_mismatches (merchant_id, sequence_id, provider_reference)
       WHERE resolution IN ('accept_external', 'write_off') AND superseded_by IS NULL`,
    // The entries of a reversal agree with the provider, as those of the correction did.
    `CREATE FUNCTION svc_correction_superseded() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       UPDATE financial_events SET reconciliation_status = 'matched'
         WHERE merchant_id = NEW.merchant_id AND resource_id = NEW.id AND reconciliation_status = 'pending';
       RETURN NULL;
     END $$`,
    `CREATE TRIGGER reconciliation_mismatches_superseded AFTER UPDATE ON reconciliation_mismatches
       FOR EACH ROW WHEN (OLD.superseded_by IS NULL AND NEW.superseded_by IS NOT NULL) EXECUTE FUNCTION svc_correction_superseded()`
  ),
  "26112851_corrections_without_an_event": statements(
    // By the correction that they are about, and by the reference that only the provider knew.
    `CREATE INDEX reconciliation_mismatches_corrects ON reconciliation_mismatches (merchant_id, corrects)
       WHERE status = 'open' AND sequence_id IS NULL AND corrects IS NOT NULL`,
    `CREATE INDEX reconciliation_mismatches_accepted ON reconciliation_mismatches (merchant_id, provider_reference)
       WHERE type = 'missing_internal' AND resolution IN ('accept_external', 'write_off') AND sequence_id IS NULL`
  )
}
