import { assert, layer } from "@effect/vitest"
import { Agendas } from "@svc/kernel/clocks/agenda"
import { ClockWorker } from "@svc/kernel/clocks/worker"
import * as Database from "@svc/kernel/database/client"
import type { TimerHandler } from "@svc/kernel/parts/part"
import { PaginatedList } from "@svc/kernel/resource/pages"
import { TimerHandlers } from "@svc/kernel/timers/timers"
import { makeId, timeOf } from "@svc/kernel/values/ids"
import { layerDatabase } from "@svc/testkit/database"
import { until } from "@svc/testkit/until"
import { Context, DateTime, Deferred, Effect, Fiber, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { AccountJson } from "../accounts/model.ts"
import { Accounts } from "../accounts/service.ts"
import { ApiKeyIssued } from "../api-keys/model.ts"
import { ApiKeys } from "../api-keys/service.ts"
import { Client, layer as layerApi, open, operator, readError, reads, seen, type TestRequest } from "../fixture.ts"
import { TestClock as TestClockJson } from "./model.ts"

const services = layerApi.pipe(Layer.provideMerge(Database.layer), Layer.provideMerge(layerDatabase))

const readClock = reads(TestClockJson)
const readClocks = reads(PaginatedList(TestClockJson, "TestClockList"))
const readAccount = reads(AccountJson)
const readKey = reads(ApiKeyIssued)

/** The timers of these tests. */
const KIND = "test.timer"
const setTimer = Effect.fnUntraced(function*(account: string, resource: string, second: number) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`INSERT INTO timers (account_id, kind, resource_id, due_at, attempts, held)
    VALUES (${account}, ${KIND}, ${resource}, to_timestamp(${second}), 0, EXISTS (SELECT 1 FROM account_clocks WHERE account_id = ${account}))`
})

/** This process moves clocks until the scope closes. */
const moving = (handler: TimerHandler = () => Effect.void) =>
  Layer.build(
    Layer.fresh(
      ClockWorker.layer.pipe(Layer.provide(Agendas.layer), Layer.provide(Layer.succeed(TimerHandlers, new Map([[KIND, handler]]))))
    )
  )

const at = (seconds: number) => DateTime.formatIso(DateTime.makeUnsafe(seconds * 1000))
const seconds = (moment: DateTime.Utc) => moment.epochMilliseconds / 1000

/** A sandbox account and what it sends. */
const merchant = Effect.gen(function*() {
  const { send } = yield* Client
  const { account, key: { secret } } = yield* open
  return {
    account: account.id,
    secret,
    send: (method: string, path: string, asked: TestRequest = {}) => send(method, `/v1${path}`, { key: secret, ...asked })
  }
})

/** One that has its clock; `advance` sends it to a second. */
const clocked = Effect.gen(function*() {
  const known = yield* merchant
  const { id } = readClock(yield* known.send("POST", "/test_clocks"))
  return { ...known, id, advance: (second: number) => known.send("POST", `/test_clocks/${id}/advance`, { body: { to: at(second) } }) }
})

layer(services)("a test clock", (it) => {
  it.effect("begins at the present moment, and there is one an account", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(50_000)
      const { send } = yield* merchant
      assert.deepStrictEqual(readClocks(yield* send("GET", "/test_clocks")).data, [])
      const made = yield* send("POST", "/test_clocks")
      assert.strictEqual(made.status, 201)
      const clock = readClock(made)
      assert.match(clock.id, /^clock_[0-9A-Z]{26}$/)
      assert.deepStrictEqual([seconds(clock.now), clock.status, seconds(clock.created_at), timeOf(clock.id)], [50, "ready", 50, 50_000])
      yield* TestClock.setTime(90_000)
      const again = yield* send("POST", "/test_clocks")
      assert.deepStrictEqual([again.status, again.text], [200, made.text])
      assert.strictEqual((yield* send("GET", `/test_clocks/${clock.id}`)).text, made.text)
      const list = readClocks(yield* send("GET", "/test_clocks"))
      assert.deepStrictEqual([list.data, list.total, list.has_more], [[clock], 1, false])
      for (const query of [`after=${clock.id}`, `before=${clock.id}`, "page=2"]) {
        assert.deepStrictEqual(readClocks(yield* send("GET", `/test_clocks?${query}`)).data, [], query)
      }
    }))

  it.effect("is made once by many who ask at once", () =>
    Effect.gen(function*() {
      const { send } = yield* merchant
      const answers = yield* Effect.all(Array.from({ length: 12 }, () => send("POST", "/test_clocks")), { concurrency: "unbounded" })
      assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [...Array.from({ length: 11 }, () => 200), 201])
      assert.strictEqual(new Set(answers.map((answer) => readClock(answer).id)).size, 1)
    }))

  it.effect("is not for live accounts", () =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const { key } = yield* (yield* Accounts).create({ name: "Acme", sandbox: false })
      const refused = yield* send("POST", "/v1/test_clocks", { key: key.secret })
      assert.strictEqual(refused.status, 403)
      assert.include(readError(refused).message, "Only sandbox accounts have a test clock")
      assert.deepStrictEqual(readClocks(yield* send("GET", "/v1/test_clocks", { key: key.secret })).data, [])
    }))

  it.effect("of another account answers byte for byte as one that does not exist", () =>
    Effect.gen(function*() {
      const [mine, theirs] = [yield* clocked, yield* clocked]
      const there = (yield* theirs.send("GET", `/test_clocks/${theirs.id}`)).text
      for (const [method, path, asked] of [["GET", "", {}], ["POST", "/advance", { body: { to: at(99) } }]] as const) {
        const ask = (id: string) => Effect.map(mine.send(method, `/test_clocks/${id}${path}`, asked), seen)
        const unknown = yield* ask(makeId("clock", 0))
        assert.strictEqual(unknown.status, 404)
        assert.deepStrictEqual(yield* ask(theirs.id), unknown)
      }
      assert.strictEqual((yield* theirs.send("GET", `/test_clocks/${theirs.id}`)).text, there)
    }))

  it.effect("only moves forward, by steps that a clock can take", () =>
    Effect.gen(function*() {
      yield* moving()
      const { advance, id, send } = yield* clocked
      const there = yield* advance(1_000)
      assert.deepStrictEqual([there.status, seconds(readClock(there).now), readClock(there).status], [200, 1_000, "ready"])
      assert.strictEqual((yield* advance(1_000)).text, there.text, "where it stands already")
      const back = yield* advance(999)
      assert.deepStrictEqual([back.status, readError(back).code], [400, "to"])
      assert.include(readError(back).message, at(1_000))
      for (const to of ["-271821-04-20T00:00:00.000Z", "2200-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z", "tomorrow"]) {
        const refused = yield* send("POST", `/test_clocks/${id}/advance`, { body: { to } })
        assert.deepStrictEqual([refused.status, readError(refused).code], [400, "to"], to)
      }
      assert.strictEqual((yield* send("GET", `/test_clocks/${id}`)).text, there.text)
    }).pipe(Effect.scoped))

  it.effect("tells how far it has come, refuses to be sent further meanwhile, and answers when everything is done", () =>
    Effect.gen(function*() {
      const [begun, open] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const ran: Array<string> = []
      yield* moving((_, resource) =>
        Effect.andThen(Effect.andThen(Deferred.succeed(begun, undefined), Deferred.await(open)), Effect.sync(() => void ran.push(resource)))
      )
      const { account, advance, id, send } = yield* clocked
      for (const [resource, second] of [["first", 100], ["second", 200]] as const) yield* setTimer(account, resource, second)
      const advancing = yield* Effect.forkChild(advance(1_000))
      yield* Deferred.await(begun)
      const meanwhile = readClock(yield* send("GET", `/test_clocks/${id}`))
      assert.deepStrictEqual([seconds(meanwhile.now), meanwhile.status], [100, "advancing"])
      for (const second of [1_000, 2_000]) {
        const refused = yield* advance(second)
        assert.strictEqual(refused.status, 409)
        assert.deepInclude(readError(refused), {
          error: "invalid_state",
          details: { state: "advancing", allowed: [], advancing_to: at(1_000) }
        })
      }
      assert.deepStrictEqual(ran, [])
      yield* Deferred.succeed(open, undefined)
      const answer = readClock(yield* Fiber.join(advancing))
      assert.deepStrictEqual([seconds(answer.now), answer.status, ran], [1_000, "ready", ["first", "second"]])
    }).pipe(Effect.scoped))

  it.effect("goes on when nobody waits any more", () =>
    Effect.gen(function*() {
      const [begun, open] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      yield* moving(() => Effect.andThen(Deferred.succeed(begun, undefined), Deferred.await(open)))
      const { account, advance, id, send } = yield* clocked
      yield* setTimer(account, "r", 100)
      const advancing = yield* Effect.forkChild(advance(1_000))
      yield* Deferred.await(begun)
      yield* Fiber.interrupt(advancing)
      yield* Deferred.succeed(open, undefined)
      const arrived = yield* Effect.repeat(Effect.map(send("GET", `/test_clocks/${id}`), readClock), {
        until: ({ status }) => status === "ready"
      })
      assert.strictEqual(seconds(arrived.now), 1_000)
    }).pipe(Effect.scoped))

  it.effect("is answered within 20 seconds, wherever it is, and any process takes it on", () =>
    Effect.gen(function*() {
      const { advance, id, send } = yield* clocked
      const begun = yield* DateTime.now
      const advancing = yield* Effect.forkChild(advance(1_000))
      const look = Effect.map(send("GET", `/test_clocks/${id}`), readClock)
      yield* Effect.repeat(look, { until: ({ status }) => status === "advancing" })
      // What it asks the database takes time that is not the test's, as the looks do: several, so that it is not left behind on a busy
      // machine.
      const second = Effect.andThen(Effect.repeat(look, { times: 4 }), TestClock.adjust("1 second"))
      yield* Effect.repeat(second, { until: () => advancing.pollUnsafe() !== undefined })
      const answer = yield* Fiber.join(advancing)
      assert.deepStrictEqual([answer.status, readClock(answer).now, readClock(answer).status], [200, begun, "advancing"])
      assert.isAtMost(seconds(yield* DateTime.now) - seconds(begun), 24)
      yield* moving()
      assert.strictEqual(seconds((yield* Effect.repeat(look, { until: ({ status }) => status === "ready" })).now), 1_000)
    }).pipe(Effect.scoped))
})

layer(services)("an advance that is cancelled", (it) => {
  it.effect("ends at the moment it has reached, with everything done that is due there, and another goes on from it", () =>
    Effect.gen(function*() {
      const [begun, open] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const ran: Array<string> = []
      yield* moving((_, resource) =>
        Effect.andThen(Effect.andThen(Deferred.succeed(begun, undefined), Deferred.await(open)), Effect.sync(() => void ran.push(resource)))
      )
      const { account, advance, id, send } = yield* clocked
      for (const [resource, second] of [["a", 100], ["b", 100], ["c", 200]] as const) yield* setTimer(account, resource, second)
      const advancing = yield* Effect.forkChild(advance(1_000))
      yield* Deferred.await(begun)
      const cancelling = yield* Effect.forkChild(send("POST", `/test_clocks/${id}/cancel`))
      const look = Effect.map(send("GET", `/test_clocks/${id}`), readClock)
      const sql = yield* SqlClient.SqlClient
      const goal = Effect.map(
        sql<{ readonly to: string }>`SELECT advance_to AS to FROM account_clocks WHERE account_id = ${account}`,
        ([row]) => row?.to
      )
      assert.strictEqual(yield* Effect.repeat(goal, { until: (to) => to === at(100) }), at(100))
      assert.deepStrictEqual([(yield* look).status, (yield* look).stopped, ran], ["advancing", null, []])
      yield* Deferred.succeed(open, undefined)
      const stopped = { reason: "cancelled", to: at(1_000) }
      for (const answer of [yield* Fiber.join(cancelling), yield* Fiber.join(advancing)]) {
        assert.strictEqual(answer.status, 200, answer.text)
        const { now, status, stopped: why } = readClock(answer)
        assert.deepStrictEqual([seconds(now), status, why === null ? null : { ...why, to: at(seconds(why.to)) }], [100, "ready", stopped])
      }
      assert.sameMembers(ran, ["a", "b"])
      // Once it stands still there is nothing to cancel.
      const standing = yield* send("POST", `/test_clocks/${id}/cancel`)
      assert.deepStrictEqual([standing.status, readClock(standing)], [200, yield* look])
      const further = readClock(yield* advance(1_000))
      assert.deepStrictEqual([seconds(further.now), further.status, further.stopped, ran.at(-1)], [1_000, "ready", null, "c"])
    }).pipe(Effect.scoped))

  it.effect("ends where nobody moves it, too", () =>
    Effect.gen(function*() {
      const { advance, id, send } = yield* clocked
      const advancing = yield* Effect.forkChild(advance(1_000))
      const look = Effect.map(send("GET", `/test_clocks/${id}`), readClock)
      yield* Effect.repeat(look, { until: ({ status }) => status === "advancing" })
      const cancelling = yield* Effect.forkChild(send("POST", `/test_clocks/${id}/cancel`))
      yield* moving()
      yield* Effect.repeat(Effect.andThen(look, TestClock.adjust("1 second")), {
        until: () => cancelling.pollUnsafe() !== undefined && advancing.pollUnsafe() !== undefined
      })
      assert.strictEqual(readClock(yield* Fiber.join(cancelling)).status, "ready")
    }).pipe(Effect.scoped))

  it.effect("goes no further than one advance may, and says where to stop", () =>
    Effect.gen(function*() {
      yield* moving()
      const { advance, id, send } = yield* clocked
      const begun = seconds(readClock(yield* send("GET", `/test_clocks/${id}`)).now)
      const day = (n: number) => begun + n * 86_400
      const refused = yield* advance(day(1_828))
      assert.deepStrictEqual([refused.status, readError(refused).code], [400, "to"])
      assert.include(readError(refused).message, `Give ${at(day(1_827))} or an earlier moment, and advance again from there`)
      assert.strictEqual((yield* advance(day(1_827))).status, 200)
      assert.strictEqual((yield* advance(day(1_828))).status, 200)
    }).pipe(Effect.scoped))
})

layer(services)("a clock that is removed", (it) => {
  const reasonOf = (
    answer: Parameters<typeof readError>[0]
  ) => [answer.status, readError(answer).error, readError(answer).details?.["reason"]]

  it.effect("leaves the account to the world's time, in every process, and another may be made", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(50_000)
      const { account, id, send } = yield* clocked
      yield* TestClock.setTime(90_000)
      const renamed = (name: string) =>
        Effect.map(send("PATCH", "/account", { body: { name } }), (answer) => seconds(readAccount(answer).updated_at))
      assert.strictEqual(yield* renamed("in its own time"), 50)
      const gone = yield* send("DELETE", `/test_clocks/${id}`)
      assert.deepStrictEqual([gone.status, gone.text], [204, ""])
      assert.strictEqual(yield* renamed("in the world's"), 90)
      assert.deepStrictEqual(readClocks(yield* send("GET", "/test_clocks")).data, [])
      for (const [method, path] of [["GET", ""], ["DELETE", ""], ["POST", "/cancel"]] as const) {
        assert.strictEqual((yield* send(method, `/test_clocks/${id}${path}`)).status, 404)
      }
      const sql = yield* SqlClient.SqlClient
      const log = yield* sql`SELECT action FROM audit_log WHERE account_id = ${account} AND resource_id = ${id} ORDER BY id`
      assert.lengthOf(log, 2, "that it was given, and that it was removed")
      const another = yield* send("POST", "/test_clocks")
      assert.deepStrictEqual([another.status, seconds(readClock(another).now), readClock(another).id === id], [201, 90, false])
    }))

  it.effect("stays while something waits for its time, it moves, or what was made lies ahead of the world's", () =>
    Effect.gen(function*() {
      const { account, advance, id, send } = yield* clocked
      const remove = send("DELETE", `/test_clocks/${id}`)
      yield* setTimer(account, "r", 100)
      const waiting = yield* remove
      assert.deepStrictEqual(reasonOf(waiting), [409, "invalid_state", "waiting"])
      assert.include(readError(waiting).message, `${KIND} (1)`)
      const advancing = yield* Effect.forkChild(advance(1_000))
      yield* Effect.repeat(Effect.map(send("GET", `/test_clocks/${id}`), readClock), { until: ({ status }) => status === "advancing" })
      assert.deepStrictEqual(reasonOf(yield* remove), [409, "invalid_state", "advancing"])
      yield* moving()
      yield* Fiber.join(advancing)
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE account_heads SET commit_seq = commit_seq + 1 WHERE account_id = ${account}`
      const ahead = yield* remove
      assert.deepStrictEqual(reasonOf(ahead), [409, "invalid_state", "ahead"])
      assert.include(readError(ahead).message, at(1_000))
      yield* TestClock.setTime(1_000_000)
      assert.strictEqual((yield* remove).status, 204)
    }).pipe(Effect.scoped))

  it.effect("gives back timers that a commit left to it meanwhile", () =>
    Effect.gen(function*() {
      const { account, id, send } = yield* clocked
      assert.strictEqual((yield* send("DELETE", `/test_clocks/${id}`)).status, 204)
      const sql = yield* SqlClient.SqlClient
      yield* sql`INSERT INTO timers (account_id, kind, resource_id, due_at, attempts, held) VALUES (${account}, ${KIND}, 'late', now(), 0, true)`
      const held = Effect.map(sql<{ readonly held: boolean }>`SELECT held FROM timers WHERE account_id = ${account}`, ([row]) => row?.held)
      assert.isTrue(yield* held)
      yield* TestClock.adjust("21 seconds")
      yield* until("the timer is given back", Effect.map(held, (still) => still === false))
    }))
})

layer(services)("the time of an account with a clock", (it) => {
  it.effect("is that of its requests and rows, whatever the world's is, and of no other account", () =>
    Effect.gen(function*() {
      yield* moving()
      const { advance, send } = yield* clocked
      const other = yield* merchant
      const rename = (who: typeof other, name: string) =>
        Effect.map(who.send("PATCH", "/account", { body: { name } }), (answer) => seconds(readAccount(answer).updated_at))
      const key = (who: typeof other) => Effect.map(who.send("POST", "/api_keys", { body: { name: "k", kind: "secret" } }), readKey)
      const own = { ...other, send }
      // Behind the world's time, and ahead of it.
      for (const [world, account] of [[500, 0], [600, 86_400]] as const) {
        yield* TestClock.setTime(world * 1000)
        if (account > 0) yield* advance(account)
        assert.deepStrictEqual([yield* rename(own, `at ${world}`), yield* rename(other, `at ${world}`)], [account, world])
        const [made, others] = [yield* key(own), yield* key(other)]
        assert.deepStrictEqual([seconds(made.created_at), timeOf(made.id) / 1000, seconds(others.created_at)], [account, account, world])
        const revoked = yield* own.send("POST", `/api_keys/${made.id}/revoke`)
        assert.include(revoked.text, `"revoked_at":"${at(account)}"`)
      }
    }).pipe(Effect.scoped))

  it.effect("is that of what its operator and the command line do to it, too", () =>
    Effect.gen(function*() {
      yield* moving()
      const { account, advance } = yield* clocked
      const other = yield* merchant
      yield* advance(5_000)
      yield* TestClock.setTime(100_000)
      const { send } = yield* Client
      const key = yield* operator
      const suspended = (id: string) =>
        Effect.map(send("POST", `/v1/accounts/${id}/suspend`, { key }), (answer) => seconds(readAccount(answer).updated_at))
      assert.deepStrictEqual([yield* suspended(account), yield* suspended(other.account)], [5_000, 100])
      const keys = yield* ApiKeys
      const issued = (accountId: typeof account | null) =>
        Effect.map(
          keys.issue({ accountId, kind: accountId === null ? "operator" : "secret", name: "cli", scopes: [] }),
          ({ record }) => [seconds(record.created_at), timeOf(record.id) / 1000]
        )
      assert.deepStrictEqual([yield* issued(account), yield* issued(other.account), yield* issued(null)], [[5_000, 5_000], [100, 100], [
        100,
        100
      ]])
    }).pipe(Effect.scoped))

  it.effect("is known at once to a process that knew its key before", () =>
    Effect.gen(function*() {
      yield* moving()
      const elsewhere = Context.get(yield* Layer.build(Layer.fresh(layerApi)), Client)
      const { account, advance, secret } = yield* Effect.gen(function*() {
        const known = yield* merchant
        // The other process remembers the key of an account without a clock.
        assert.strictEqual((yield* elsewhere.send("GET", "/v1/account", { key: known.secret })).status, 200)
        const { id } = readClock(yield* known.send("POST", "/test_clocks"))
        return { ...known, advance: known.send("POST", `/test_clocks/${id}/advance`, { body: { to: at(7_000) } }) }
      })
      yield* advance
      const sql = yield* SqlClient.SqlClient
      const updated = Effect.gen(function*() {
        yield* elsewhere.send("PATCH", "/v1/account", { key: secret, body: { name: `name ${Redacted.value(secret)}` } })
        const [row] = yield* sql<
          { readonly updated_at: string }
        >`UPDATE accounts SET name = 'other' WHERE id = ${account} RETURNING updated_at`
        return row?.updated_at
      })
      yield* until("the other process knows", Effect.map(updated, (moment) => moment === at(7_000)))
    }).pipe(Effect.scoped))

  it.effect("fills no bucket of requests: that is of the world", () =>
    Effect.gen(function*() {
      yield* moving()
      const { id, secret, send } = yield* clocked
      const { send: raw } = yield* Client
      const ask = send("GET", "/account")
      yield* Effect.all(Array.from({ length: 198 }, () => ask), { concurrency: 8 })
      assert.strictEqual((yield* raw("POST", `/v1/test_clocks/${id}/advance`, { key: secret, body: { to: at(1_000_000) } })).status, 200)
      assert.strictEqual((yield* ask).status, 429)
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* ask).status, 200)
    }).pipe(Effect.scoped))
})
