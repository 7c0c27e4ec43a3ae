/** Accounts with a clock of their own and with timers, for the tests of this folder. */
import { Effect, Ref } from "effect"
import { SqlClient } from "effect/sql"
import type { TimerHandler } from "../parts/part.ts"
import { openAccount } from "../road/account-fixture.ts"
import { Committer } from "../road/committer.ts"
import type { TimerDraft, TimerKey } from "../road/decision.ts"
import { at } from "../timers/timer-fixture.ts"
import { makeId } from "../values/ids.ts"
import { iso, now } from "../values/time.ts"
import { clockRows } from "./rows.ts"

/** Gives an account a clock that stands at a second. */
export const give = Effect.fnUntraced(function*(account_id: string, second = 0) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* clockRows
  yield* sql.withTransaction(rows.give({ account_id, id: makeId("clock", 0), present: iso(at(second)) }))
})

/** An account that has a clock. */
export const clocked = Effect.tap(openAccount, (account) => give(account))

/** Sends the clock of an account to a second. */
export const send = Effect.fnUntraced(function*(account: string, second: number) {
  return yield* (yield* clockRows).setOut(account, second * 1000)
})

/** Where a clock stands and where it is on its way to, in seconds, and whether anybody has it. */
export const standing = Effect.fnUntraced(function*(account: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly present: string; readonly advance_to: string | null; readonly lease_token: string | null }>`
    SELECT present, advance_to, lease_token FROM account_clocks WHERE account_id = ${account}`
  return row === undefined ? undefined : {
    present: Date.parse(row.present) / 1000,
    to: row.advance_to === null ? null : Date.parse(row.advance_to) / 1000,
    taken: row.lease_token !== null
  }
})

/** Sets and clears timers as decisions do. Handlers that use it need nothing else. */
export const commits = Effect.map(
  Committer,
  (committer) =>
    Effect.fnUntraced(
      function*(account_id: string, timers: { readonly set?: ReadonlyArray<TimerDraft>; readonly clear?: ReadonlyArray<TimerKey> }) {
        yield* committer.commit({
          account_id,
          at: yield* now,
          cause: "test",
          writes: [],
          entries: [],
          events: [],
          set: timers.set ?? [],
          clear: timers.clear ?? []
        })
      }
    )
)

/** A timer of an account that is due at a second. */
export const setTimer = Effect.fnUntraced(function*(account: string, kind: string, resource_id: string, second: number) {
  yield* (yield* commits)(account, { set: [{ kind, resource_id, due_at: at(second) }] })
})

/** Records what ran, and the second of the account at which it ran. */
export const recorder = Effect.gen(function*() {
  const ran = yield* Ref.make<ReadonlyArray<readonly [resource: string, second: number]>>([])
  const handler: TimerHandler = (_account, resource) =>
    Effect.flatMap(now, ({ epochMilliseconds }) => Ref.update(ran, (all) => [...all, [resource, epochMilliseconds / 1000] as const]))
  return { handler, ran: Ref.get(ran) }
})
