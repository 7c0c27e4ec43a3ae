/** The table of reports, and the lines that one works on while it is made. */
import { type Migrations, statements } from "@svc/kernel/database/migrations"

export const migrations: Migrations = {
  "26112402_reconciliation_reports": statements(
    `CREATE TABLE reconciliation_reports (
       merchant_id text NOT NULL REFERENCES accounts (id),
       id text NOT NULL,
       source text NOT NULL,
       origin text NOT NULL CHECK (origin IN ('statement', 'file')),
       period_from timestamptz NOT NULL,
       period_to timestamptz NOT NULL CHECK (period_to > period_from),
       covers jsonb NOT NULL,
       status text NOT NULL CHECK (status IN ('processing', 'completed')),
       line_count bigint NOT NULL,
       counts jsonb NOT NULL,
       mismatch_counts jsonb NOT NULL,
       totals jsonb NOT NULL,
       created_at timestamptz NOT NULL,
       completed_at timestamptz CHECK ((completed_at IS NOT NULL) = (status = 'completed')),
       updated_at timestamptz NOT NULL,
       version bigint NOT NULL,
       PRIMARY KEY (merchant_id, id)
     )`,
    `CREATE INDEX reconciliation_reports_source ON reconciliation_reports (merchant_id, source, id)`,
    // Both sides of a report under way: what the statement says (side 0) and what the ledger has (side 1). Emptied when the report is
    // complete.
    `CREATE TABLE reconciliation_lines (
       merchant_id text NOT NULL,
       report_id text NOT NULL,
       side smallint NOT NULL,
       n bigint NOT NULL,
       type text NOT NULL,
       provider_reference text,
       amount bigint NOT NULL,
       currency text NOT NULL,
       at timestamptz NOT NULL,
       event_id text,
       expected boolean NOT NULL DEFAULT false,
       open boolean NOT NULL DEFAULT false,
       alone boolean NOT NULL DEFAULT false,
       staged_at timestamptz NOT NULL DEFAULT now(),
       PRIMARY KEY (merchant_id, report_id, side, n)
     )`,
    `CREATE INDEX reconciliation_lines_reference ON reconciliation_lines (merchant_id, report_id, type, provider_reference, side, n) WHERE provider_reference IS NOT NULL`,
    `CREATE INDEX reconciliation_lines_alone ON reconciliation_lines (merchant_id, report_id, type, currency, amount, side, n) WHERE alone`
  ),
  "26112512_reconciliation_progress": statements(
    `ALTER TABLE reconciliation_lines ADD COLUMN correction text, ADD COLUMN content jsonb`,
    // Each side in the order of days, so that equal amounts need not be in memory together; by code points, as the comparison orders them.
    `DROP INDEX reconciliation_lines_alone`,
    `CREATE INDEX reconciliation_lines_days ON reconciliation_lines
       (merchant_id, report_id, side, type COLLATE "C", currency COLLATE "C", amount, at, coalesce(provider_reference, '') COLLATE "C", n) WHERE alone`,
    // How far a report under way has come, and which process is at work on it: a row for each that is processing.
    `CREATE TABLE reconciliation_progress (
       merchant_id text NOT NULL REFERENCES accounts (id),
       report_id text NOT NULL,
       phase text NOT NULL DEFAULT 'ledger',
       event_id text NOT NULL DEFAULT '',
       reached jsonb,
       tally jsonb,
       failures bigint NOT NULL DEFAULT 0,
       lease_token text,
       due_at timestamptz,
       PRIMARY KEY (merchant_id, report_id)
     )`,
    `CREATE FUNCTION svc_reconciliation_progress() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       IF NEW.status = 'processing' THEN
         INSERT INTO reconciliation_progress (merchant_id, report_id) VALUES (NEW.merchant_id, NEW.id) ON CONFLICT DO NOTHING;
       ELSE
         DELETE FROM reconciliation_progress WHERE merchant_id = NEW.merchant_id AND report_id = NEW.id;
       END IF;
       RETURN NULL;
     END $$`,
    // In the statement that begins or completes the report: a second one could be lost.
    `CREATE TRIGGER reconciliation_reports_progress AFTER INSERT OR UPDATE OF status ON reconciliation_reports FOR EACH ROW EXECUTE FUNCTION svc_reconciliation_progress()`,
    `INSERT INTO reconciliation_progress (merchant_id, report_id) SELECT merchant_id, id FROM reconciliation_reports WHERE status = 'processing'`,
    `DELETE FROM timers WHERE kind = 'reconciliation_report.due'`
  ),
  "26112850_reconciliation_stated_events": statements(
    // Events whose line a statement had without a reference, and the moment that the line gave: the line is known again by it.
    `CREATE TABLE reconciliation_stated_events (
       merchant_id text NOT NULL REFERENCES accounts (id),
       sequence_id bigint NOT NULL,
       at timestamptz NOT NULL,
       PRIMARY KEY (merchant_id, sequence_id)
     )`,
    `ALTER TABLE reconciliation_lines ADD COLUMN stated_at timestamptz`,
    `CREATE INDEX reconciliation_lines_stated ON reconciliation_lines
       (merchant_id, report_id, type COLLATE "C", currency COLLATE "C", amount, stated_at, n) WHERE stated_at IS NOT NULL`
  )
}
