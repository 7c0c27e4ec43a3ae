import { assert, layer } from "@effect/vitest"
import { runDue } from "@svc/kernel/timers/timers"
import { fingerprint } from "@svc/kernel/values/fingerprint"
import { now } from "@svc/kernel/values/time"
import { jsonOf, layerWith, type Merchant, must, openMerchant, send, ServerLog, Service } from "@svc/testkit/contract/service"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"

const NUMBER = "DE89370400440532013000"
const PATH = "/v1/transfer_instruments"

const account = { type: "bank_account", currency: "EUR", holder_name: "Nordlicht Keramik GmbH", number: NUMBER }

const make = ({ key }: Merchant, more: object = {}) =>
  Effect.map(must("POST", PATH, { key, body: { ...account, ...more } }), ({ id }) => String(id))
const verb = ({ key }: Merchant, id: string, name: string, body?: object) =>
  send("POST", `${PATH}/${id}/${name}`, { key, ...(body === undefined ? {} : { body }) })
const get = ({ key }: Merchant, id: string) => must("GET", `${PATH}/${id}`, { key })
const list = ({ key }: Merchant, query: string) =>
  Effect.map(must("GET", `${PATH}?${query}`, { key }), ({ data }) => Array.isArray(data) ? data.length : -1)

const instant = { method: "instant" }
const due = Effect.flatMap(now, (at) => runDue(at))

/** One that is verified and waits for its timer. */
const verified = Effect.fnUntraced(function*(merchant: Merchant, more: object = {}) {
  const id = yield* make(merchant, more)
  assert.strictEqual((yield* verb(merchant, id, "verify", instant)).status, 200)
  return id
})

/** Whether any row of any table holds this text. */
const inTables = Effect.fnUntraced(function*(text: string) {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql<
    { readonly name: string }
  >`SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'`
  const holding = yield* Effect.forEach(
    tables,
    ({ name }) =>
      Effect.map(
        sql`SELECT 1 AS one FROM ${sql(name)} AS r WHERE r::text LIKE ${`%${text}%`} LIMIT 1`,
        (rows) => rows.length === 0 ? [] : [name]
      )
  )
  return { tables: tables.length, holding: holding.flat() }
})

layer(layerWith({}), { excludeTestServices: true })("transfer instruments", (it) => {
  it.effect("are verified at once, become active, and the first is the default", () =>
    Effect.gen(function*() {
      const merchant = yield* openMerchant("instant")
      const id = yield* verified(merchant)
      assert.deepInclude(yield* get(merchant, id), { status: "verified", is_default: false })
      yield* due
      assert.deepInclude(yield* get(merchant, id), { status: "active", is_default: true, active_from: null })
      const second = yield* verified(merchant)
      yield* due
      assert.deepInclude(yield* get(merchant, second), { status: "active", is_default: false })
      assert.strictEqual((yield* verb(merchant, second, "make_default")).status, 200)
      assert.deepInclude(yield* get(merchant, second), { is_default: true })
      assert.deepInclude(yield* get(merchant, id), { is_default: false })
      assert.deepStrictEqual(
        yield* Effect.all([list(merchant, "status=active"), list(merchant, "currency=USD"), list(merchant, "type=bank_account")]),
        [2, 0, 2]
      )
    }))

  it.effect("are verified by the amounts of two small deposits, three wrong tries fail, and they are submitted again", () =>
    Effect.gen(function*() {
      const merchant = yield* openMerchant("deposits")
      const id = yield* make(merchant)
      const guess = (...amounts: ReadonlyArray<number>) =>
        Effect.map(verb(merchant, id, "verify", { method: "micro_deposits", amounts }), jsonOf)
      assert.deepInclude(yield* guess(1, 2), { status: "pending" })
      assert.deepInclude(jsonOf(yield* verb(merchant, id, "verify", { method: "micro_deposits" })), {
        error: "validation_error",
        code: "amounts"
      })
      yield* guess(3, 4)
      assert.deepInclude(yield* guess(5, 6), {
        status: "failed",
        failure_reason: "The amounts of the small deposits were wrong three times."
      })
      assert.deepInclude(yield* guess(32, 45), { error: "invalid_state" })
      yield* verb(merchant, id, "resubmit")
      assert.deepInclude(yield* guess(45, 32), { status: "verified" })
      const unknown = yield* make(merchant, { number: "DE40370400440532010002" })
      assert.deepInclude(jsonOf(yield* verb(merchant, unknown, "verify", instant)), {
        status: "failed",
        failure_reason: "Its bank does not know this account."
      })
    }))

  it.effect("keep their number sealed: no table, answer or log line holds it", () =>
    Effect.gen(function*() {
      const merchant = yield* openMerchant("sealed")
      const body = { ...account, number: "GB29 NWBK 6016 1331 9268 19", idempotency_key: randomUUID() }
      const answers = [
        yield* send("POST", PATH, { key: merchant.key, body }),
        yield* send("POST", PATH, { key: merchant.key, body }),
        yield* send("POST", PATH, { key: merchant.key, body: { ...body, number: "GB29 NWBK 6016 1331 9268 18" } }),
        yield* send("POST", PATH, { key: merchant.key, body: { ...body, idempotency_key: randomUUID(), number: "GB29NWBK60161331926818" } })
      ]
      assert.deepStrictEqual(answers.map(({ status }) => status), [201, 200, 400, 400])
      const id = String(jsonOf(answers[0]!)["id"])
      answers.push(yield* verb(merchant, id, "verify", instant), yield* send("GET", PATH, { key: merchant.key }))
      yield* due
      answers.push(yield* send("GET", `${PATH}/${id}`, { key: merchant.key }))
      const { lines } = yield* ServerLog
      for (const text of [...answers.map((one) => one.text), ...lines]) assert.notMatch(text, /60161331|6016 1331|sealed/u)
      const { holding, tables } = yield* inTables("60161331")
      assert.isAbove(tables, 20)
      assert.deepStrictEqual(holding, [])
      assert.include((yield* inTables("6819")).holding, "transfer_instruments", "the search finds what is there")
    }))

  it.effect("keep no hash of their number either, by which it could be guessed, and another number under the same key is refused", () =>
    Effect.gen(function*() {
      const merchant = yield* openMerchant("guessed")
      const body = { type: "bank_account", currency: "USD", holder_name: "Ana", number: "000123456789", routing_number: "021000021" }
      const ask = (number: string) =>
        send("POST", PATH, { key: merchant.key, body: { ...body, number, idempotency_key: `guessed-${merchant.id}` } })
      const [first, again] = [yield* ask(body.number), yield* ask(body.number)]
      assert.deepStrictEqual([first.status, again.status, again.text], [201, 200, first.text])
      assert.deepInclude(jsonOf(yield* ask("000987656789")), { error: "idempotency_key_reused" })
      // Who has a copy of the database knows all but the number.
      assert.deepStrictEqual((yield* inTables(fingerprint({ method: "POST", path: PATH, body }))).holding, [])
    }))

  it.effect("have one default of a type and currency, whatever happens at once", () =>
    Effect.gen(function*() {
      const merchant = yield* openMerchant("races")
      const ids = yield* Effect.forEach(Array.from({ length: 8 }), () => verified(merchant))
      yield* Effect.forEach(ids, (id) => verb(merchant, id, "activate"), { concurrency: "unbounded" })
      const defaults = Effect.map(
        SqlClient.SqlClient.use((sql) => sql`SELECT id FROM transfer_instruments WHERE account_id = ${merchant.id} AND is_default`),
        (rows) => rows.length
      )
      assert.strictEqual(yield* defaults, 1)
      const answers = yield* Effect.forEach(ids, (id) => verb(merchant, id, "make_default"), { concurrency: "unbounded" })
      assert.deepStrictEqual(Array.from(new Set(answers.map(({ status }) => status))), [200])
      assert.strictEqual(yield* defaults, 1)
    }))

  it.effect("are refused with what is wrong with them, and are nobody else's", () =>
    Effect.gen(function*() {
      const [merchant, other] = [yield* openMerchant("one"), yield* openMerchant("other")]
      const refused = (more: object) => Effect.map(send("POST", PATH, { key: merchant.key, body: { ...account, ...more } }), jsonOf)
      assert.deepInclude(yield* refused({ number: "DE89370400440532013001" }), { error: "validation_error", code: "number" })
      assert.deepInclude(yield* refused({ number: "000123456789" }), { error: "validation_error", code: "routing_number" })
      assert.deepInclude(yield* refused({ legal_entity_id: "le_00000000000000000000000000" }), {
        error: "validation_error",
        code: "legal_entity_id"
      })
      assert.deepInclude(yield* refused({ type: "card", number: "4242 4242 4242 4242" }), { error: "card_number_not_accepted" })
      const id = yield* make(merchant)
      assert.strictEqual((yield* verb(other, id, "archive")).status, 404)
      const { send: raw } = yield* Service
      const stale = yield* Effect.orDie(
        raw({
          method: "POST",
          target: `${PATH}/${id}/archive`,
          headers: [["Authorization", `Bearer ${merchant.key}`], ["If-Match", "\"7\""]]
        })
      )
      assert.deepInclude(jsonOf(stale), { error: "version_conflict" })
      assert.deepInclude(jsonOf(yield* verb(merchant, id, "archive")), { status: "archived" })
      assert.deepInclude(jsonOf(yield* verb(merchant, id, "verify", instant)), { error: "invalid_state" })
    }))
})
