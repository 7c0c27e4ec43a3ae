/**
 * Where the entries and the events of commits go. The road knows that an account has one head, at which
 * its commits stand in line; what is numbered, hashed and written behind it is the business of two
 * packages above, which provide a `Journal` and an `Outbox`.
 */
import { Context, Layer } from "effect"
import type { Columns } from "../database/columns.ts"
import type { FilledClause, StatementRow } from "./clause.ts"
import type { Commit } from "./decision.ts"
import type { Tally } from "./tally.ts"

/** Where an account's commits stand: a row of `account_heads`. Sinks own columns of it. */
export interface AccountHead {
  /** How many commits the account has had. */
  readonly commit_seq: number
  readonly [column: string]: number | string
}

/** What a sink makes of one batch. */
export interface SinkBatch {
  /** Takes what the commit carries for this sink, behind `head`, and says where the head is then. Commits come in order. */
  readonly add: (commit: Commit<unknown>, at: string, head: AccountHead) => AccountHead
  readonly filled: () => ReadonlyArray<FilledClause>
}

export interface Sink {
  /** Its columns of the account's head. */
  readonly head: Columns
  readonly begin: () => SinkBatch
  /** The numbers that commits move here under conditions. */
  readonly tally?: Tally
  /**
   * What it means when a unique constraint of its tables is violated: `head`, that another process was faster; `key`, that the cause was
   * used before.
   */
  readonly violated: (constraint: string) => "head" | "key" | undefined
  /** Told when a batch is durable: the numbers that its clauses returned, and the accounts. */
  readonly written: (returned: StatementRow, accounts: () => ReadonlyArray<string>) => void
}

/** A sink for processes that write nothing of the kind, such as the tests of the packages below its owner. */
const refusing = (what: string, carries: (commit: Commit<unknown>) => boolean): Sink => ({
  head: {},
  begin: () => ({
    add: (commit, _at, head) => {
      if (carries(commit)) throw new Error(`a commit carries ${what}, and this process has nowhere to write them`)
      return head
    },
    filled: () => []
  }),
  violated: () => undefined,
  written: () => {}
})

/** Writes the entries of commits, and the balances they move. */
export class Journal extends Context.Service<Journal, Sink>()("@svc/kernel/Journal") {
  static readonly layerNone = Layer.succeed(
    Journal,
    refusing("entries or conditions on a balance", ({ entries, requires = [] }) => entries.length > 0 || requires.length > 0)
  )
}

/** Writes the events of commits, and what is to be told of them. */
export class Outbox extends Context.Service<Outbox, Sink>()("@svc/kernel/Outbox") {
  static readonly layerNone = Layer.succeed(Outbox, refusing("events", ({ events }) => events.length > 0))
}
