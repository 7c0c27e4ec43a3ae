/**
 * The only writer of money. Commits queue inside the process and go to the database together:
 * several accounts share a statement, one account has at most one statement under way, so its
 * chain head never races against itself. Another process may still move a head in between; then
 * the batch aborts as a whole, the heads are read again, and after that locked.
 */
import { Context, Effect, Latch, Layer, Result, Schema } from "effect"
import type { SqlError } from "effect/sql"
import { COMMITS_IN_FLIGHT, CommitClient } from "../database/client.ts"
import { failPoint } from "../fail-points.ts"
import { makeId } from "../ids.ts"
import { iso } from "../time.ts"
import type { Head } from "./batch.ts"
import { layOut } from "./batch.ts"
import type { Commit } from "./decision.ts"
import { commitStatement } from "./statement.ts"

/** Why a commit did not happen. Nothing of it was written. */
export class CommitRefused extends Schema.TaggedError<CommitRefused>()("CommitRefused", {
  /**
   * `version`: the row changed since it was loaded. `key`: the idempotency key exists already, or
   * is no longer in progress. `balance`: a bucket would fall below what the ledger allows.
   */
  reason: Schema.Literals(["version", "key", "balance"])
}) {}

/** Told after each statement how many webhook deliveries it queued and for which accounts, so that workers need not wait for a poll. */
export class CommitListener extends Context.Reference<(queued: number, accounts: ReadonlyArray<string>) => void>("@svc/kernel/CommitListener", {
  defaultValue: () => () => {}
}) {}

/** At most this many decisions of one account, and of all accounts, share a statement. */
const PER_ACCOUNT = 16
const PER_STATEMENT = 64

/** Heads are a cache: forgetting them costs one read. */
const REMEMBERED_HEADS = 20_000

interface Waiting {
  readonly commit: Commit
  readonly claims: ReadonlyArray<string>
  readonly resume: (effect: Effect.Effect<void, CommitRefused | SqlError.SqlError>) => void
}

const claimsOf = (commit: Commit): ReadonlyArray<string> => {
  const claims = commit.writes.map(({ row }) => row.id)
  if (commit.key !== undefined) claims.push(`key ${commit.key.key}`)
  return claims
}

type Failure = "head" | "version" | "key" | "balance" | "no_balance_account" | "retry" | "other"

const causeOf = (error: SqlError.SqlError): { readonly code: string; readonly message: string; readonly constraint: string } => {
  const cause = error.reason.cause
  const text = (name: string) =>
    typeof cause === "object" && cause !== null && name in cause ? String(Reflect.get(cause, name)) : ""
  return { code: text("code"), message: text("message"), constraint: text("constraint") }
}

const classify = (error: SqlError.SqlError): Failure => {
  const { code, constraint, message } = causeOf(error)
  if (code === "SV001") {
    if (message === "head" || message === "version" || message === "key") return message
    return "no_balance_account"
  }
  if (error.reason._tag === "UniqueViolation") {
    // The ledger takes each cause once, too, and which of the two Postgres finds first is its choice.
    if (error.reason.constraint.includes("idempotency_key")) return "key"
    return error.reason.constraint.startsWith("financial_events") ? "head" : "version"
  }
  if (code === "23514" && constraint.startsWith("balance_")) return "balance"
  if (error.reason._tag === "DeadlockError" || error.reason._tag === "SerializationError" || error.reason._tag === "LockTimeoutError") return "retry"
  return "other"
}

const MAX_TRIES = 12

export class Committer extends Context.Service<Committer, {
  /**
   * Writes the commit, or nothing of it. Returns when it is durable. A database that cannot be
   * reached is a defect: whether the commit happened is then told by its idempotency key.
   */
  readonly commit: (commit: Commit) => Effect.Effect<void, CommitRefused>
}>()("@svc/kernel/Committer") {
  static readonly layer = Layer.effect(Committer, Effect.gen(function*() {
    const sql = yield* CommitClient
    const listener = yield* CommitListener
    const heads = new Map<string, Head>()
    const busy = new Set<string>()
    const queue: Array<Waiting> = []
    const drained = Latch.makeUnsafe(false)
    let underWay = 0

    const loadHeads = Effect.fnUntraced(function*(accounts: ReadonlyArray<string>, lock: boolean) {
      const rows = yield* sql.unsafe<Head & { readonly account_id: string }>(
        `SELECT account_id, ledger_seq, ledger_hash, event_seq FROM account_heads
         WHERE account_id = ANY($1::text[]) ORDER BY account_id${lock ? " FOR UPDATE" : ""}`,
        [`{${accounts.join(",")}}`]
      )
      if (heads.size > REMEMBERED_HEADS) heads.clear()
      for (const { account_id, ...head } of rows) heads.set(account_id, head)
    })

    const run = Effect.fnUntraced(function*(commits: ReadonlyArray<Commit>) {
      const batch = layOut(commits, heads)
      const { params, text } = commitStatement(batch)
      const rows = yield* sql.unsafe<{ readonly queued: number }>(text, params)
      for (const [account, { to }] of batch.heads) heads.set(account, to)
      const queued = rows[0]?.queued ?? 0
      if (queued > 0) listener(queued, Array.from(batch.heads.keys()))
    })

    const openBalances = Effect.fnUntraced(function*(commits: ReadonlyArray<Commit>) {
      for (const commit of commits) {
        for (const currency of new Set(commit.entries.map((entry) => entry.currency))) {
          yield* sql`INSERT INTO balance_accounts (account_id, currency, id, available, pending, reserved, updated_at)
            VALUES (${commit.account_id}, ${currency}, ${makeId("ba", commit.at.epochMilliseconds)}, 0, 0, 0, ${iso(commit.at)}::timestamptz)
            ON CONFLICT (account_id, currency) DO NOTHING`
        }
      }
    })

    /** One attempt: optimistic with the heads we remember, or with the heads locked. */
    const attempt = (commits: ReadonlyArray<Commit>, accounts: ReadonlyArray<string>, locked: boolean) =>
      locked
        ? sql.withTransaction(Effect.andThen(loadHeads(accounts, true), run(commits)))
        : Effect.andThen(
          accounts.every((account) => heads.has(account)) ? Effect.void : loadHeads(accounts, false),
          run(commits)
        )

    const write = Effect.fnUntraced(function*(commits: ReadonlyArray<Commit>): Effect.fn.Return<void, CommitRefused | SqlError.SqlError> {
      const accounts = Array.from(new Set(commits.map((commit) => commit.account_id))).sort()
      for (let tries = 1; ; tries++) {
        failPoint("commit.before")
        const result = yield* Effect.result(attempt(commits, accounts, tries > 2))
        if (Result.isSuccess(result)) return failPoint("commit.after")
        for (const account of accounts) heads.delete(account)
        const failure = classify(result.failure)
        if (failure === "version" || failure === "key" || failure === "balance") return yield* new CommitRefused({ reason: failure })
        if (failure === "no_balance_account") yield* openBalances(commits)
        if (failure === "other" || tries === MAX_TRIES) return yield* result.failure
      }
    })

    /** A refused batch is written again by halves, so that only the commit at fault is refused. */
    const flush: (waiting: ReadonlyArray<Waiting>) => Effect.Effect<void> = Effect.fnUntraced(function*(waiting) {
      const together = yield* Effect.result(write(waiting.map(({ commit }) => commit)))
      if (Result.isSuccess(together) || waiting.length === 1) {
        for (const { resume } of waiting) resume(Effect.fromResult(together))
        return
      }
      const half = Math.ceil(waiting.length / 2)
      yield* flush(waiting.slice(0, half))
      yield* flush(waiting.slice(half))
    })

    const take = (atMost: number): Array<Waiting> => {
      const batch: Array<Waiting> = []
      const perAccount = new Map<string, number>()
      const claimed = new Set<string>()
      for (let at = 0; batch.length < atMost;) {
        const waiting = queue[at]
        if (waiting === undefined) break
        const { account_id } = waiting.commit
        const already = perAccount.get(account_id) ?? 0
        if (busy.has(account_id) || already >= PER_ACCOUNT || waiting.claims.some((claim) => claimed.has(claim))) {
          at++
          continue
        }
        queue.splice(at, 1)
        perAccount.set(account_id, already + 1)
        for (const claim of waiting.claims) claimed.add(claim)
        batch.push(waiting)
      }
      return batch
    }

    const context = yield* Effect.context<never>()
    const runFork = Effect.runForkWith(context)
    /**
     * Those whose commits were just answered soon send the next, and this process works on them while the
     * database works on this batch. Taking half of both keeps the two equally busy; taking all lets a small
     * and a large batch take turns for ever, and one of the two wait each time.
     */
    const share = (answered: number): number =>
      answered === 0 ? PER_STATEMENT : Math.min(PER_STATEMENT, Math.ceil((queue.length + answered) / 2))

    const pump = (answered: number): void => {
      while (underWay < COMMITS_IN_FLIGHT) {
        const batch = take(share(answered))
        if (batch.length === 0) return
        const accounts = new Set(batch.map(({ commit }) => commit.account_id))
        for (const account of accounts) busy.add(account)
        underWay++
        const done = Effect.sync(() => {
          underWay--
          for (const account of accounts) busy.delete(account)
          pump(batch.length)
          if (underWay === 0 && queue.length === 0) drained.openUnsafe()
        })
        runFork(flush(batch).pipe(
          Effect.catchCause((cause) => Effect.sync(() => batch.forEach(({ resume }) => resume(Effect.failCause(cause))))),
          Effect.ensuring(done)
        ))
      }
    }

    // What is queued is written before the connections close.
    yield* Effect.addFinalizer(() => underWay === 0 && queue.length === 0 ? Effect.void : drained.await)

    return Committer.of({
      commit: (commit) =>
        Effect.callback<void, CommitRefused | SqlError.SqlError>((resume) => {
          queue.push({ commit, claims: claimsOf(commit), resume })
          drained.closeUnsafe()
          // Requests that arrive in the same turn of the event loop share the statement.
          setImmediate(pump, 0)
        }).pipe(Effect.catchTag("SqlError", Effect.die), Effect.uninterruptible)
    })
  }))
}
