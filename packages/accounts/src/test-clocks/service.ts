/** What can be done with an account's test clock. The kernel keeps it and moves it; here is who may, and what is told. */
import { ClockWake } from "@svc/kernel/clocks/account-time"
import { type AccountClock, clockRows } from "@svc/kernel/clocks/rows"
import { withActor } from "@svc/kernel/parts/actor"
import { Forbidden, InvalidState, type NotFound, notFound, type ValidationError } from "@svc/kernel/resource/errors"
import { checkPage, offsetOf, type Page, type PageRequest, paginate } from "@svc/kernel/resource/pages"
import { nextId } from "@svc/kernel/values/ids"
import { iso, now, realNow } from "@svc/kernel/values/time"
import { Context, DateTime, Effect, Latch, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { AccountFacts } from "../access/model.ts"
import { AccountId } from "../accounts/model.ts"
import { KnownKeys } from "../api-keys/known-keys.ts"
import { ApiKeyRepository } from "../api-keys/repository.ts"
import { type TestClock, TestClockId } from "./model.ts"
import { mayAdvance, mayRemove } from "./rules.ts"

/** An advance is answered by then, finished or not: the listener gives a request up a little later. */
const PATIENCE = "20 seconds"
/** Finds that the clock has arrived when another process moved it. */
const POLL = "100 millis"

/** By then the statements have ended that were under way when a clock was removed: those of a commit take 15 seconds at most. */
const LAST_COMMIT = "20 seconds"

const shown = ({ advance_to, created_at, id, present, stopped }: AccountClock, due: string | null): TestClock => ({
  id: TestClockId.make(id),
  now: DateTime.makeUnsafe(present),
  status: advance_to === null ? "ready" : "advancing",
  next_due_at: due === null ? null : DateTime.makeUnsafe(due),
  created_at: DateTime.makeUnsafe(created_at),
  // Told once it has ended.
  stopped: stopped === null || advance_to !== null ? null : { reason: stopped.reason, to: DateTime.makeUnsafe(stopped.to) }
})

const live = new Forbidden({
  message: "This account is live, and its time is that of the world. Only sandbox accounts have a test clock: use a key of one, sk_test_…"
})

const underWay = (to: string) =>
  new InvalidState({
    message: `The clock is on its way to ${to}. Read it until its status is ready, or cancel that advance, then advance it further.`,
    details: { state: "advancing", allowed: [], advancing_to: to }
  })

export interface GivenClock {
  readonly clock: TestClock
  /** Whether this gave it; else the account had it. */
  readonly created: boolean
}

export class TestClocks extends Context.Service<TestClocks, {
  /** Gives the account its clock, at the present moment; or says which one it has. From then on all processes know of it. */
  readonly create: (account: Pick<AccountFacts, "id" | "sandbox">) => Effect.Effect<GivenClock, Forbidden>
  readonly get: (account: string, id: TestClockId) => Effect.Effect<TestClock, NotFound>
  /** The account's test clock, or nothing. */
  readonly list: (account: string, page: PageRequest) => Effect.Effect<Page<TestClock>, ValidationError>
  /**
   * Sends the clock to a moment and waits until it is there, or for 20 seconds: then it is still on its way. Nobody has to wait: some
   * process moves it on, whatever becomes of the caller. `InvalidState` while it is under way, `ValidationError` for an earlier moment or
   * one too far.
   */
  readonly advance: (
    account: string,
    id: TestClockId,
    to: DateTime.Utc
  ) => Effect.Effect<TestClock, NotFound | InvalidState | ValidationError>
  /** Ends the advance that is under way at the moment that it has reached, and waits until the clock stands still, or for 20 seconds. */
  readonly cancel: (account: string, id: TestClockId) => Effect.Effect<TestClock, NotFound>
  /**
   * Gives the account back to the world's time. `InvalidState` while something depends on the clock. From then on all processes know of it.
   */
  readonly remove: (account: string, id: TestClockId) => Effect.Effect<void, NotFound | InvalidState>
}>()("@svc/accounts/TestClocks") {
  static readonly layer = Layer.effect(
    TestClocks,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* clockRows
      const keys = yield* ApiKeyRepository
      const knownKeys = yield* KnownKeys
      const wakeUp = yield* ClockWake
      const scope = yield* Effect.scope

      const stored = Effect.fnUntraced(function*(account: string, id: TestClockId) {
        const clock = yield* Effect.orDie(rows.find(account))
        return clock?.id === id ? clock : yield* notFound("test clock")
      })

      /** The clock with what falls due next. */
      const told = (clock: AccountClock) => Effect.map(Effect.orDie(rows.nextDue(clock.account_id)), (due) => shown(clock, due))

      const create = Effect.fn("TestClocks.create")(function*({ id: account, sandbox }: Pick<AccountFacts, "id" | "sandbox">) {
        if (!sandbox) return yield* live
        const at = iso(yield* now)
        const clock = { account_id: account, id: yield* nextId("clock"), present: at }
        const announcedKeys = yield* withActor(sql)(Effect.gen(function*() {
          return (yield* rows.give(clock)) ? yield* keys.announce(AccountId.make(account)) : undefined
        })).pipe(Effect.orDie)
        if (announcedKeys !== undefined) {
          yield* knownKeys.forget(announcedKeys)
          wakeUp.wake(account)
          return { clock: yield* told({ ...clock, advance_to: null, created_at: at, done: 0, stopped: null }), created: true }
        }
        const existing = yield* Effect.orDie(rows.find(account))
        return existing === undefined
          ? yield* Effect.die(`the clock of ${account} is gone`)
          : { clock: yield* told(existing), created: false }
      })

      /** Waits until the clock stands still, as long as anybody has the patience. */
      const arrival = (account: string, id: TestClockId) =>
        Effect.acquireUseRelease(
          Effect.sync(() => {
            const news = Latch.makeUnsafe(false)
            return { news, unsubscribe: wakeUp.subscribe((about) => void (about === account && news.openUnsafe())) }
          }),
          ({ news }) =>
            Effect.gen(function*() {
              wakeUp.wake(account)
              while (true) {
                news.closeUnsafe()
                if ((yield* stored(account, id)).advance_to === null) return
                yield* Effect.timeoutOption(news.await, POLL)
              }
            }),
          ({ unsubscribe }) => Effect.sync(unsubscribe)
        ).pipe(Effect.timeoutOption(PATIENCE))

      const advance = Effect.fn("TestClocks.advance")(function*(account: string, id: TestClockId, to: DateTime.Utc) {
        let sent = false
        // Again when it arrives between the two looks.
        while (!sent) {
          const { advance_to, present } = yield* stored(account, id)
          if (advance_to !== null) return yield* underWay(advance_to)
          yield* Effect.fromResult(mayAdvance(DateTime.makeUnsafe(present), to))
          sent = (yield* Effect.orDie(rows.setOut(account, to.epochMilliseconds))) !== undefined
        }
        yield* arrival(account, id)
        return yield* told(yield* stored(account, id))
      })

      const cancel = Effect.fn("TestClocks.cancel")(function*(account: string, id: TestClockId) {
        yield* stored(account, id)
        if (yield* Effect.orDie(rows.stop(account, "cancelled"))) yield* arrival(account, id)
        return yield* told(yield* stored(account, id))
      })

      /** The clock of an account and its keys. A commit that was under way may have left a timer to the clock: see {@link LAST_COMMIT}. */
      const removeRow = (account: string, id: TestClockId) =>
        withActor(sql)(Effect.gen(function*() {
          return (yield* rows.remove(account, id)) ? yield* keys.announce(AccountId.make(account)) : undefined
        })).pipe(Effect.orDie)

      const remove = Effect.fn("TestClocks.remove")(function*(account: string, id: TestClockId) {
        let hashes: ReadonlyArray<string> | undefined
        // Again when something changed between the look and the removal, such as a timer that somebody set.
        while (hashes === undefined) {
          const { advance_to, present } = yield* stored(account, id)
          const [waiting, used] = yield* Effect.orDie(Effect.all([rows.waiting(account), rows.used(account)]))
          const advancing_to = advance_to === null ? null : DateTime.makeUnsafe(advance_to)
          yield* Effect.fromResult(mayRemove({ present: DateTime.makeUnsafe(present), advancing_to, waiting, used, world: yield* realNow }))
          hashes = yield* removeRow(account, id)
          if (hashes === undefined) yield* Effect.sleep(POLL)
        }
        yield* knownKeys.forget(hashes)
        yield* Effect.forkIn(Effect.delay(Effect.orDie(rows.letGo(account)), LAST_COMMIT), scope)
      })

      return TestClocks.of({
        create,
        get: Effect.fn("TestClocks.get")((account: string, id: TestClockId) => Effect.flatMap(stored(account, id), told)),
        list: Effect.fn("TestClocks.list")(function*(account: string, page: PageRequest) {
          const request = yield* Effect.fromResult(checkPage(page))
          const clock = yield* Effect.orDie(rows.find(account))
          const all = clock === undefined ? [] : [yield* told(clock)]
          const inside = all.filter(({ id }) =>
            (request.after === undefined || id < request.after) && (request.before === undefined || id > request.before)
          )
          return paginate(request, inside.slice(offsetOf(request)), all.length)
        }),
        advance,
        cancel,
        remove
      })
    })
  ).pipe(Layer.provide(ApiKeyRepository.layer))
}
