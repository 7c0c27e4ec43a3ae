import { assert, layer } from "@effect/vitest"
import { Accounts } from "@svc/accounts/accounts/service"
import { runDue } from "@svc/kernel/timers/timers"
import { IdempotencyKey } from "@svc/kernel/values/idempotency-key"
import { nextId } from "@svc/kernel/values/ids"
import { parseJson } from "@svc/kernel/values/json"
import { now } from "@svc/kernel/values/time"
import { services } from "@svc/testkit/services"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { type PortalSession, portalSessionStatuses } from "./model.ts"
import { PortalSessions } from "./service.ts"

const openAccount = Effect.gen(function*() {
  return (yield* (yield* Accounts).create({ name: "Acme", sandbox: true })).account
})

const openSession = Effect.fnUntraced(
  function*(account: { readonly id: string }, customer_id = "customer-1"): Effect.fn.Return<PortalSession, unknown, PortalSessions> {
    const sessions = yield* PortalSessions
    const { body } = yield* sessions.create(account, { customer_id })
    return yield* sessions.get(account.id, String((parseJson(body) as { readonly id: unknown }).id))
  }
)

const eventsOf = Effect.fnUntraced(function*(id: string) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<
    { readonly type: string; readonly data: string }
  >`SELECT type, data::text AS data FROM events WHERE resource_id = ${id} ORDER BY seq`
})

const addressOf = ({ url }: PortalSession) => {
  const [secret = "", id = ""] = url.split("/").toReversed()
  return { id, secret }
}

const after = (duration: Parameters<typeof TestClock.adjust>[0]) =>
  Effect.andThen(TestClock.adjust(duration), Effect.flatMap(now, (at) => runDue(at)))

layer(services, { timeout: 60_000 })("portal sessions", (it) => {
  it.effect("are found by their address, and by nothing near it", () =>
    Effect.gen(function*() {
      const sessions = yield* PortalSessions
      const account = yield* openAccount
      const session = yield* openSession(account)
      const other = yield* openSession(account)
      const { id, secret } = addressOf(session)
      assert.strictEqual((yield* sessions.at(id, secret)).id, session.id)
      assert.match(secret, /^[0-9A-Za-z]{32}$/u)
      const nothing = yield* Effect.flip(sessions.at("cps_01KAAAAAAAAAAAAAAAAAAAAAAA", secret))
      for (
        const [one, given] of [[id, addressOf(other).secret], [id, ""], [id, `${secret} `], [id, "\u{1f600}".repeat(8)], [
          "nonsense\u0000",
          secret
        ]] as const
      ) {
        assert.deepEqual(yield* Effect.flip(sessions.at(one, given)), nothing)
      }
    }))

  it.effect("expire after an hour and say so once, without telling the address", () =>
    Effect.gen(function*() {
      const sessions = yield* PortalSessions
      const account = yield* openAccount
      const session = yield* openSession(account)
      yield* after("59 minutes")
      assert.strictEqual((yield* sessions.get(account.id, session.id)).status, "active")
      yield* after("1 minutes")
      yield* after("1 minutes")
      assert.strictEqual((yield* sessions.get(account.id, session.id)).status, "expired")
      const events = yield* eventsOf(session.id)
      assert.deepEqual(events.map(({ type }) => type), ["customer_portal.session.created", "customer_portal.session.expired"])
      for (const { data } of events) assert.notInclude(data, addressOf(session).secret)
      assert.strictEqual((yield* Effect.flip(sessions.revoke(account.id, session.id)))._tag, "InvalidState")
    }))

  it.effect("are revoked by their own account alone, and do not expire then", () =>
    Effect.gen(function*() {
      const sessions = yield* PortalSessions
      const account = yield* openAccount
      const stranger = yield* openAccount
      const session = yield* openSession(account)
      assert.strictEqual((yield* Effect.flip(sessions.revoke(stranger.id, session.id)))._tag, "NotFound")
      assert.strictEqual((yield* Effect.flip(sessions.revoke(account.id, session.id, 7)))._tag, "VersionConflict")
      assert.strictEqual((yield* sessions.revoke(account.id, session.id, 1)).status, "revoked")
      yield* after("2 hours")
      assert.deepEqual((yield* eventsOf(session.id)).map(({ type }) => type), [
        "customer_portal.session.created",
        "customer_portal.session.revoked"
      ])
    }))

  it.effect("are one for a key that is sent again", () =>
    Effect.gen(function*() {
      const sessions = yield* PortalSessions
      const account = yield* openAccount
      const keyed = { key: IdempotencyKey.make(yield* nextId("req")), operation: "portal_session.create", fingerprint: "0".repeat(64) }
      const first = yield* sessions.create(account, { customer_id: "customer-1" }, keyed)
      const again = yield* sessions.create(account, { customer_id: "customer-1" }, keyed)
      assert.deepEqual([first.status, again.status, again.body], [201, 200, first.body])
      assert.strictEqual((yield* sessions.list(account.id, {}, { page: 1, per_page: 10 })).data.length, 1)
    }))

  it.effect("are listed by customer and by status", () =>
    Effect.gen(function*() {
      const sessions = yield* PortalSessions
      const account = yield* openAccount
      const one = yield* openSession(account, "ana")
      const other = yield* openSession(account, "bo")
      yield* sessions.revoke(account.id, other.id)
      const listed = (filter: Parameters<typeof sessions.list>[1]) =>
        Effect.map(sessions.list(account.id, filter, { page: 1, per_page: 10 }), ({ data }) => data.map(({ id }) => id))
      assert.deepEqual(yield* listed({}), [other.id, one.id])
      assert.deepEqual(yield* listed({ customer_id: "ana" }), [one.id])
      assert.deepEqual(yield* Effect.forEach(portalSessionStatuses, (status) => listed({ status })), [[one.id], [], [other.id]])
    }))
})
