/**
 * Writes batches of commits, one at a time: optimistically under the heads that this process remembers, again
 * with the heads read anew when another process was faster, and from the third try on with the heads locked.
 */
import { Effect, Result } from "effect"
import type { SqlClient } from "effect/sql"
import { failPointsAround } from "../parts/fail-points.ts"
import { type Batch, layOut } from "./batch.ts"
import type { StatementRow } from "./clause.ts"
import type { Commit } from "./decision.ts"
import { broken, classify, type CommitFailure, CommitRefused } from "./failure.ts"
import { LAST_NUMBER } from "./numbers.ts"
import type { AccountHead, Sink } from "./sink.ts"
import { statements } from "./statement.ts"
import { judge, type UnmetFloor } from "./tally.ts"

/** Heads and rows are a cache: forgetting them costs one read. */
const REMEMBERED = 20_000
const MAX_TRIES = 12

const committing = failPointsAround("commit")

type Commits = ReadonlyArray<Commit<unknown>>

/** The batch was refused; given what its rows hold, these of its commits have to be. */
interface Judged {
  readonly _tag: "Judged"
  readonly unmet: ReadonlyArray<UnmetFloor | undefined>
}

type Broken = ReturnType<typeof broken>

export interface Writer {
  /** Writes all of them in one statement, or none. */
  readonly write: (commits: Commits) => Effect.Effect<void, CommitRefused | Judged | Broken>
  /** Writes what a judgement lets pass, if everything still is as it was judged, and says whether it did. */
  readonly writeMet: (commits: Commits) => Effect.Effect<boolean>
}

export const makeWriter = (sql: SqlClient.SqlClient, sinks: ReadonlyArray<Sink>): Writer => {
  const statementOf = statements(sinks)
  const heads = new Map<string, AccountHead>()
  const rows = new Set<string>()
  const headColumns = ["commit_seq", ...Object.keys(LAST_NUMBER), ...sinks.flatMap(({ head }) => Object.keys(head))].join(", ")
  const loadHeads = Effect.fnUntraced(function*(accounts: ReadonlyArray<string>, lock: boolean) {
    const headRows = yield* sql.unsafe<AccountHead & { readonly account_id: string }>(
      `SELECT account_id, ${headColumns} FROM account_heads
       WHERE account_id = ANY($1::text[]) ORDER BY account_id${lock ? " FOR UPDATE" : ""}`,
      [`{${accounts.join(",")}}`]
    ).pipe(Effect.mapError((error) => classify(error, undefined, sinks)))
    if (heads.size > REMEMBERED) heads.clear()
    for (const { account_id, ...head } of headRows) heads.set(account_id, head)
  })

  const prepared = (commits: Commits) => {
    const batch = layOut(commits, { heads, rows }, sinks)
    return [batch, statementOf(batch)] as const
  }

  const remember = (batch: Batch) => {
    if (rows.size > REMEMBERED) rows.clear()
    for (const moves of batch.tallies.values()) {
      if (moves.hasNew) { for (const id of moves.rows.keys()) rows.add(id) }
    }
  }

  const run = Effect.fnUntraced(function*(commits: Commits) {
    const [batch, { params, text }] = yield* Effect.try({ try: () => prepared(commits), catch: broken })
    const [returned = {}] = yield* sql.unsafe<StatementRow>(text, params).pipe(Effect.mapError((error) => classify(error, batch, sinks)))
    for (const [account, { to }] of batch.heads) heads.set(account, to)
    remember(batch)
    for (const sink of sinks) sink.written(returned, () => Array.from(batch.heads.keys()))
  })

  /** One attempt: optimistic with the heads we remember, or with the heads locked. */
  const attempt = (commits: Commits, accounts: ReadonlyArray<string>, locked: boolean): Effect.Effect<void, CommitFailure> =>
    locked
      ? sql.withTransaction(Effect.andThen(loadHeads(accounts, true), run(commits))).pipe(
        Effect.catchTag("SqlError", (error) => Effect.fail(classify(error, undefined, sinks)))
      )
      : Effect.andThen(
        accounts.every((account) => heads.has(account)) ? Effect.void : loadHeads(accounts, false),
        run(commits)
      )

  const write = Effect.fnUntraced(function*(commits: Commits): Effect.fn.Return<void, CommitRefused | Judged | Broken> {
    const accounts = Array.from(new Set(commits.map((commit) => commit.account_id))).sort()
    for (let tries = 1;; tries++) {
      committing.before()
      const result = yield* Effect.result(attempt(commits, accounts, tries > 2))
      if (Result.isSuccess(result)) return committing.after()
      const failure = result.failure
      if (failure._tag === "Held") {
        const unmet = judge(failure.tally, commits, failure.held)
        // The heads stay as they are: what is written next is written on what was just found.
        if (unmet.some((one) => one !== undefined)) return yield* Effect.fail({ _tag: "Judged" as const, unmet })
      }
      for (const account of accounts) heads.delete(account)
      if (failure._tag === "Missing" || failure._tag === "Held") rows.clear()
      if (failure._tag === "Refused") return yield* new CommitRefused({ reason: failure.reason })
      if (failure._tag === "Broken" || tries === MAX_TRIES) return yield* Effect.fail(broken(failure.error))
    }
  })

  // Under the very heads of the judgement: that nothing has changed since is what the statement checks.
  const writeMet = Effect.fnUntraced(function*(commits: Commits) {
    if (commits.length === 0) return true
    committing.before()
    if (!commits.every(({ account_id }) => heads.has(account_id))) return false
    const isWritten = Result.isSuccess(yield* Effect.result(run(commits)))
    if (isWritten) committing.after()
    else for (const { account_id } of commits) heads.delete(account_id)
    return isWritten
  })

  return { write, writeMet }
}
