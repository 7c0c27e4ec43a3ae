/** Each error code that the document gives the routes of payment intents, brought about once. */
import { assert, layer } from "@effect/vitest"
import { RatesUnavailable } from "@svc/payments/rates/errors"
import { Rates } from "@svc/payments/rates/rates"
import { catalog } from "@svc/server/catalog"
import { Context, Effect, Fiber, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import type { Faults } from "../provider.ts"
import { startProvider } from "../provider.ts"
import { replacing } from "../replacing.ts"
import { routesOf, served } from "./document.ts"
import { mismatches } from "./json-schema.ts"
import type { Merchant } from "./service.ts"
import { jsonOf, layerWith, must, openMerchant, operatorKey, restrictedKey, send } from "./service.ts"

const BURST = 60

/** A provider that can be told what goes wrong. */
class Trouble
  extends Context.Service<Trouble, { readonly set: (faults: Partial<Faults>) => Effect.Effect<void> }>()("@svc/testkit/contract/Trouble")
{}

/** Whether nobody says what currencies are worth. */
let ratesAreAway = false
const rates = replacing(Rates, ({ between }) => ({
  between: (source, target) =>
    ratesAreAway
      ? Effect.fail(new RatesUnavailable({ message: "The newest exchange rates are too old.", details: { retry_after: 60 } }))
      : between(source, target)
}))

const service = Layer.unwrap(Effect.gen(function*() {
  const { url } = yield* startProvider(0)
  const set = (faults: Partial<Faults>) => Effect.promise(() => fetch(`${url}/faults`, { method: "POST", body: JSON.stringify(faults) }))
  return Layer.merge(
    layerWith({ PROVIDER_URL: url, RATE_LIMIT_PER_SECOND: "1", RATE_LIMIT_BURST: String(BURST) }).pipe(rates),
    Layer.succeed(Trouble, { set: (faults) => Effect.asVoid(set(faults)) })
  )
}))

const PATH = "/v1/payment_intents"
const visa = { payment_method_id: "tok_visa" }
const fresh = () => ({ amount: 1999, currency: "USD", idempotency_key: randomUUID() })

const create = (merchant: Merchant, body: Readonly<Record<string, unknown>> = {}) =>
  send("POST", PATH, { key: merchant.key, body: { ...fresh(), ...body } })
const created = (merchant: Merchant, body: Readonly<Record<string, unknown>> = {}) =>
  Effect.map(must("POST", PATH, { key: merchant.key, body: { ...fresh(), ...body } }), ({ id }) => String(id))
const verb = (merchant: Merchant, id: string, name: string, body: Readonly<Record<string, unknown>> = {}) =>
  send("POST", `${PATH}/${id}/${name}`, { key: merchant.key, body: { idempotency_key: randomUUID(), ...body } })

/** Runs while every authorization is answered late, on an intent whose authorization is under way. */
const duringAuthorization = Effect.fnUntraced(
  function*<A, R>(merchant: Merchant, ask: (id: string, same: Readonly<Record<string, unknown>>) => Effect.Effect<A, never, R>) {
    const { set } = yield* Trouble
    yield* set({ kind: "delay_ms", delay_ms: 1_500, operations: ["authorize"] })
    const id = yield* created(merchant)
    const same = { ...visa, idempotency_key: randomUUID() }
    const first = yield* Effect.forkChild(verb(merchant, id, "authorize", same))
    const announced = Effect.map(
      must("GET", `${PATH}/${id}`, { key: merchant.key }),
      ({ attempts }) => Array.isArray(attempts) && attempts.length > 0
    )
    yield* announced.pipe(Effect.repeat({
      until: (there) => there,
      schedule: Schedule.spaced("20 millis")
    }))
    const answer = yield* ask(id, same)
    yield* set({ kind: "none" })
    assert.strictEqual((yield* Fiber.join(first)).status, 200)
    return answer
  }
)

/** From here on the database does this to every change of the intent. */
const sabotage = Effect.fnUntraced(function*(id: string, body: string) {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.orDie(sql.unsafe(`CREATE FUNCTION sabotage_${id}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} END $$`))
  yield* Effect.orDie(
    sql.unsafe(
      `CREATE TRIGGER sabotage_${id} BEFORE UPDATE ON payment_intents FOR EACH ROW WHEN (NEW.id = '${id}') EXECUTE FUNCTION sabotage_${id}()`
    )
  )
})

type Requirements = Layer.Success<typeof service>

/** What to do for each code. A code of the document that is not here fails the test. */
const bringAbout: Readonly<
  Record<string, (merchant: Merchant) => Effect.Effect<Effect.Success<ReturnType<typeof send>>, never, Requirements>>
> = {
  validation_error: (merchant) => create(merchant, { amount: 0 }),
  card_number_not_accepted: (merchant) => create(merchant, { metadata: { note: "4242 4242 4242 4242" } }),
  amount_too_large: (merchant) => create(merchant, { amount: 100_000_000_000 }),
  idempotency_key_reused: (merchant) => {
    const idempotency_key = randomUUID()
    return Effect.andThen(created(merchant, { idempotency_key }), create(merchant, { idempotency_key, amount: 5 }))
  },
  quote_expired: Effect.fnUntraced(function*(merchant: Merchant) {
    const { id: quote_id } = yield* must("POST", "/v1/quotes", {
      key: merchant.key,
      body: { source_amount: 1999, source_currency: "USD", target_currency: "EUR" }
    })
    const sql = yield* SqlClient.SqlClient
    // Its five minutes are over.
    yield* Effect.orDie(sql`UPDATE quotes SET expires_at = created_at WHERE merchant_id = ${merchant.id} AND id = ${quote_id}`)
    return yield* create(merchant, { destination_currency: "EUR", quote_id })
  }),
  rates_unavailable: Effect.fnUntraced(function*(merchant: Merchant) {
    const id = yield* created(merchant, { destination_currency: "EUR" })
    ratesAreAway = true
    const answer = yield* verb(merchant, id, "authorize", { ...visa, capture: true })
    ratesAreAway = false
    return answer
  }),
  unauthorized: () => send("GET", PATH, { key: "sk_test_nobody" }),
  forbidden: (merchant) => Effect.flatMap(restrictedKey(merchant, ["payment_intents:read"]), (key) => create({ ...merchant, key })),
  card_declined: (merchant) =>
    Effect.flatMap(created(merchant), (id) => verb(merchant, id, "authorize", { payment_method_id: "tok_insufficient_funds" })),
  account_suspended: Effect.fnUntraced(function*(merchant: Merchant) {
    yield* must("POST", `/v1/accounts/${merchant.id}/suspend`, { key: yield* operatorKey })
    return yield* create(merchant)
  }),
  not_found: (merchant) => send("GET", `${PATH}/pi_01KDV8Q400ABCDEFGHJKMNPQRS`, { key: merchant.key }),
  invalid_state: (merchant) => Effect.flatMap(created(merchant), (id) => verb(merchant, id, "capture")),
  payment_in_flight: (merchant) => duringAuthorization(merchant, (id) => verb(merchant, id, "void")),
  idempotency_in_progress: (merchant) => duringAuthorization(merchant, (id, same) => verb(merchant, id, "authorize", same)),
  version_conflict: Effect.fnUntraced(function*(merchant: Merchant) {
    const id = yield* created(merchant)
    // The row is never as it was read: every commit loses its race.
    yield* sabotage(id, "RETURN NULL;")
    return yield* verb(merchant, id, "void")
  }),
  payload_too_large: (merchant) => create(merchant, { metadata: { note: "a".repeat(64 * 1024) } }),
  unsupported_media_type: (merchant) =>
    send("POST", PATH, { key: merchant.key, headers: { "Content-Type": "text/plain", "Content-Length": "0" } }),
  rate_limited: Effect.fnUntraced(function*(merchant: Merchant) {
    // At once: one after another, a slow machine would not ask too often.
    const asked = Array.from({ length: 2 * BURST }, () => send("GET", PATH, { key: merchant.key }))
    const answers = yield* Effect.all(asked, { concurrency: BURST })
    return answers.find(({ status }) => status === 429) ?? (yield* Effect.die("nobody was refused"))
  }),
  internal: Effect.fnUntraced(function*(merchant: Merchant) {
    const id = yield* created(merchant)
    yield* sabotage(id, "RAISE EXCEPTION 'the disk is full';")
    return yield* verb(merchant, id, "void")
  }),
  service_unavailable: Effect.fnUntraced(function*(merchant: Merchant) {
    const id = yield* created(merchant)
    yield* sabotage(id, "PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW;")
    return yield* verb(merchant, id, "void")
  }),
  provider_unavailable: Effect.fnUntraced(function*(merchant: Merchant) {
    const { set } = yield* Trouble
    yield* set({ kind: "refuse" })
    const answer = yield* Effect.flatMap(created(merchant), (id) => verb(merchant, id, "authorize", visa))
    yield* set({ kind: "none" })
    return answer
  })
}

layer(service, { excludeTestServices: true, timeout: "60 seconds" })("the error codes of payment intents", (it) => {
  it.effect("are the documented ones", () =>
    Effect.gen(function*() {
      const documented = new Set(
        routesOf(yield* served).filter(({ path }) => path.startsWith(PATH)).flatMap(({ operation }) =>
          Object.entries(operation.responses).filter(([status]) => Number(status) >= 400).flatMap(([, { content }]) =>
            Object.keys(content?.["application/json"]?.examples ?? {})
          )
        )
      )
      assert.sameMembers(Object.keys(bringAbout), [...documented])
    }))

  it.effect.each(Object.entries(bringAbout))("%s", ([code, ask]) =>
    Effect.gen(function*() {
      const answer = yield* ask(yield* openMerchant(code))
      const body = jsonOf(answer)
      const known = Array.from(catalog.errors.values()).find(({ error }) => error === code)
      assert.deepStrictEqual([answer.status, body["error"]], [known?.status, code], answer.text)
      assert.deepStrictEqual(mismatches(yield* served, { $ref: "#/components/schemas/Error" }, body), [])
      assert.isString(answer.headers["request-id"])
      const { details } = body
      if (typeof details === "object" && details !== null && "retry_after" in details) {
        assert.strictEqual(answer.headers["retry-after"], String(details.retry_after))
      }
    }))
})
