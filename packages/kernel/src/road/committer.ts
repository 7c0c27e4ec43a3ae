/**
 * The only writer of money. Commits queue inside the process and go to the database together:
 * several accounts share a statement, one account has at most one statement under way, so its
 * chain head never races against itself. Another process may still move a head in between; then
 * the batch aborts as a whole, the heads are read again, and after that locked.
 *
 * A batch whose conditions do not all hold is refused as a whole, too, and tells what the rows held.
 * From that follows in memory who would have been refused had each been written alone, in order. The others
 * are written at once, under the very heads that the first try found: if they are, nothing has changed
 * in between, and the rest were refused rightly. If they are not, the batch is written again by halves, and in
 * the end one by one, where the statement itself is the judge.
 */
import { Context, Effect, Latch, Layer, Result } from "effect"
import { CommitClient, COMMITS_IN_FLIGHT } from "../database/client.ts"
import { Actor, isPerson, originIn } from "../parts/actor.ts"
import { Reference } from "../values/reference.ts"
import { type Commit, replacedVersion } from "./decision.ts"
import { CommitRefused } from "./failure.ts"
import { followed, FollowUps } from "./follow-ups.ts"
import { Precedence } from "./precedence.ts"
import { Journal, Outbox } from "./sink.ts"
import { refusalOf, type UnmetFloor } from "./tally.ts"
import { makeWriter } from "./writer.ts"

export { CommitRefused }

/** At most this many decisions of one account, and of all accounts, share a statement. */
const PER_ACCOUNT = 16
const PER_STATEMENT = 64

/** Whether nobody waits for the answer, as with timers: see `place` below. */
export class InBackground extends Reference<boolean>("@svc/kernel/InBackground", { defaultValue: () => false }) {}

/** Whether a timer is at work, whose commits are the scheduler's, and no request. */
export class Scheduled extends Reference<boolean>("@svc/kernel/Scheduled", { defaultValue: () => false }) {}

interface Waiting {
  readonly inBackground: boolean
  readonly commit: Commit<unknown>
  readonly claims: ReadonlyArray<string>
  readonly resume: (effect: Effect.Effect<void, CommitRefused>) => void
  /** Fails with what the unmet condition of the commit says. */
  readonly refuse: (unmet: UnmetFloor) => void
}

const claimsOf = (commit: Commit<unknown>): ReadonlyArray<string> => {
  const claims = commit.writes.map(({ row }) => row.id)
  for (const { row_id } of commit.numbered ?? []) claims.push(row_id)
  if (commit.key !== undefined) claims.push(`key ${commit.key.key}`)
  return claims
}

/** Says who makes the commit, where somebody will ask: of people always, of others where they write an audited table. */
const signed = <R>(commit: Commit<R>, context: Context.Context<never>): Commit<R> =>
  isPerson(Context.get(context, Actor)) || commit.writes.some(({ table }) => table.audited === true)
    ? { ...commit, actor: originIn(context, commit.cause) }
    : commit

/** Takes the commits of the next statement off the queue: in their order, and none of an account whose head another statement moves. */
const takeBatch = (queue: Array<Waiting>, busy: ReadonlySet<string>, atMost: number): Array<Waiting> => {
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

export class Committer extends Context.Service<Committer, {
  /**
   * Writes the commit and what its followers add, or nothing of it. Returns when it is durable. Fails with the
   * refusal of a condition that does not hold, or of a follower. A database that cannot be
   * reached is a defect: whether the commit happened is then told by its idempotency key.
   */
  readonly commit: <R = never>(commit: Commit<R>) => Effect.Effect<void, CommitRefused | R>
}>()("@svc/kernel/Committer") {
  static readonly layer = Layer.effect(
    Committer,
    Effect.gen(function*() {
      const followUps = yield* FollowUps
      const precedence = yield* Precedence
      const { write, writeMet } = makeWriter(yield* CommitClient, [yield* Journal, yield* Outbox])
      const busy = new Set<string>()
      const queue: Array<Waiting> = []
      const drained = Latch.makeUnsafe(false)
      let underWay = 0

      /**
       * These are durable. Who still waits to replace an earlier version of one of their rows decided on what the row was before, and
       * would be refused: told so here, it does not take a whole batch down with it that then has to be written by halves.
       */
      const answerWritten = (done: ReadonlyArray<Waiting>): void => {
        const writes = new Map(done.flatMap(({ commit }) => commit.writes.map((write) => [write.row.id, write] as const)))
        const isLate = ({ commit }: Waiting) =>
          commit.writes.some((write) => {
            const durable = writes.get(write.row.id)
            return durable?.table === write.table && replacedVersion(write) < durable.row.version
          })
        for (const waiting of queue.filter(isLate)) {
          queue.splice(queue.indexOf(waiting), 1)
          waiting.resume(Effect.fail(new CommitRefused({ reason: "version" })))
        }
        for (const { resume } of done) resume(Effect.void)
      }

      /** A refused batch is written again by halves, so that only the commit at fault is refused. */
      const flush: (waiting: ReadonlyArray<Waiting>) => Effect.Effect<void> = Effect.fnUntraced(function*(waiting) {
        const together = yield* Effect.result(write(waiting.map(({ commit }) => commit)))
        if (Result.isSuccess(together)) return answerWritten(waiting)
        const failure = together.failure
        if (failure._tag === "Judged") {
          const met = waiting.filter((_, n) => failure.unmet[n] === undefined)
          if (yield* writeMet(met.map(({ commit }) => commit))) {
            for (const [n, { refuse }] of waiting.entries()) {
              const unmet = failure.unmet[n]
              if (unmet !== undefined) refuse(unmet)
            }
            return answerWritten(met)
          }
        } else if (waiting.length === 1) {
          for (const { resume } of waiting) resume(failure._tag === "Broken" ? Effect.die(failure.error) : Effect.fail(failure))
          return
        }
        const half = Math.ceil(waiting.length / 2)
        yield* flush(waiting.slice(0, half))
        yield* flush(waiting.slice(half))
      })

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
          const batch = takeBatch(queue, busy, share(answered))
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
          runFork(
            flush(batch).pipe(
              Effect.catchCause((cause) => Effect.sync(() => batch.forEach(({ resume }) => resume(Effect.failCause(cause))))),
              Effect.ensuring(done)
            )
          )
        }
      }

      // What is queued is written before the connections close.
      yield* Effect.addFinalizer(() => underWay === 0 && queue.length === 0 ? Effect.void : drained.await)

      /** What somebody waits for is every second of the queue: it is written soon, and does not keep back for ever what nobody waits for. */
      const place = (inBackground: boolean): number =>
        inBackground ? queue.length : Math.min(queue.length, 2 * queue.filter((one) => !one.inBackground).length)

      const enqueue = <R>(unsigned: Commit<R>) =>
        Effect.uninterruptible(Effect.withFiber<void, CommitRefused | R>(({ context }) => {
          const commit = signed(unsigned, context)
          const inBackground = Context.get(context, InBackground)
          return Effect.callback<void, CommitRefused | R>((resumeFiber) => {
            let isAwaited = !inBackground
            if (isAwaited) precedence.begin()
            // A batch that fails after some of it was answered answers all of it once more.
            const resume = (effect: Effect.Effect<void, CommitRefused | R>) => {
              if (isAwaited) precedence.end()
              isAwaited = false
              resumeFiber(effect)
            }
            // What the refusal says is made by the caller's own code, and in its own fiber.
            const refuse = (unmet: UnmetFloor) =>
              resume(Effect.suspend(() => Effect.fail(refusalOf(commit, unmet) ?? new CommitRefused({ reason: "below_zero" }))))
            queue.splice(place(inBackground), 0, { commit, claims: claimsOf(commit), inBackground, resume, refuse })
            drained.closeUnsafe()
            // Requests that arrive in the same turn of the event loop share the statement.
            setImmediate(pump, 0)
          })
        }))

      /** Says whether the scheduler makes the commit, where its events would tell. */
      const marked = <R>(commit: Commit<R>) =>
        commit.numbered === undefined && !commit.events.some(({ hints }) => hints !== undefined)
          ? enqueue(commit)
          : Effect.flatMap(Scheduled, (scheduled) => enqueue(scheduled ? { ...commit, scheduled } : commit))

      return Committer.of({
        commit: (commit) =>
          commit.moments === undefined || followUps.all().length === 0
            ? marked(commit)
            : Effect.flatMap(followed(commit, followUps.all()), marked)
      })
    })
  ).pipe(Layer.provideMerge(FollowUps.layer))
}
