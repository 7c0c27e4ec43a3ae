/**
 * The audit log is written by the database, in the transaction of the change: a table that is audited has a trigger, and no code that
 * changes it can forget the entry, not even somebody's own SQL. See docs/decisions/0047. Of the other tables the road keeps what people
 * change: `road/audit-clause.ts`.
 */

/** A table whose changes are kept. */
export interface AuditedTable {
  readonly table: string
  /** What people call a row of it, such as `api_key`. */
  readonly resource: string
  /** The column with the account's id; null there is the installation itself. */
  readonly account: string
  /** The column that names the row. */
  readonly id: string
  /** Columns whose values are secret: that they changed is kept, not what they hold. */
  readonly hidden?: ReadonlyArray<string>
  /** Which changes; all of them unless given. */
  readonly on?: "INSERT" | "UPDATE" | "INSERT OR DELETE"
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** The statement that makes the table audited; for a migration, above `26112401_audit_log`. */
export const audit = ({ account, hidden = [], id, on, resource, table }: AuditedTable): string =>
  `CREATE TRIGGER ${table}_audit AFTER ${on ?? "INSERT OR UPDATE OR DELETE"} ON ${table}
   FOR EACH ROW EXECUTE FUNCTION svc_audit(${[resource, account, id, hidden.join(",")].map(quoted).join(", ")})`

/** The log, what writes it, and what keeps everybody else from changing it. */
export const auditLog: ReadonlyArray<string> = [
  `CREATE TABLE audit_log (
     account_id text,
     id text PRIMARY KEY,
     action text NOT NULL,
     resource_type text NOT NULL,
     resource_id text NOT NULL,
     actor_type text NOT NULL,
     actor_id text,
     operation text,
     request_id text,
     ip text,
     before jsonb,
     after jsonb,
     created_at timestamptz NOT NULL
   )`,
  // The list, and each of its filters.
  `CREATE INDEX audit_log_account ON audit_log (account_id, id)`,
  `CREATE INDEX audit_log_action ON audit_log (account_id, action, id)`,
  `CREATE INDEX audit_log_resource ON audit_log (account_id, resource_id, id)`,
  `CREATE INDEX audit_log_actor ON audit_log (account_id, actor_id, id)`,

  `CREATE FUNCTION svc_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     RAISE EXCEPTION '% only grows: its rows are never changed or removed', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
   END $$`,
  `CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log FOR EACH STATEMENT EXECUTE FUNCTION svc_append_only()`,

  // An id as ids.ts makes them: 48 bits of milliseconds and 80 random ones, in Crockford's base32.
  `CREATE FUNCTION svc_ulid(at timestamptz) RETURNS text LANGUAGE plpgsql VOLATILE AS $$
   DECLARE
     millis bigint := floor(extract(epoch FROM at) * 1000);
     noise bytea := decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex');
     made text := '';
     n int;
   BEGIN
     FOR n IN REVERSE 9..0 LOOP
       made := made || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', ((millis >> (5 * n)) & 31)::int + 1, 1);
     END LOOP;
     -- Of each identifier the bytes that are random throughout.
     FOREACH n IN ARRAY ARRAY[0,1,2,3,4,5,9,10,11,12,13,14,15,16,17,18] LOOP
       made := made || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', (get_byte(noise, n) & 31) + 1, 1);
     END LOOP;
     RETURN made;
   END $$`,

  // What changed of a row and by whom. The road says who for each row of its batch, everybody else for the transaction.
  `CREATE FUNCTION svc_audit() RETURNS trigger LANGUAGE plpgsql SET timezone = 'UTC' AS $$
   DECLARE
     old_row jsonb := CASE WHEN TG_OP = 'INSERT' THEN '{}' ELSE to_jsonb(OLD) END;
     new_row jsonb := CASE WHEN TG_OP = 'DELETE' THEN '{}' ELSE to_jsonb(NEW) END;
     this jsonb := CASE WHEN TG_OP = 'DELETE' THEN old_row ELSE new_row END;
     hidden text[] := string_to_array(TG_ARGV[3], ',');
     at timestamptz := clock_timestamp();
     was jsonb;
     became jsonb;
     who jsonb;
   BEGIN
     SELECT jsonb_object_agg(k, CASE WHEN k = ANY (hidden) AND old_row -> k <> 'null' THEN '"hidden"' ELSE old_row -> k END) FILTER (WHERE old_row ? k),
       jsonb_object_agg(k, CASE WHEN k = ANY (hidden) AND new_row -> k <> 'null' THEN '"hidden"' ELSE new_row -> k END) FILTER (WHERE new_row ? k)
     INTO was, became
     FROM jsonb_object_keys(old_row || new_row) k
     WHERE old_row -> k IS DISTINCT FROM new_row -> k AND k NOT IN ('version', 'updated_at');
     IF was IS NULL AND became IS NULL THEN RETURN NULL; END IF;
     who := coalesce(
       nullif(current_setting('svc.actors', true), '')::jsonb -> (this ->> TG_ARGV[2]),
       nullif(current_setting('svc.actor', true), '')::jsonb,
       jsonb_build_object('type', 'database', 'id', session_user)
     );
     INSERT INTO audit_log (account_id, id, action, resource_type, resource_id, actor_type, actor_id, operation, request_id, ip, before, after, created_at)
     VALUES (
       this ->> TG_ARGV[1], 'aud_' || svc_ulid(at),
       TG_ARGV[0] || CASE TG_OP WHEN 'INSERT' THEN '.created' WHEN 'UPDATE' THEN '.updated' ELSE '.deleted' END,
       TG_ARGV[0], this ->> TG_ARGV[2], who ->> 'type', who ->> 'id', who ->> 'operation', who ->> 'request_id', who ->> 'ip', was, became, at
     );
     RETURN NULL;
   END $$`
]

/** What keeps the acts of people in tables that no trigger audits. The columns of a row that are not `shown` may be secret. */
export const auditOfPeople: ReadonlyArray<string> = [
  `CREATE FUNCTION svc_audit_act(account text, resource text, id text, action text, was jsonb, became jsonb, who jsonb) RETURNS void
   LANGUAGE plpgsql AS $$
   BEGIN
     INSERT INTO audit_log (account_id, id, action, resource_type, resource_id, actor_type, actor_id, operation, request_id, ip,
       before, after, created_at)
     VALUES (
       account, 'aud_' || svc_ulid(clock_timestamp()), resource || '.' || action, resource, id,
       who ->> 'type', who ->> 'id', who ->> 'operation', who ->> 'request_id', who ->> 'ip', was, became, clock_timestamp()
     );
   END $$`,
  `CREATE FUNCTION svc_audit_row(old anyelement, written jsonb, shown text[], resource text, account text, id text, who jsonb) RETURNS void
   LANGUAGE plpgsql SET timezone = 'UTC' AS $$
   DECLARE
     old_row jsonb := CASE WHEN old IS NULL THEN '{}' ELSE to_jsonb(old) END;
     new_row jsonb := to_jsonb(jsonb_populate_record(old, written));
     was jsonb;
     became jsonb;
   BEGIN
     SELECT
       jsonb_object_agg(k, CASE WHEN k = ANY (shown) OR old_row -> k = 'null' THEN old_row -> k ELSE '"hidden"' END)
         FILTER (WHERE old_row ? k),
       jsonb_object_agg(k, CASE WHEN k = ANY (shown) OR new_row -> k = 'null' THEN new_row -> k ELSE '"hidden"' END)
     INTO was, became
     FROM jsonb_object_keys(new_row) k
     WHERE old_row -> k IS DISTINCT FROM new_row -> k AND k NOT IN ('version', 'updated_at');
     IF became IS NOT NULL THEN
       PERFORM svc_audit_act(account, resource, id, CASE WHEN old_row = '{}' THEN 'created' ELSE 'updated' END, was, became, who);
     END IF;
   END $$`
]
