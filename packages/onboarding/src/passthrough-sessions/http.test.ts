import { assert, layer } from "@effect/vitest"
import { AccountId } from "@svc/accounts/accounts/model"
import { ApiKeys } from "@svc/accounts/api-keys/service"
import { itemsOf, jsonOf, layerWith, type Merchant, must, openMerchant, restrictedKey, send } from "@svc/testkit/contract/service"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"

const PATH = "/v1/passthrough_sessions"

const make = (merchant: Pick<Merchant, "key">, flow_kind: string, more: object = {}) =>
  must("POST", PATH, { key: merchant.key, body: { flow_kind, ...more } })
const prefill = ({ key }: Pick<Merchant, "key">, id: unknown, fields: object) =>
  send("POST", `${PATH}/${String(id)}/prefill`, { key, body: { fields, idempotency_key: randomUUID() } })
layer(layerWith({}), { excludeTestServices: true })("passthrough sessions", (it) => {
  it.effect("show their page to who may make one, and answer the open one again where that is asked", () =>
    Effect.gen(function*() {
      const merchant = yield* openMerchant("Acme")
      const first = yield* make(merchant, "payout_bank")
      assert.match(String(first["path"]), /^\/pass\/[0-9A-Za-z]{32}$/u)
      assert.deepInclude(first, { status: "open", prefilled: [], result_id: null })
      const again = yield* make(merchant, "payout_bank", { reuse: true })
      assert.deepStrictEqual([again["id"], again["path"]], [first["id"], first["path"]])
      const [second, other] = [yield* make(merchant, "payout_bank"), yield* make(merchant, "business_verify", { reuse: true })]
      assert.strictEqual(new Set([first["id"], second["id"], other["id"]]).size, 3)
      const looks = { key: yield* restrictedKey(merchant, ["passthrough_sessions:read"]) }
      assert.deepInclude(yield* must("GET", `${PATH}/${String(first["id"])}`, looks), { id: first["id"], path: null })
      assert.deepInclude(yield* must("GET", `${PATH}/${String(first["id"])}`, merchant), { path: first["path"] })
    }))

  it.effect("show and give their page to nobody but their maker, however far others reach", () =>
    Effect.gen(function*() {
      const merchant = yield* openMerchant("Acme")
      const idempotency_key = randomUUID()
      const made = yield* make(merchant, "business_verify", { idempotency_key })
      yield* prefill(merchant, made["id"], {})
      const others = [
        yield* restrictedKey(merchant, ["passthrough_sessions:read", "passthrough_sessions:write", "legal_entities:write"]),
        Redacted.value(
          (yield* Effect.orDie(
            (yield* ApiKeys).issue({ accountId: AccountId.make(merchant.id), kind: "secret", name: "Second", scopes: [] })
          )).secret
        )
      ]
      for (const key of others) {
        assert.deepInclude(yield* must("GET", `${PATH}/${String(made["id"])}`, { key }), { id: made["id"], path: null })
        const [listed] = itemsOf(yield* must("GET", PATH, { key })).filter((row) => Object(row)["id"] === made["id"])
        assert.deepInclude(listed, { path: null })
        assert.deepInclude(yield* make({ key }, "business_verify", { idempotency_key }), { id: made["id"], path: null })
        const refused = yield* prefill({ key }, made["id"], { city: "Hamburg" })
        assert.deepInclude(jsonOf(refused), { error: "forbidden" })
        assert.notStrictEqual((yield* make({ key }, "business_verify", { reuse: true }))["id"], made["id"])
      }
      assert.deepInclude(yield* make(merchant, "business_verify", { reuse: true }), { id: made["id"], path: made["path"] })
    }))

  it.effect("are made once for one key, and the address is stored nowhere in the open", () =>
    Effect.gen(function*() {
      const merchant = yield* openMerchant("Acme")
      const idempotency_key = randomUUID()
      const [one, two] = [
        yield* make(merchant, "payout_bank", { idempotency_key }),
        yield* make(merchant, "payout_bank", { idempotency_key })
      ]
      assert.deepStrictEqual(one, two)
      const secret = String(one["path"]).slice("/pass/".length)
      const sql = yield* SqlClient.SqlClient
      const tables = yield* sql<{ readonly name: string }>`SELECT table_name AS name FROM information_schema.tables
        WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'`
      const holding = yield* Effect.filter(tables, ({ name }) =>
        Effect.map(sql`SELECT 1 FROM ${sql(name)} AS r WHERE r::text LIKE ${`%${secret}%`} LIMIT 1`, (rows) => rows.length > 0))
      assert.isAbove(tables.length, 50)
      assert.deepStrictEqual(holding, [])
    }))

  it.effect("need the scope by which their result is made by hand", () =>
    Effect.gen(function*() {
      const merchant = yield* openMerchant("Acme")
      const key = { key: yield* restrictedKey(merchant, ["passthrough_sessions:write", "legal_entities:write"]) }
      const refused = yield* send("POST", PATH, { ...key, body: { flow_kind: "payout_bank" } })
      assert.deepInclude(jsonOf(refused), { error: "forbidden", details: { required_scope: "transfer_instruments:write" } })
      const { id, prefilled } = yield* make(key, "business_verify")
      assert.deepStrictEqual(prefilled, [])
      const bank = yield* make(merchant, "payout_bank")
      assert.strictEqual((yield* prefill(key, bank["id"], { country: "DE" })).status, 403)
      // The rows of the account that the key may not read fill nothing.
      assert.deepStrictEqual(jsonOf(yield* prefill(key, id, { country: "DE" }))["prefilled"], ["country"])
      const whole = yield* make(merchant, "business_verify")
      assert.deepStrictEqual(jsonOf(yield* prefill(merchant, whole["id"], { country: "DE" }))["prefilled"], ["legal_name", "country"])
    }))

  it.effect("are filled from the account's own rows, and never with a number of a bank account", () =>
    Effect.gen(function*() {
      const merchant = yield* openMerchant("Acme")
      yield* must("POST", "/v1/legal_entities", {
        key: merchant.key,
        body: { type: "organization", legal_name: "Nordlicht Keramik GmbH", country: "DE", registration_number: "HRB 12345" }
      })
      const { id } = yield* make(merchant, "business_verify")
      const filled = yield* prefill(merchant, id, { city: "Hamburg" })
      assert.sameMembers(Object.values(jsonOf(filled)["prefilled"] ?? {}), ["type", "legal_name", "country", "registration_number", "city"])
      assert.notInclude(filled.text, "Nordlicht")
      const bank = yield* make(merchant, "payout_bank")
      for (const fields of [{ number: "DE89370400440532013000" }, { iban: "x" }, { holder_name: "DE89370400440532013000" }, { hat: "x" }]) {
        const refused = jsonOf(yield* prefill(merchant, bank["id"], fields))
        assert.deepInclude(refused, { error: "validation_error", code: `fields.${Object.keys(fields)[0] ?? ""}` })
      }
      assert.deepInclude(yield* must("GET", `${PATH}/${String(bank["id"])}`, merchant), { prefilled: [] })
    }))
})
