/**
 * How the events of commits become rows of `events`, numbered without gaps, and a delivery each where the
 * account has an endpoint. The commit road calls this for each batch that it writes.
 */
import type { Columns } from "@svc/kernel/database/columns"
import { isPerson } from "@svc/kernel/parts/actor"
import { CURRENT_API_VERSION } from "@svc/kernel/resource/api-version"
import type { Clause, StatementRow } from "@svc/kernel/road/clause"
import type { Commit } from "@svc/kernel/road/decision"
import { Outbox } from "@svc/kernel/road/sink"
import type { Sink, SinkBatch } from "@svc/kernel/road/sink"
import { makeId } from "@svc/kernel/values/ids"
import { Effect, Layer } from "effect"
import { DeliverySignal } from "../deliveries/signal.ts"
import { CHANGES, type LoggedColumns, quietChanges } from "../log/changes.ts"
import { LoggedTables, shownColumns } from "../log/logged.ts"

/** `named` are further columns, of batches that need them. */
const eventsClause = (name: string, named: Columns = {}): Clause => ({
  name,
  columns: {
    account_id: "text",
    seq: "int8",
    id: "text",
    delivery_id: "text",
    type: "text",
    resource_type: "text",
    resource_id: "text",
    resource_version: "int8",
    api_version: "text",
    data: "text",
    metadata: "text",
    created_at: "timestamptz",
    ...named
  },
  sql: (rows) => `
emitted AS (
  INSERT INTO events (account_id, seq, id, type, resource_type, resource_id, resource_version, api_version, rendered_as, data, metadata,
    created_at${Object.keys(named).map((column) => `, ${column}`).join("")})
  SELECT r.account_id, r.seq, r.id, r.type, r.resource_type, r.resource_id, r.resource_version, r.api_version,
    (SELECT nullif(a.api_version, r.api_version) FROM accounts a WHERE a.id = r.account_id), r.data, r.metadata, r.created_at${
    Object.keys(named).map((column) => `, r.${column}`).join("")
  }
  FROM ${rows} r, gate),
queued AS (
  INSERT INTO webhook_deliveries (account_id, id, event_id, event_seq, event_type, resource_id, status, attempts, due_at, created_at,
    updated_at)
  SELECT r.account_id, r.delivery_id, r.id, r.seq, r.type, r.resource_id, 'pending', 0, r.created_at, r.created_at, r.created_at
  FROM gate, ${rows} r
  JOIN webhook_endpoints e ON e.account_id = r.account_id
  RETURNING 1)`,
  returns: "(SELECT count(*) FROM queued)"
})

const EVENTS = eventsClause("events")
/** The same with who made them happen, for batches in which a person did. */
const EVENTS_OF_PEOPLE = eventsClause("events_of_people", { actor: "text" })

/** Which person makes the commit, as JSON text; null where software does. */
const personOf = ({ actor }: Commit<unknown>): string | null =>
  actor !== undefined && isPerson(actor) ? JSON.stringify({ type: actor.type, id: actor.id }) : null

const begin = (kept: LoggedColumns): SinkBatch => {
  let clause = EVENTS
  const rows: Array<StatementRow> = []
  const changes: Array<StatementRow> = []
  return {
    add: (commit, at, head) => {
      changes.push(...quietChanges(commit, at, head, kept))
      if (commit.events.length === 0) return head
      let seq = Number(head["event_seq"])
      const actor = personOf(commit)
      if (actor !== null) clause = EVENTS_OF_PEOPLE
      for (const event of commit.events) {
        rows.push({
          ...event,
          account_id: commit.account_id,
          seq: ++seq,
          id: makeId("evt", commit.at.epochMilliseconds),
          delivery_id: makeId("whq", commit.at.epochMilliseconds),
          api_version: CURRENT_API_VERSION,
          metadata: commit.scheduled === true && event.hints !== undefined ? JSON.stringify(event.hints()) : null,
          created_at: at,
          actor
        })
      }
      return { ...head, event_seq: seq }
    },
    filled: () => [[clause, rows], [CHANGES, changes]]
  }
}

/** What is kept of which table; asked at each commit, for resources join as the service is built. */
const keptOf = (tables: LoggedTables["Service"]): LoggedColumns => {
  let known: readonly [of: ReturnType<typeof tables.all>, columns: ReadonlyMap<string, ReadonlyArray<string>>] = [[], new Map()]
  return (table) => {
    const all = tables.all()
    if (all !== known[0]) known = [all, new Map(all.map((one) => [one.table.name, shownColumns(one)]))]
    return known[1].get(table)
  }
}

/** `queued` is called with the accounts of a batch that queued deliveries, so that workers need not wait for a poll. */
export const outbox = (queued: (accounts: ReadonlyArray<string>) => void, kept: LoggedColumns): Sink => ({
  head: { event_seq: "int8" },
  begin: () => begin(kept),
  violated: (constraint) =>
    ["events", "webhook_deliveries", "quiet_changes"].some((table) => constraint.startsWith(table)) ? "head" : undefined,
  written: (returned, accounts) => {
    if (Number(returned[EVENTS.name] ?? returned[EVENTS_OF_PEOPLE.name] ?? 0) > 0) queued(accounts())
  }
})

/** The event log, for the commit road to write to. Tells the delivery workers of every process. */
export const layer = Layer.effect(
  Outbox,
  Effect.gen(function*() {
    const { queued } = yield* DeliverySignal
    return outbox(queued, keptOf(yield* LoggedTables))
  })
).pipe(Layer.provideMerge(LoggedTables.layer))

/** The same where no worker waits, and no resource is. */
export const layerSilent = Layer.succeed(Outbox, outbox(() => {}, () => undefined))
