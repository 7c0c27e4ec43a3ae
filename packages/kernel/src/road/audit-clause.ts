/**
 * What people change is in the audit log, whatever the table. Tables that everybody's changes are kept of have a trigger; of the others the
 * statement of the road keeps what people change, and is the same as ever where only software is at work. See docs/decisions/0047.
 */
import type { ChangeOrigin } from "../parts/actor.ts"
import { allChanged, type Clause, type StatementRow } from "./clause.ts"
import { replacedVersion, type Table, type Write } from "./decision.ts"

/** What people call a row of a table, such as `billing_cycle`: its table's name, of one. */
const resourceOf = (table: string): string => table.replace(/ies$/u, "y").replace(/s$/u, "")

/** Who changes a row of a table that has no trigger, as the statement takes it. */
export const auditedRow = (write: Write, isNew: boolean, who: ChangeOrigin): StatementRow => ({
  account_id: write.row[write.table.account],
  id: write.row.id,
  replaced: replacedVersion(write),
  is_new: isNew,
  written: write.row,
  who
})

/** Reads the row as it was, for a statement sees no change of its own. Where it was another, the commit comes too late. */
export const auditOf = ({ account, name, shown = [] }: Table): Clause => ({
  name: `audit_${name}`,
  columns: { account_id: "text", id: "text", replaced: "int8", is_new: "boolean", written: "jsonb", who: "jsonb" },
  check: allChanged(`audit_${name}`, "version"),
  sql: (rows) => `
audit_${name} AS MATERIALIZED (
  SELECT svc_audit_row(t, r.written, '{${shown.join(",")}}', '${resourceOf(name)}', r.account_id, r.id, r.who)
  FROM gate, ${rows} r LEFT JOIN ${name} t ON NOT r.is_new AND t.${account} = r.account_id AND t.id = r.id AND t.version = r.replaced
  WHERE r.is_new OR t.id IS NOT NULL)`
})
