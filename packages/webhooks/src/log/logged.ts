/**
 * Which tables the log holds whole: each version of a row of theirs is the data of an event, or, where no event tells of it, a change
 * that was written beside the events. So every public field can be derived anew. A resource with events says so by one line in its
 * `resource.ts`: `logged({ table, resource_type: "settlement", shown: SettlementJson })`.
 */
import { contribute, type Contributions, contributions } from "@svc/kernel/parts/contributions"
import type { Table } from "@svc/kernel/road/decision"
import { Context, Effect, Layer } from "effect"

export interface LoggedTable {
  readonly table: Table
  /** What its events call it. */
  readonly resource_type: string
  /** Its JSON. What is not shown is not kept here either: it may be secret. */
  readonly shown: { readonly fields: Readonly<Record<string, unknown>> }
  /** The event of which one is emitted with each number without a gap that a row of this table takes. */
  readonly numberedBy?: string
}

export class LoggedTables extends Context.Service<LoggedTables, Contributions<LoggedTable>>()("@svc/webhooks/LoggedTables") {
  static readonly layer = Layer.sync(LoggedTables, () => contributions<LoggedTable>())
}

/** The columns of a row that its JSON shows. */
export const shownColumns = ({ shown, table }: LoggedTable): ReadonlyArray<string> =>
  Object.keys(table.columns).filter((column) => column in shown.fields)

export const logged = (one: LoggedTable) => contribute(LoggedTables, Effect.succeed([one]))
