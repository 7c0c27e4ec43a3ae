import { assert, layer } from "@effect/vitest"
import { Accounts } from "@svc/accounts/accounts/service"
import { runDue } from "@svc/kernel/timers/timers"
import { now } from "@svc/kernel/values/time"
import { jsonOf, layerWith, type Merchant, must, openMerchant, send, ServerLog } from "@svc/testkit/contract/service"
import type { Faults, Provider } from "@svc/testkit/provider"
import { startProvider } from "@svc/testkit/provider"
import { Context, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { hash, randomUUID } from "node:crypto"
import { exchangeToken } from "./provider/simulator.ts"

const PATH = "/v1/bank_links"

const post = ({ key }: Merchant, path: string, body: object = {}) =>
  send("POST", `${PATH}${path}`, { key, body: { idempotency_key: randomUUID(), ...body } })
const get = ({ key }: Merchant, id: string) => must("GET", `${PATH}/${id}`, { key })

/** A link that waits for somebody to sign in at a bank. */
const begin = (merchant: Merchant) => Effect.map(post(merchant, ""), (answer) => String(jsonOf(answer)["id"]))

/** The public token that the simulated page gives. */
const signIn = ({ key }: Merchant, id: string, outcome = "ok") =>
  Effect.map(must("POST", `${PATH}/${id}/simulate`, { key, body: { outcome } }), ({ public_token }) => String(public_token))

interface Linked {
  readonly id: string
  /** The ids of the bank accounts: in USD, and in EUR. */
  readonly usd: string
  readonly eur: string
  readonly text: string
}

const linked = Effect.fnUntraced(function*(merchant: Merchant) {
  const id = yield* begin(merchant)
  const answer = yield* post(merchant, "/exchange", { public_token: yield* signIn(merchant, id) })
  const ending = String(jsonOf(answer)["item_id"]).slice("item_sandbox_".length)
  return { id, usd: `ba_sandbox_${ending}_usd`, eur: `ba_sandbox_${ending}_eur`, text: answer.text } satisfies Linked
})

/** The tables of which a row holds this text. */
const tablesWith = Effect.fnUntraced(function*(text: string) {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql<{ readonly name: string }>`
    SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'`
  const found = yield* Effect.filter(
    tables,
    ({ name }) =>
      Effect.map(sql`SELECT 1 AS one FROM ${sql(name)} AS r WHERE r::text LIKE ${`%${text}%`} LIMIT 1`, ({ length }) => length > 0)
  )
  return found.map(({ name }) => name)
})

class Elsewhere extends Context.Service<Elsewhere, Provider>()("test/Elsewhere") {}

/** The service, and the provider in another process as far as it knows. */
const service = Layer.unwrap(
  Effect.map(startProvider(0), (provider) => Layer.merge(layerWith({ PROVIDER_URL: provider.url }), Layer.succeed(Elsewhere, provider)))
)

/** What goes wrong at the provider from now on. */
const strike = (faults: Partial<Faults>) =>
  Effect.flatMap(Elsewhere, ({ url }) => Effect.promise(() => fetch(`${url}/faults`, { method: "POST", body: JSON.stringify(faults) })))

const report = Effect.map(Elsewhere, ({ bankLinks }) => bankLinks())

layer(service, { excludeTestServices: true })("bank links", (it) => {
  it.effect("link the accounts of a bank, and each becomes one destination, which its bank vouched for", () =>
    Effect.gen(function*() {
      const merchant = yield* openMerchant("linked")
      const { eur, id, usd } = yield* linked(merchant)
      const link = yield* get(merchant, id)
      assert.deepInclude(link, { status: "linked", failure_reason: null })
      assert.deepStrictEqual(link["accounts"], [
        {
          id: usd,
          name: "Business checking",
          holder_name: "Sandbox Business",
          last_four: "6789",
          currency: "USD",
          country: "US",
          destination_id: null
        },
        {
          id: eur,
          name: "Geschäftskonto",
          holder_name: "Sandbox Business",
          last_four: "3000",
          currency: "EUR",
          country: "DE",
          destination_id: null
        }
      ])
      for (const [bank_account_id, last4, routing_number] of [[usd, "6789", "110000000"], [eur, "3000", null]] as const) {
        const verify = Effect.map(post(merchant, `/${id}/verify_payout`, { bank_account_id }), jsonOf)
        const answers = yield* Effect.all([verify, verify, verify], { concurrency: "unbounded" })
        const [first] = answers
        assert.deepStrictEqual(answers, [first, first, first])
        assert.strictEqual(first["status"], "verified")
        const made = yield* must("GET", `/v1/transfer_instruments/${String(first["destination_id"])}`, { key: merchant.key })
        assert.deepInclude(made, { type: "bank_account", status: "verified", last4, routing_number, version: 2 })
      }
      yield* Effect.flatMap(now, (at) => runDue(at))
      const { data } = yield* must("GET", "/v1/transfer_instruments?status=active", { key: merchant.key })
      assert.lengthOf(Object(data), 2)
    }))

  it.effect("keep the numbers of their accounts sealed: no table, answer or log line holds one", () =>
    Effect.gen(function*() {
      const merchant = yield* openMerchant("sealed")
      const id = yield* begin(merchant)
      const public_token = yield* signIn(merchant, id)
      const said = exchangeToken(public_token)
      assert(said._tag === "Linked")
      const answers = [yield* post(merchant, "/exchange", { public_token })]
      for (const account of said.accounts) answers.push(yield* post(merchant, `/${id}/verify_payout`, { bank_account_id: account.id }))
      answers.push(yield* send("GET", PATH, merchant), yield* send("GET", "/v1/transfer_instruments", merchant))
      const { lines } = yield* ServerLog
      for (const { last_four, number } of said.accounts.map((one) => ({ ...one, last_four: one.number.slice(-4) }))) {
        for (const text of [...answers.map((one) => one.text), ...lines]) assert.notInclude(text, number)
        assert.deepStrictEqual(yield* tablesWith(number), [])
        assert.includeMembers(yield* tablesWith(last_four), ["bank_links", "transfer_instruments"], "the search finds what is there")
      }
      for (const { text } of answers) assert.notMatch(text, /sealed|_hash/u)
      assert.deepStrictEqual(yield* tablesWith(public_token), [])
    }))

  it.effect("are linked once, by however many exchanges at once, and by no other token", () =>
    Effect.gen(function*() {
      const merchant = yield* openMerchant("at once")
      const id = yield* begin(merchant)
      const public_token = yield* signIn(merchant, id)
      const { items } = yield* report
      const exchange = post(merchant, "/exchange", { public_token })
      const answers = yield* Effect.all(Array.from({ length: 5 }, () => exchange), { concurrency: "unbounded" })
      assert.deepStrictEqual(Array.from(new Set(answers.map(({ status }) => status))), [200])
      assert.lengthOf(Array.from(new Set(answers.map(({ text }) => text))), 1)
      assert.lengthOf((yield* report).items, items.length + 1)
      const other = yield* post(merchant, "/exchange", { public_token: public_token.replace("_ok_", "_expired_") })
      assert.deepInclude(jsonOf(other), {
        error: "invalid_state",
        details: { state: "linked", allowed: ["verify_payout", "processor_token"] }
      })
      assert.deepInclude(yield* get(merchant, id), { status: "linked", version: 2 })
    }))

  it.effect("answer a lost reply by the same key, and the provider acted once", () =>
    Effect.gen(function*() {
      const merchant = yield* openMerchant("lost")
      const before = yield* report
      const lost = Effect.fnUntraced(function*(path: string, operation: Faults["operations"][number], body: object, headers = {}) {
        const ask = send("POST", `${PATH}${path}`, { key: merchant.key, body, headers })
        yield* strike({ kind: "reset_after", operations: [operation] })
        const broken = yield* ask
        assert.deepStrictEqual([broken.status, jsonOf(broken)["error"]], [503, "bank_link_provider_unavailable"], path)
        yield* strike({ kind: "none" })
        const answer = yield* ask
        assert.isBelow(answer.status, 300, answer.text)
        return jsonOf(answer)
      })
      const keyed = () => ({ idempotency_key: randomUUID() })
      const { id } = yield* lost("", "begin", keyed())
      const public_token = yield* signIn(merchant, String(id))
      yield* strike({ kind: "refuse", operations: ["link_token_of"] })
      assert.strictEqual((yield* post(merchant, "/exchange", { public_token })).status, 503)
      yield* lost("/exchange", "exchange", { public_token, ...keyed() })
      const { processor_token } = yield* lost(`/${String(id)}/processor_token`, "processor_token", {}, { "idempotency-key": randomUUID() })
      const after = yield* report
      assert.deepStrictEqual([after.effects - before.effects, after.items.length - before.items.length], [3, 1])
      assert.lengthOf(yield* tablesWith(hash("sha256", String(processor_token), "hex")), 1)
    }))

  it.effect("give a processor token of another account where the reply for the first was lost", () =>
    Effect.gen(function*() {
      const merchant = yield* openMerchant("two tokens")
      const { eur, id, usd } = yield* linked(merchant)
      yield* strike({ kind: "reset_after", operations: ["processor_token"] })
      const ask = (bank_account_id: string) =>
        send("POST", `${PATH}/${id}/processor_token`, { key: merchant.key, body: { bank_account_id } })
      assert.strictEqual((yield* ask(usd)).status, 503)
      yield* strike({ kind: "none" })
      const given = yield* ask(eur)
      assert.strictEqual(given.status, 200, given.text)
    }))

  it.effect("show a processor token once, to the key that asked for it, and keep its hash", () =>
    Effect.gen(function*() {
      const merchant = yield* openMerchant("token")
      const { eur, id } = yield* linked(merchant)
      const headers = { "idempotency-key": randomUUID() }
      const ask = (more: object) =>
        send("POST", `${PATH}/${id}/processor_token`, { key: merchant.key, body: { bank_account_id: eur }, ...more })
      const [first, again, another] = [yield* ask({ headers }), yield* ask({ headers }), yield* ask({})]
      const token = String(jsonOf(first)["processor_token"])
      assert.match(token, /^processor_sandbox_/u)
      assert.strictEqual(again.text, first.text)
      assert.notStrictEqual(jsonOf(another)["processor_token"], token)
      assert.notProperty(yield* get(merchant, id), "processor_token")
      assert.notProperty(yield* get(merchant, id), "processor_token_hash")
      assert.deepStrictEqual(yield* tablesWith(token), [])
      assert.deepStrictEqual(yield* tablesWith(hash("sha256", String(jsonOf(another)["processor_token"]), "hex")), ["bank_links"])
    }))

  it.effect("are of one account: to another its public token is of no link, and nothing happens", () =>
    Effect.gen(function*() {
      const [merchant, other] = [yield* openMerchant("one"), yield* openMerchant("other")]
      const id = yield* begin(merchant)
      const public_token = yield* signIn(merchant, id)
      const { items } = yield* report
      const foreign = yield* post(other, "/exchange", { public_token })
      const unknown = yield* post(other, "/exchange", { public_token: "public_sandbox_ok_0000000000000000" })
      assert.deepStrictEqual([foreign.status, unknown.status], [404, 404])
      assert.strictEqual(jsonOf(foreign)["message"], jsonOf(unknown)["message"])
      assert.deepStrictEqual((yield* report).items, items)
      assert.deepInclude(yield* get(merchant, id), { status: "pending", version: 1 })
      assert.strictEqual((yield* post(merchant, "/exchange", { public_token })).status, 200)
    }))

  it.effect("wait for another token where one is refused, fail without an account, and expire", () =>
    Effect.gen(function*() {
      const merchant = yield* openMerchant("refused")
      const [id, late] = [yield* begin(merchant), yield* begin(merchant)]
      for (const outcome of ["expired", "already_used"]) {
        const refused = yield* post(merchant, "/exchange", { public_token: yield* signIn(merchant, id, outcome) })
        assert.deepInclude(jsonOf(refused), { error: "validation_error", code: "public_token" }, outcome)
        assert.deepInclude(yield* get(merchant, id), { status: "pending" })
      }
      const none = yield* post(merchant, "/exchange", { public_token: yield* signIn(merchant, id, "no_accounts") })
      assert.strictEqual(none.status, 400)
      assert.deepInclude(yield* get(merchant, id), { status: "failed", failure_reason: "The bank gave no account.", accounts: [] })
      const public_token = yield* signIn(merchant, late)
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE bank_links SET expires_at = created_at WHERE id = ${late}`
      yield* sql`UPDATE timers SET due_at = now() WHERE resource_id = ${late}`
      assert.strictEqual((yield* post(merchant, "/exchange", { public_token })).status, 409)
      yield* Effect.flatMap(now, (at) => runDue(at))
      assert.deepInclude(yield* get(merchant, late), { status: "expired" })
    }))

  it.effect("of live accounts are made by no simulator", () =>
    Effect.gen(function*() {
      const { key } = yield* Effect.orDie((yield* Accounts).create({ name: "live", sandbox: false }))
      const refused = yield* send("POST", PATH, { key: Redacted.value(key.secret), body: { idempotency_key: randomUUID() } })
      assert.deepInclude(jsonOf(refused), { error: "invalid_state" })
    }))
})
