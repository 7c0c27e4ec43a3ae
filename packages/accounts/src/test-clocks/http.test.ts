import { assert, layer } from "@effect/vitest"
import { Agendas } from "@svc/kernel/clocks/agenda"
import { ClockWorker } from "@svc/kernel/clocks/worker"
import * as Database from "@svc/kernel/database/client"
import { makeId, timeOf } from "@svc/kernel/ids"
import { PaginatedList } from "@svc/kernel/pages"
import { type TimerHandler, TimerHandlers } from "@svc/kernel/timers"
import { layerDatabase } from "@svc/testkit/database"
import { Context, DateTime, Deferred, Effect, Fiber, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { AccountJson } from "../accounts/model.ts"
import { Accounts } from "../accounts/service.ts"
import { ApiKeyIssued } from "../api-keys/model.ts"
import { ApiKeys } from "../api-keys/service.ts"
import { type Asked, Client, layer as layerApi, open, operator, readError, reads, seen } from "../fixture.ts"
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
  Layer.build(Layer.fresh(ClockWorker.layer.pipe(Layer.provide(Agendas.layer), Layer.provide(Layer.succeed(TimerHandlers, new Map([[KIND, handler]]))))))

const at = (seconds: number) => DateTime.formatIso(DateTime.makeUnsafe(seconds * 1000))
const seconds = (moment: DateTime.Utc) => moment.epochMilliseconds / 1000

/** A sandbox account and what it sends. */
const merchant = Effect.gen(function*() {
  const { send } = yield* Client
  const { account, key: { secret } } = yield* open
  return { account: account.id, secret, send: (method: string, path: string, asked: Asked = {}) => send(method, `/v1${path}`, { key: secret, ...asked }) }
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
      for (const query of [`after=${clock.id}`, `before=${clock.id}`, "page=2"]) assert.deepStrictEqual(readClocks(yield* send("GET", `/test_clocks?${query}`)).data, [], query)
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
      yield* moving((_, resource) => Effect.andThen(Effect.andThen(Deferred.succeed(begun, undefined), Deferred.await(open)), Effect.sync(() => void ran.push(resource))))
      const { account, advance, id, send } = yield* clocked
      for (const [resource, second] of [["first", 100], ["second", 200]] as const) yield* setTimer(account, resource, second)
      const advancing = yield* Effect.forkChild(advance(1_000))
      yield* Deferred.await(begun)
      const meanwhile = readClock(yield* send("GET", `/test_clocks/${id}`))
      assert.deepStrictEqual([seconds(meanwhile.now), meanwhile.status], [100, "advancing"])
      for (const second of [1_000, 2_000]) {
        const refused = yield* advance(second)
        assert.strictEqual(refused.status, 409)
        assert.deepInclude(readError(refused), { error: "invalid_state", details: { state: "advancing", allowed: [], advancing_to: at(1_000) } })
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
      const arrived = yield* Effect.repeat(Effect.map(send("GET", `/test_clocks/${id}`), readClock), { until: ({ status }) => status === "ready" })
      assert.strictEqual(seconds(arrived.now), 1_000)
    }).pipe(Effect.scoped))

  it.effect("is answered within 20 seconds, wherever it is, and any process takes it on", () =>
    Effect.gen(function*() {
      const { advance, id, send } = yield* clocked
      const begun = yield* DateTime.now
      const advancing = yield* Effect.forkChild(advance(1_000))
      const look = Effect.map(send("GET", `/test_clocks/${id}`), readClock)
      yield* Effect.repeat(look, { until: ({ status }) => status === "advancing" })
      // What it asks the database takes time that is not the test's, as the looks do: several, so that it is not left behind on a busy machine.
      const second = Effect.andThen(Effect.repeat(look, { times: 4 }), TestClock.adjust("1 second"))
      yield* Effect.repeat(second, { until: () => advancing.pollUnsafe() !== undefined })
      const answer = yield* Fiber.join(advancing)
      assert.deepStrictEqual([answer.status, readClock(answer).now, readClock(answer).status], [200, begun, "advancing"])
      assert.isAtMost(seconds(yield* DateTime.now) - seconds(begun), 24)
      yield* moving()
      assert.strictEqual(seconds((yield* Effect.repeat(look, { until: ({ status }) => status === "ready" })).now), 1_000)
    }).pipe(Effect.scoped))
})

layer(services)("the time of an account with a clock", (it) => {
  it.effect("is that of its requests and rows, whatever the world's is, and of no other account", () =>
    Effect.gen(function*() {
      yield* moving()
      const { advance, send } = yield* clocked
      const other = yield* merchant
      const rename = (who: typeof other, name: string) => Effect.map(who.send("PATCH", "/account", { body: { name } }), (answer) => seconds(readAccount(answer).updated_at))
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
      const suspended = (id: string) => Effect.map(send("POST", `/v1/accounts/${id}/suspend`, { key }), (answer) => seconds(readAccount(answer).updated_at))
      assert.deepStrictEqual([yield* suspended(account), yield* suspended(other.account)], [5_000, 100])
      const keys = yield* ApiKeys
      const issued = (accountId: typeof account | null) =>
        Effect.map(keys.issue({ accountId, kind: accountId === null ? "operator" : "secret", name: "cli", scopes: [] }), ({ record }) => [seconds(record.created_at), timeOf(record.id) / 1000])
      assert.deepStrictEqual([yield* issued(account), yield* issued(other.account), yield* issued(null)], [[5_000, 5_000], [100, 100], [100, 100]])
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
        const [row] = yield* sql<{ readonly updated_at: string }>`UPDATE accounts SET name = 'other' WHERE id = ${account} RETURNING updated_at`
        return row?.updated_at
      })
      assert.strictEqual(yield* Effect.repeat(updated, { until: (moment) => moment === at(7_000), times: 20 }), at(7_000))
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
