/** The table of legal entities. */
import { audit } from "@svc/kernel/database/audit"
import { type Migrations, statements } from "@svc/kernel/database/migrations"

export const migrations: Migrations = {
  "26112411_legal_entities": statements(
    `CREATE TABLE legal_entities (
       account_id text NOT NULL REFERENCES accounts (id),
       id text NOT NULL,
       type text NOT NULL CHECK (type IN ('individual', 'organization')),
       legal_name text NOT NULL,
       country text NOT NULL,
       registration_number text,
       birth_date text,
       address jsonb,
       verification_status text NOT NULL CHECK (verification_status IN ('pending', 'verified', 'failed', 'requires_info')),
       requirements jsonb NOT NULL,
       failure_reason text CHECK (failure_reason IS NULL OR verification_status = 'failed'),
       verified_at timestamptz CHECK ((verified_at IS NOT NULL) = (verification_status = 'verified')),
       created_at timestamptz NOT NULL,
       updated_at timestamptz NOT NULL,
       version bigint NOT NULL,
       PRIMARY KEY (account_id, id)
     )`,
    `CREATE INDEX legal_entities_status ON legal_entities (account_id, verification_status, id)`,
    `CREATE INDEX legal_entities_type ON legal_entities (account_id, type, id)`
  ),
  "26112412_audit_legal_entities": statements(
    audit({
      table: "legal_entities",
      resource: "legal_entity",
      account: "account_id",
      id: "id",
      hidden: ["birth_date", "registration_number"]
    })
  )
}
