import { assert, layer } from "@effect/vitest"
import { services } from "@svc/testkit/services"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Accounts } from "../accounts/service.ts"
import { joined, signedIn, signedInAs } from "../people/people.fixture.ts"
import { People } from "../people/service.ts"
import { LastSignOut, Sessions } from "./service.ts"

const open = Effect.gen(function*() {
  return (yield* (yield* Accounts).create({ name: "Acme", sandbox: true })).account.id
})

layer(services)("a session", (it) => {
  it.effect("ends after thirty idle minutes, and after twelve hours whatever is asked", () =>
    Effect.gen(function*() {
      const { find } = yield* Sessions
      const [idle, busy] = [yield* signedIn(yield* open, "viewer"), yield* signedIn(yield* open, "viewer")]
      let minutes = 0
      while ((yield* find(busy.secret)) !== undefined && minutes < 24 * 60) {
        yield* TestClock.adjust("20 minutes")
        minutes += 20
        if (minutes === 40) assert.isUndefined(yield* find(idle.secret))
      }
      assert.strictEqual(minutes, 12 * 60)
    }))

  it.effect("writes that it is used once a minute, and is gone from the table a day later", () =>
    Effect.gen(function*() {
      const [{ find }, sql] = [yield* Sessions, yield* SqlClient.SqlClient]
      const account = yield* open
      const { secret, session } = yield* signedIn(account, "viewer")
      const written = sql`SELECT xmin::text AS at FROM sessions WHERE id = ${session.person.session_id}`
      const begun = yield* written
      yield* TestClock.adjust("59 seconds")
      yield* find(secret)
      assert.deepStrictEqual(yield* written, begun)
      yield* TestClock.adjust("1 second")
      yield* find(secret)
      assert.notDeepEqual(yield* written, begun)
      yield* TestClock.adjust("25 hours")
      yield* signedIn(account, "viewer")
      assert.deepStrictEqual(yield* written, [])
    }))

  it.effect("has another secret when the person proves anew who they are, and when they move: one that was planted opens nothing", () =>
    Effect.gen(function*() {
      const sessions = yield* Sessions
      const people = yield* People
      const [one, other, foreign] = [yield* open, yield* open, yield* open]
      const { id, secret, session } = yield* signedIn(one, "owner")
      const { secret: link } = yield* people.invite({ account_id: other, role: "viewer", email: null })
      yield* people.joinAs(Redacted.value(link), id)
      yield* TestClock.adjust("10 minutes")
      const confirmed = Redacted.value(yield* sessions.confirm(session))
      assert.isUndefined(yield* sessions.find(secret))
      const again = yield* sessions.find(confirmed)
      assert.strictEqual((again?.person.confirmed_at ?? 0) - session.person.confirmed_at, 600_000)

      assert.strictEqual((yield* Effect.flip(sessions.moveTo(session, foreign)))._tag, "NotFound")
      assert.isDefined(yield* sessions.find(confirmed), "a move that is refused leaves the session as it was")
      const moved = yield* sessions.moveTo(session, other)
      assert.isUndefined(yield* sessions.find(confirmed))
      const there = yield* sessions.find(Redacted.value(moved.secret))
      assert.deepStrictEqual([there?.person.account?.id, there?.person.role], [other, "viewer"])
      assert.deepStrictEqual((yield* sessions.memberships(id)).map(({ role }) => role).sort(), ["owner", "viewer"])
    }))

  it.effect("is seen and revoked by its person and by owners, at once, and by nobody else", () =>
    Effect.gen(function*() {
      const sessions = yield* Sessions
      const account = yield* open
      const [mine, theirs] = [yield* signedIn(account, "support"), yield* signedIn(account, "finance")]
      const [all, own] = [{ account_id: account }, { account_id: account, person_id: mine.id }]
      const ids = (whose: typeof all) => Effect.map(sessions.list(whose, { per_page: 20 }), ({ data }) => data.map(({ id }) => String(id)))
      assert.deepStrictEqual(yield* ids(all), [theirs.session.person.session_id, mine.session.person.session_id])
      assert.deepStrictEqual(yield* ids(own), [mine.session.person.session_id])
      assert.strictEqual((yield* Effect.flip(sessions.revoke(own, theirs.session.person.session_id)))._tag, "NotFound")
      yield* sessions.revoke(all, theirs.session.person.session_id)
      assert.isUndefined(yield* sessions.find(theirs.secret))
      const [entry] = yield* (yield* SqlClient.SqlClient)`SELECT before FROM audit_log WHERE action = 'person_session.deleted'
        AND resource_id = ${theirs.session.person.session_id}`
      assert.include(JSON.stringify(entry), theirs.id)
      assert.notInclude(JSON.stringify(entry), theirs.secret)
    }))

  it.effect("tells whoever follows when the last person signs out, once, also where two do so at once; nothing else does", () =>
    Effect.scoped(Effect.gen(function*() {
      const sessions = yield* Sessions
      const told: Array<string> = []
      yield* (yield* LastSignOut).add([(account) => Effect.sync(() => void told.push(account))])
      const account = yield* open
      const user = yield* joined(account, "viewer")
      const revoked = yield* signedInAs(user, account)
      yield* sessions.revoke({ account_id: account }, revoked.session.person.session_id)
      yield* signedInAs(user, account)
      yield* TestClock.adjust("31 minutes")
      assert.deepStrictEqual(told, [])
      for (let round = 0; round < 5; round++) {
        const [one, other] = [yield* signedInAs(user, account), yield* signedIn(account, "owner")]
        yield* Effect.all([sessions.signOut(one.session), sessions.signOut(other.session)], { concurrency: 2 })
        assert.strictEqual(told.length, round + 1)
        assert.isUndefined(yield* sessions.find(one.secret))
        yield* sessions.signOut(one.session)
      }
      assert.deepStrictEqual(new Set(told), new Set([account]))
    })))
})
