/**
 * One of everything that belongs to a merchant, made through the API, so that there are real ids to ask for. What there is says the
 * contract: each path with a parameter. Of a collection that takes a POST the documented example is sent; of another, whatever
 * came about with the rest is taken from its list. What neither makes as the tests need it has an entry in `makers`.
 */
import { Accounts } from "@svc/accounts/accounts/service"
import { LegalEntities } from "@svc/accounts/legal-entities/service"
import { People } from "@svc/accounts/people/service"
import { Sessions } from "@svc/accounts/sessions/service"
import { Actor } from "@svc/kernel/parts/actor"
import { nextId } from "@svc/kernel/values/ids"
import { Checkpoints } from "@svc/ledger/checkpoints/service"
import { ToolCallId } from "@svc/metering/tool-calls/model"
import { Meter } from "@svc/metering/tool-calls/service/meter"
import { TERMS_VERSION } from "@svc/onboarding/terms/model"
import { PaymentIntents } from "@svc/payments/payment-intents/service"
import { Settlements } from "@svc/payments/settlements/service"
import { Effect, Redacted } from "effect"
import { randomUUID } from "node:crypto"
import type { Route } from "./document.ts"
import { routesOf, served } from "./document.ts"
import type { Made, Resources, Row } from "./positions.ts"
import { fillPath, idAt, positionsOf } from "./positions.ts"
import type { Merchant } from "./service.ts"
import { itemsOf, jsonOf, must, openMerchant, operatorKey, send, Service, upload } from "./service.ts"

export type { Resources } from "./positions.ts"

/** What makes things without a request. */
type Makers =
  | Service
  | Accounts
  | Checkpoints
  | LegalEntities
  | Meter
  | PaymentIntents
  | People
  | Sessions
  | Settlements
  | Effect.Services<typeof operatorKey>

type Make = (merchant: Merchant, tag: string) => Effect.Effect<Made, never, Makers>

const keyed = (body: unknown): Row => ({
  ...(typeof body === "object" ? body : {}),
  ...(typeof body === "object" && body !== null && "idempotency_key" in body ? { idempotency_key: randomUUID() } : {})
})

/** An intent that is captured, with a refund, and with everything a filter can look for; and one created, and one authorized. */
const intents: Make = Effect.fnUntraced(function*({ key }, tag) {
  const path = "/v1/payment_intents"
  const post = (target: string, body: object) => must("POST", target, { key, body: { ...body, idempotency_key: randomUUID() } })
  const intent = Effect.map(
    Effect.suspend(() => post(path, { amount: 1999, currency: "USD", customer_id: `customer-${tag}`, metadata: { tag } })),
    ({ id }) => String(id)
  )
  const [captured, created, authorized] = yield* Effect.all([intent, intent, intent])
  yield* post(`${path}/${captured}/authorize`, { payment_method_id: "tok_visa", capture: true })
  yield* post(`${path}/${captured}/refund`, { amount: 10 })
  yield* post(`${path}/${authorized}/authorize`, { payment_method_id: "tok_visa" })
  return { row: yield* must("GET", `${path}/${captured}`, { key }), others: [created, authorized] }
})

/** A payment above the account's limit, which waits for a person. */
const approvals: Make = Effect.fnUntraced(function*({ key }, tag) {
  const post = (target: string, body: object) => must("POST", target, { key, body: { ...body, idempotency_key: randomUUID() } })
  const limit = (require_approval_above: number | null) =>
    must("PATCH", "/v1/account", { key, body: { settings: { require_approval_above } } })
  yield* limit(1998)
  const { id } = yield* post("/v1/payment_intents", { amount: 1999, currency: "USD", metadata: { tag } })
  yield* post(`/v1/payment_intents/${String(id)}/authorize`, { payment_method_id: "tok_visa" })
  yield* limit(null)
  const { data } = yield* must("GET", "/v1/approvals", { key })
  const [row]: ReadonlyArray<unknown> = Array.isArray(data) ? data : []
  return typeof row === "object" && row !== null
    ? { row: { ...row } }
    : yield* Effect.die(new Error("a payment that waits for a person has an approval"))
})

/** A refund by a person above the account's limit, which waits for another person. */
const secondLooks: Make = Effect.fnUntraced(function*({ id: account, key }, tag) {
  const limit = (second_look_above: number | null) =>
    must("PATCH", "/v1/account", { key, body: { settings: { people: { second_look_above } } } })
  yield* limit(0)
  const { id } = yield* must("POST", "/v1/payment_intents", {
    key,
    body: {
      amount: 1999,
      currency: "USD",
      payment_method_id: "tok_visa",
      capture: true,
      metadata: { tag },
      idempotency_key: randomUUID()
    }
  })
  const [accounts, intents] = [yield* Accounts, yield* PaymentIntents]
  const keyed = { key: randomUUID(), operation: "payment_intent.refund", fingerprint: tag }
  const { body } = yield* Effect.orDie(
    intents.refund({ account: yield* accounts.facts(account), id: String(id), keyed, payload: { amount: 10 } }).pipe(
      Effect.provideService(Actor, { type: "person", id: yield* nextId("usr") })
    )
  )
  yield* limit(null)
  return { row: jsonOf({ text: body }) }
})

/** A checkout session that its customer has paid. */
const sessions: Make = Effect.fnUntraced(function*({ key }, tag) {
  const made = yield* must("POST", "/v1/checkout/sessions", {
    key,
    body: {
      mode: "payment",
      amount: 1999,
      currency: "USD",
      customer_id: `customer-${tag}`,
      customer_email: "ana@example.com",
      metadata: { tag }
    },
    headers: { "Idempotency-Key": randomUUID() }
  })
  const { send: sendRaw } = yield* Service
  const target = `${new URL(String(made["url"])).pathname}/pay`
  yield* Effect.orDie(
    sendRaw({
      method: "POST",
      target,
      headers: [["Content-Type", "application/x-www-form-urlencoded"]],
      body: Buffer.from("try=1&pay_with=card&token=tok_visa")
    })
  )
  return { row: yield* must("GET", `/v1/checkout/sessions/${String(made["id"])}`, { key }) }
})

/** A subscription to a plan of its own, whose first cycle is charged, or waits for a method. */
const subscribed = (payment_method_id: string | null): Make =>
  Effect.fnUntraced(function*({ key }, tag) {
    const post = (target: string, body: object) => must("POST", target, { key, body: { ...body, idempotency_key: randomUUID() } })
    const { id: plan_id } = yield* post("/v1/plans", { name: `Plan ${tag}`, amount: 1999, currency: "USD", billing_period: "monthly" })
    yield* must("POST", `/v1/plans/${String(plan_id)}/activate`, { key })
    return { row: yield* post("/v1/subscriptions", { plan_id, customer_id: `customer-${tag}`, payment_method_id, metadata: { tag } }) }
  })

const subscriptions = subscribed("tok_visa")

/** The first of a collection that a subscription without a card has. */
const ofUnpaidSubscription = (collection: string) =>
  Effect.fnUntraced(function*(merchant: Merchant) {
    const { row: { id } } = yield* subscribed(null)(merchant, randomUUID())
    const [first] = itemsOf(yield* must("GET", `${collection}?subscription_id=${String(id)}`, { key: merchant.key }))
    return typeof first === "object" && first !== null
      ? { ...first } satisfies Row
      : yield* Effect.die(new Error(`a subscription has one of ${collection}`))
  })

/** An invoice that nobody has paid yet. */
const openInvoice = ofUnpaidSubscription("/v1/invoices")

/** A cycle that waits to be charged. */
const openCycle = ofUnpaidSubscription("/v1/billing_cycles")

/** A dispute of a payment of its own, which waits for evidence. */
const disputes: Make = Effect.fnUntraced(function*({ key }, tag) {
  const post = (target: string, body: object) => must("POST", target, { key, body: { ...body, idempotency_key: randomUUID() } })
  const { id } = yield* post("/v1/payment_intents", { amount: 1999, currency: "USD", metadata: { tag } })
  yield* post(`/v1/payment_intents/${String(id)}/authorize`, { payment_method_id: "tok_visa", capture: true })
  return { row: yield* post("/v1/disputes/simulate", { payment_intent_id: id }) }
})

/** What a payment in dollars came to in euros. */
const conversions: Make = Effect.fnUntraced(function*({ key }, tag) {
  const post = (target: string, body: object) => must("POST", target, { key, body: { ...body, idempotency_key: randomUUID() } })
  const { id } = yield* post("/v1/payment_intents", { amount: 1999, currency: "USD", destination_currency: "EUR", metadata: { tag } })
  const { conversion } = yield* post(`/v1/payment_intents/${String(id)}/authorize`, { payment_method_id: "tok_visa", capture: true })
  return typeof conversion === "object" && conversion !== null && "id" in conversion
    ? { row: yield* must("GET", `/v1/conversions/${String(conversion.id)}`, { key }) }
    : yield* Effect.die(new Error("a captured payment with a destination currency has a conversion"))
})

/** An instrument that payouts may go to. */
const activeInstrument = Effect.fnUntraced(function*({ key }: Pick<Merchant, "key">) {
  const { id: legal_entity_id } = yield* must("POST", "/v1/legal_entities", {
    key,
    body: { type: "individual", legal_name: "Ana", country: "DE" }
  })
  const { id } = yield* must("POST", "/v1/transfer_instruments", {
    key,
    body: {
      type: "bank_account",
      currency: "USD",
      holder_name: "Acme",
      number: "000123456789",
      routing_number: "110000000",
      legal_entity_id
    }
  })
  yield* must("POST", `/v1/transfer_instruments/${String(id)}/verify`, { key, body: { method: "instant" } })
  return yield* must("POST", `/v1/transfer_instruments/${String(id)}/activate`, { key })
})

/** A bank link with its accounts. */
const linkedBank = Effect.fnUntraced(function*({ key }: Merchant) {
  const { id } = yield* must("POST", "/v1/bank_links", { key, body: { idempotency_key: randomUUID() } })
  const { public_token } = yield* must("POST", `/v1/bank_links/${String(id)}/simulate`, { key, body: {} })
  return yield* must("POST", "/v1/bank_links/exchange", { key, body: { public_token, idempotency_key: randomUUID() } })
})

/** A payment whose money has arrived: no request makes money available, time does. Gives its id. */
export const arrived = Effect.fnUntraced(function*({ id: account, key }: Merchant, currency = "USD") {
  const post = (target: string, body: object) => must("POST", target, { key, body: { ...body, idempotency_key: randomUUID() } })
  const { id } = yield* post("/v1/payment_intents", { amount: 1_000_000, currency })
  yield* post(`/v1/payment_intents/${String(id)}/authorize`, { payment_method_id: "tok_visa", capture: true })
  const { data } = yield* must("GET", `/v1/settlements?payment_intent_id=${String(id)}`, { key })
  const [settlement]: ReadonlyArray<unknown> = Array.isArray(data) ? data : []
  if (typeof settlement !== "object" || settlement === null || !("id" in settlement)) {
    return yield* Effect.die(new Error("a captured payment has a settlement"))
  }
  yield* Effect.orDie((yield* Settlements).proceed(account, String(settlement.id)))
  return String(id)
})

/** A payout that can still be cancelled. */
const payout = Effect.fnUntraced(function*(merchant: Merchant) {
  yield* arrived(merchant)
  const { id: destination_id } = yield* activeInstrument(merchant)
  return yield* must("POST", "/v1/payouts", {
    key: merchant.key,
    body: { amount: 1_000, currency: "USD", destination_id, idempotency_key: randomUUID() }
  })
})

/** Money that the operator holds back. */
const reserves = Effect.fnUntraced(function*(merchant: Merchant, tag: string) {
  yield* arrived(merchant)
  return {
    row: yield* must("POST", "/v1/reserves", {
      key: yield* operatorKey,
      body: { merchant_id: merchant.id, amount: 50_000, currency: "USD", reason: `because of ${tag}`, idempotency_key: randomUUID() }
    })
  }
})

/** Owes the fee of a payment that was refunded. */
export const indebted = Effect.fnUntraced(function*(merchant: Merchant, currency: string) {
  const id = yield* arrived(merchant, currency)
  yield* must("POST", `/v1/payment_intents/${id}/refund`, { key: merchant.key, body: { amount: 1_000_000, idempotency_key: randomUUID() } })
})

/** A debt in a currency of its own that the operator has written off. */
const writeOffs = Effect.fnUntraced(function*(merchant: Merchant, tag: string) {
  yield* indebted(merchant, "GBP")
  return {
    row: yield* must("POST", "/v1/write_offs", {
      key: yield* operatorKey,
      body: { merchant_id: merchant.id, currency: "GBP", reason: `because of ${tag}`, idempotency_key: randomUUID() }
    })
  }
})

/** A capture that the provider has twice, as its statement says. */
const mismatches: Make = Effect.fnUntraced(function*({ key }, tag) {
  const post = (target: string, body: object) => must("POST", target, { key, body: { ...body, idempotency_key: randomUUID() } })
  const { id } = yield* post("/v1/payment_intents", { amount: 1999, currency: "USD", metadata: { tag, "sim.statement": "twice" } })
  const { updated_at } = yield* post(`/v1/payment_intents/${String(id)}/authorize`, { payment_method_id: "tok_visa", capture: true })
  const day = String(updated_at).slice(0, 10)
  const report = yield* must("POST", "/v1/reconciliation/reports", {
    key,
    body: { source: "card_a", from: day, to: `${day}T23:59:59.999Z` }
  })
  const { mismatches: found } = yield* must("GET", `/v1/reconciliation/reports/${String(report["id"])}`, { key })
  const [row]: ReadonlyArray<unknown> = Array.isArray(found) ? found : []
  return typeof row === "object" && row !== null
    ? { row: { ...row } }
    : yield* Effect.die(new Error("what a statement has twice is a mismatch"))
})

/** A card with money on it, and the code that its customer has. */
const giftCard = Effect.fnUntraced(function*(merchant: Merchant) {
  const post = (target: string, body: object) =>
    must("POST", target, { key: merchant.key, body: { ...body, idempotency_key: randomUUID() } })
  yield* arrived(merchant)
  const { code, id } = yield* must("POST", "/v1/gift_cards", { key: merchant.key, body: { currency: "USD" } })
  return { ...yield* post(`/v1/gift_cards/${String(id)}/load`, { amount: 5_000 }), code }
})

/** Somebody who has joined an account, or the installation. */
const joined = Effect.fnUntraced(function*(account_id: string | null, name: string) {
  const people = yield* People
  const { secret } = yield* people.invite({ account_id, role: "support", email: null })
  return yield* Effect.orDie(people.join(Redacted.value(secret), { name, email: null }))
})

/** The session of somebody who is signed in there. */
const signedIn = Effect.fnUntraced(function*(account_id: string | null, name: string) {
  const user_id = yield* joined(account_id, name)
  const { id } = yield* (yield* Sessions).start({ user_id, account_id, ip: null, user_agent: name })
  return { row: { id } }
})

/** By the path of the collection, for what the example of a POST or the first of a list does not give. In this order, before all others. */
/** A call of a tool, which the month's allowance paid for. */
export const toolCalls: Make = Effect.fnUntraced(function*({ id, key }, tag) {
  const meter = yield* Meter
  const draft = {
    id: ToolCallId.make(yield* nextId("call")),
    account_id: id,
    agent_key_id: null,
    tool: `tool ${tag}`,
    mode: "standard",
    arguments_sha256: "0".repeat(64),
    paid_by: "credits"
  } as const
  const quoted = yield* Effect.orDie(meter.quote({ draft, chain: [], quote: 1 }))
  yield* Effect.orDie(meter.charge(quoted, 1, "0".repeat(64)))
  return { row: yield* must("GET", `/v1/tool_calls/${draft.id}`, { key }) }
})

/** A request to go live of an account whose other steps are done. */
const goLiveRequests: Make = Effect.fnUntraced(function*(merchant) {
  const { id: account, key } = merchant
  const post = (target: string, body: object) => must("POST", target, { key, body: { ...body, idempotency_key: randomUUID() } })
  yield* post("/v1/terms/accept", { version: TERMS_VERSION })
  const { id } = yield* post("/v1/legal_entities", {
    type: "individual",
    legal_name: "Ana",
    country: "DE",
    birth_date: "1990-01-31",
    address: { line1: "Weg 1", postal_code: "10115", city: "Berlin", country: "DE" }
  })
  yield* Effect.orDie((yield* LegalEntities).review(account, String(id)))
  yield* activeInstrument(merchant)
  return { row: yield* post("/v1/go_live_requests", {}) }
})

const makers: Readonly<Record<string, Make>> = {
  "/v1/accounts": ({ id }) => Effect.succeed({ row: { id } }),
  "/v1/payment_intents": intents,
  "/v1/approvals": approvals,
  "/v1/second_looks": secondLooks,
  "/v1/plans": ({ key }, tag) =>
    Effect.map(
      must("POST", "/v1/plans", {
        key,
        body: { name: "Plan", amount: 1999, currency: "USD", billing_period: "monthly", external_id: `plan-${tag}` }
      }),
      (row) => ({ row })
    ),
  "/v1/tool_calls": toolCalls,
  // It makes an order, too.
  "/v1/checkout/sessions": sessions,
  "/v1/subscriptions": subscriptions,
  "/v1/customer_portal/sessions": ({ key }, tag) =>
    Effect.map(must("POST", "/v1/customer_portal/sessions", { key, body: { customer_id: `customer-${tag}` } }), (row) => ({ row })),
  "/v1/payment_methods": ({ key }, tag) =>
    Effect.map(
      must("POST", "/v1/payment_methods", { key, body: { type: "card", token: "tok_visa", customer_id: `customer-${tag}` } }),
      (row) => ({ row })
    ),
  "/v1/disputes": disputes,
  "/v1/conversions": conversions,
  "/v1/reserves": reserves,
  "/v1/operator/reserves": reserves,
  "/v1/write_offs": writeOffs,
  "/v1/operator/write_offs": writeOffs,
  "/v1/gift_cards": (merchant) => Effect.map(giftCard(merchant), ({ code: _code, ...row }) => ({ row })),
  "/v1/files": ({ key }, tag) =>
    Effect.map(
      upload(
        `/v1/files?purpose=dispute_evidence&filename=receipt-${encodeURIComponent(tag)}.pdf`,
        key,
        "application/pdf",
        Buffer.from(`%PDF-1.7 ${tag} %%EOF`)
      ),
      (answer) => ({ row: jsonOf(answer) })
    ),
  "/v1/people": ({ id, key }, tag) =>
    Effect.map(Effect.flatMap(joined(id, tag), (person) => must("GET", `/v1/people/${person}`, { key })), (row) => ({ row })),
  "/v1/person_sessions": ({ id }, tag) => signedIn(id, tag),
  "/v1/installation/people": (_, tag) => Effect.map(joined(null, tag), (id) => ({ row: { id } })),
  "/v1/installation/invitations": Effect.fnUntraced(function*() {
    return { row: yield* must("POST", "/v1/installation/invitations", { key: yield* operatorKey, body: { role: "viewer" } }) }
  }),
  "/v1/installation/person_sessions": (_, tag) => signedIn(null, tag),
  // Of the operator's review: under the account that it belongs to.
  "/v1/accounts/{id}/legal_entities": ({ key }, tag) =>
    Effect.map(
      must("POST", "/v1/legal_entities", { key, body: { type: "individual", legal_name: tag, country: "DE" } }),
      ({ id }) => ({ row: { legal_entity_id: id } })
    ),
  "/v1/go_live_requests": goLiveRequests,
  "/v1/operator/go_live_requests": goLiveRequests,
  "/v1/payouts": (merchant) => Effect.map(payout(merchant), (row) => ({ row })),
  "/v1/bank_links": (merchant) => Effect.map(linkedBank(merchant), (row) => ({ row })),
  "/v1/transfer_instruments": (merchant) => Effect.map(activeInstrument(merchant), (row) => ({ row })),
  "/v1/reconciliation/mismatches": mismatches,
  "/v1/idempotency_keys": Effect.fnUntraced(function*({ key }) {
    const idempotency_key = randomUUID()
    yield* must("POST", "/v1/payment_intents", { key, body: { amount: 1999, currency: "USD", idempotency_key } })
    return { row: { key: idempotency_key } }
  }),
  // The payments above moved net revenue.
  "/v1/metrics/rows": ({ key }) =>
    Effect.map(must("GET", "/v1/metrics/rows", { key }), ({ data }) => {
      const [row]: ReadonlyArray<unknown> = Array.isArray(data) ? data : []
      return { row: { ...(typeof row === "object" ? row : {}) } }
    }),
  // Nobody asks for one: the end of each day takes it.
  "/v1/ledger/checkpoints": Effect.fnUntraced(function*({ key }) {
    yield* (yield* Checkpoints).take
    const { data } = yield* must("GET", "/v1/ledger/checkpoints", { key })
    const [row]: ReadonlyArray<unknown> = Array.isArray(data) ? data : []
    return { row: { ...(typeof row === "object" ? row : {}) } }
  }),
  // The first, which is in the checkpoint.
  "/v1/financial_events": ({ key }) =>
    Effect.map(must("GET", "/v1/financial_events?sequence_id%5Blte%5D=1", { key }), ({ data }) => {
      const [row]: ReadonlyArray<unknown> = Array.isArray(data) ? data : []
      return { row: { ...(typeof row === "object" ? row : {}) } }
    })
}

const method = (key: Merchant["key"]) =>
  Effect.map(must("POST", "/v1/payment_methods", { key, body: { type: "card", token: "tok_visa" } }), ({ id }) => String(id))

/** One that something may be sold on; that of the stage is a draft. */
const activePlan = Effect.fnUntraced(function*(key: Merchant["key"]) {
  const { id } = yield* must("POST", "/v1/plans", { key, body: { name: "Plan", amount: 1999, currency: "USD", billing_period: "monthly" } })
  yield* must("POST", `/v1/plans/${String(id)}/activate`, { key })
  return String(id)
})

/** A payment that waits for its money. */
const unpaid = (key: Merchant["key"]) =>
  Effect.map(
    must("POST", "/v1/payment_intents", { key, body: { amount: 1_000, currency: "USD", idempotency_key: randomUUID() } }),
    ({ id }) => String(id)
  )

const paid = (key: Merchant["key"]) =>
  Effect.map(
    must("POST", "/v1/payment_intents", {
      key,
      body: { amount: 1_000, currency: "USD", payment_method_id: "tok_visa", capture: true, idempotency_key: randomUUID() }
    }),
    ({ id }) => String(id)
  )

/** One that is not used yet, and holds. */
const quote = (key: Merchant["key"]) =>
  Effect.map(
    must("POST", "/v1/quotes", { key, body: { source_amount: 10_000, source_currency: "USD", target_currency: "EUR" } }),
    ({ id }) => String(id)
  )

/**
 * Of routes on one that has to stand where the documented example does not leave it: a payment to be converted is captured while it is
 * authorized.
 */
export const readyFor: Readonly<
  Record<string, (merchant: Merchant) => Effect.Effect<Row, never, Makers>>
> = {
  "POST /v1/billing_cycles/{id}/record_charge_result": openCycle,
  "POST /v1/gift_cards/{id}/redeem": giftCard,
  "POST /v1/payment_intents/{id}/capture": Effect.fnUntraced(function*({ key }) {
    const post = (target: string, body: object) => must("POST", target, { key, body: { ...body, idempotency_key: randomUUID() } })
    const { id } = yield* post("/v1/payment_intents", { amount: 1999, currency: "USD", destination_currency: "EUR" })
    return yield* post(`/v1/payment_intents/${String(id)}/authorize`, { payment_method_id: "tok_visa" })
  })
}

/** Of fields that name what has to be fit for it: a method that is nobody's yet, a plan that is sold. */
export const fitFor: Readonly<Record<string, (key: Merchant["key"]) => Effect.Effect<string, never, Service>>> = {
  payment_method_id: method,
  default_payment_method_id: method,
  quote_id: quote,
  // Of the payments, one that nobody has paid yet.
  "POST /v1/gift_cards/{id}/redeem payment_intent_id": unpaid,
  // Of the payments, one with money that has paid nothing else yet.
  "POST /v1/billing_cycles/{id}/record_charge_result payment_intent_id": paid,
  plan_id: activePlan,
  destination_id: (key) => Effect.map(activeInstrument({ key }), ({ id }) => String(id))
}

/** Whether a request without the header would be refused. */
export const hasKeyInHeaderAlone = ({ parameters }: Route): boolean =>
  parameters.some(({ in: place, name, required }) => place === "header" && name === "Idempotency-Key" && required === true)

/** Sends the documented example of a POST to the collection. */
export const makeAnother = (routes: ReadonlyArray<Route>, collection: string, merchant: Merchant) => {
  const { key } = merchant
  // Its example names what only a maker has made.
  if (collection === "/v1/subscriptions") return Effect.map(subscriptions(merchant, "another"), ({ row }): Row => row)
  if (collection === "/v1/invoices") return openInvoice(merchant)
  if (collection === "/v1/payouts") return payout(merchant)
  const post = routes.find((route) => route.method === "POST" && route.path === collection && route.key === "secret_key")
  if (post === undefined) return undefined
  const body = post.body === undefined ? {} : { body: keyed(post.body.example) }
  const headers = hasKeyInHeaderAlone(post) ? { headers: { "Idempotency-Key": randomUUID() } } : {}
  return Effect.catchDefect(
    must("POST", collection, { key, ...body, ...headers }),
    (defect) =>
      Effect.die(
        new Error(
          `A test makes one of ${collection} with the documented example of its POST, and ${
            defect instanceof Error ? defect.message : String(defect)
          }. Give the request an example that is accepted, or "${collection}" an entry in makers of packages/testkit/src/contract/resources.ts`
        )
      )
  )
}

const firstOf = Effect.fnUntraced(function*(routes: ReadonlyArray<Route>, collection: string, { key }: Merchant) {
  const { data } = routes.some(({ method, path }) => method === "GET" && path === collection)
    ? jsonOf(yield* send("GET", collection, { key }))
    : {}
  const [first]: ReadonlyArray<unknown> = Array.isArray(data) ? data : []
  if (typeof first === "object" && first !== null) return { ...first } satisfies Row
  return yield* Effect.die(
    new Error(
      `A test needs a real id for ${collection}/{…}, but nothing takes a POST to ${collection} and GET ${collection} is empty after everything else was made: ` +
        `add an entry "${collection}" to makers in packages/testkit/src/contract/resources.ts that brings one about`
    )
  )
})

/** Opens a merchant and gives it one of everything. `tag` is in every text of its own. */
export const makeResources = Effect.fnUntraced(
  function*(
    tag: string
  ): Effect.fn.Return<
    Resources,
    never,
    Effect.Services<ReturnType<typeof openMerchant>> | Makers
  > {
    const merchant = yield* openMerchant(tag)
    const routes = routesOf(yield* served)
    const made = new Map<string, Made>()
    yield* must("PUT", "/v1/webhook_endpoint", { key: merchant.key, body: { url: "http://127.0.0.1:8443/webhooks" } })
    for (const [collection, make] of Object.entries(makers)) made.set(collection, yield* make(merchant, tag))
    const collections = new Set(routes.flatMap(positionsOf).map(({ collection }) => collection))
    for (const collection of collections) {
      if (made.has(collection)) continue
      const another = makeAnother(routes, collection, merchant)
      made.set(collection, { row: yield* another ?? firstOf(routes, collection, merchant) })
    }
    return { merchant, made }
  }
)

/** What a merchant sees of itself: every list and resource, as text. */
export const snapshot = Effect.fnUntraced(function*(resources: Resources) {
  const { key } = resources.merchant
  const routes = routesOf(yield* served).filter((route) =>
    route.method === "GET" && route.key === "secret_key" && !["/v1/ledger/verify", "/v1/ledger/export", "/v1/work_run"].includes(route.path)
  )
  return yield* Effect.forEach(routes, (route) => {
    const path = fillPath(route.path, (position) => encodeURIComponent(idAt(resources, position)))
    const target = route.parameters.some(({ name }) => name === "per_page") ? `${path}?per_page=100` : path
    return Effect.map(send("GET", target, { key }), (answer) => ({ path: target, status: answer.status, json: jsonOf(answer) }))
  })
})
