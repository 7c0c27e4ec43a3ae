/** The SDK against the running service: its own listener, routes, workers and database. */
import { assert, layer } from "@effect/vitest"
import { Accounts } from "@svc/accounts/accounts/service"
import { ApiKeys } from "@svc/accounts/api-keys/service"
import { signatureHeader } from "@svc/kernel/signatures/webhook-signature"
import { layer as service } from "@svc/testkit/contract/service"
import { Clock, Context, Effect, Layer, Redacted } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest, HttpClientResponse, HttpServer } from "effect/http"
import type { Client } from "./client.ts"
import { ifMatch, makeClient, SvcClient } from "./client.ts"
import type { FinancialEvent } from "./ledger.ts"
import { verifyChain, verifyLedger } from "./ledger.ts"
import { verifyWebhook } from "./webhooks.ts"

/** Where the service of this file listens, and the key of a sandbox merchant of its own. */
class Installation extends Context.Service<Installation, {
  readonly baseUrl: string
  readonly openAccount: Effect.Effect<Redacted.Redacted<string>>
  readonly operatorKey: Redacted.Redacted<string>
}>()("@svc/client/test/Installation") {}

const installation = Layer.effect(
  Installation,
  Effect.gen(function*() {
    const { address } = yield* HttpServer.HttpServer
    const accounts = yield* Accounts
    const operator = yield* (yield* ApiKeys).issue({ accountId: null, kind: "operator", name: "Client", scopes: [] })
    return {
      operatorKey: operator.secret,
      baseUrl: HttpServer.formatAddress(address),
      openAccount: Effect.map(accounts.create({ name: "Client", sandbox: true }), ({ key }) => key.secret)
    }
  })
).pipe(Layer.provide(service))

const clientOf = Effect.gen(function*() {
  const { baseUrl, openAccount } = yield* Installation
  return yield* makeClient({ baseUrl, secretKey: yield* openAccount })
}).pipe(Effect.provide(FetchHttpClient.layer))

let keys = 0
const key = () => ({ idempotency_key: `client-test-${++keys}` })

const charge = Effect.fnUntraced(function*(client: Client, amount: number, payment_method_id = "tok_visa") {
  const { id } = yield* client.payment_intents.create({ payload: { amount, currency: "EUR", ...key() } })
  return yield* client.payment_intents.authorize({ params: { id }, payload: { payment_method_id, capture: true, ...key() } })
})

const chainOf = Effect.fnUntraced(function*(client: Client) {
  const { data } = yield* client.financial_events.list({ query: { page: 1, per_page: 100 } })
  return data.toReversed()
})

layer(installation, { excludeTestServices: true })("the SDK against a running service", (it) => {
  it.effect("charges, refunds and reads back what it did", () =>
    Effect.gen(function*() {
      const client = yield* clientOf
      const captured = yield* charge(client, 2500)
      assert.strictEqual(captured.state, "captured")
      const refunded = yield* client.payment_intents.refund({ params: { id: captured.id }, payload: { amount: 500, ...key() } })
      assert.deepStrictEqual(
        { state: refunded.state, captured: refunded.captured_amount, refunded: refunded.refunded_amount },
        { state: "captured", captured: 2500, refunded: 500 }
      )
      assert.deepStrictEqual(yield* client.payment_intents.get({ params: { id: captured.id } }), refunded)
    }))

  it.effect("gives names of metadata as the service answered them, whatever shapes V8 knows", () =>
    Effect.gen(function*() {
      const { baseUrl, openAccount } = yield* Installation
      const secretKey = yield* openAccount
      const { id } = yield* (yield* makeClient({ baseUrl, secretKey })).payment_intents.create({
        payload: { amount: 700, currency: "EUR", ...key() }
      })
      const request = HttpClientRequest.get(`${baseUrl}/v1/payment_intents/${id}`).pipe(HttpClientRequest.bearerToken(secretKey))
      const text = yield* Effect.flatMap(HttpClient.execute(request), (answer) => answer.text)
      for (
        const [first, sent, meant] of [["p", "a\\\"", "a\""], ["q", "a\\n", "a\n"], ["r", "a\\u00e9", "aé"], ["s", "a\\\\", "a\\"]] as const
      ) {
        // V8 expects the one name that it has seen behind this one.
        JSON.parse(`{"${first}":"1","a\\\\":"2"}`)
        const answer = text.replace("\"metadata\":{}", `"metadata":{"${first}":"1","${sent}":"2"}`)
        const service = HttpClient.make((asked) => Effect.succeed(HttpClientResponse.fromWeb(asked, new Response(answer))))
        const client = yield* makeClient({ baseUrl, secretKey }).pipe(Effect.provideService(HttpClient.HttpClient, service))
        assert.deepStrictEqual((yield* client.payment_intents.get({ params: { id } })).metadata, { [first]: "1", [meant]: "2" })
      }
    }).pipe(Effect.provide(FetchHttpClient.layer)))

  it.effect("expands what is referred to, typed as its own retrieval is", () =>
    Effect.gen(function*() {
      const client = yield* clientOf
      const intents = yield* Effect.forEach([3000, 3001, 3002], (amount) => charge(client, amount))
      const { data } = yield* client.settlements.list({ query: { per_page: 3, "expand[]": ["payment_intent"] } })
      assert.deepStrictEqual(data.map(({ payment_intent }) => payment_intent?.amount), [3002, 3001, 3000])
      const [settlement] = data
      assert(settlement !== undefined)
      assert.deepStrictEqual(settlement.payment_intent, yield* client.payment_intents.get({ params: { id: settlement.payment_intent_id } }))
      assert.strictEqual(settlement.payment_intent_id, intents[2]?.id)
      assert.deepStrictEqual(
        yield* client.settlements.get({ params: { id: settlement.id }, query: { "expand[]": ["payment_intent"] } }),
        settlement
      )
      const plain = yield* client.settlements.get({ params: { id: settlement.id }, query: {} })
      assert.notProperty(plain, "payment_intent")
    }))

  it.effect("replays: the same key gives the same payment", () =>
    Effect.gen(function*() {
      const client = yield* clientOf
      const payload = { amount: 700, currency: "EUR", ...key() }
      const first = yield* client.payment_intents.create({ payload })
      assert.deepStrictEqual(yield* client.payment_intents.create({ payload }), first)
      const reused = yield* Effect.flip(client.payment_intents.create({ payload: { ...payload, amount: 701 } }))
      assert.strictEqual(reused._tag, "IdempotencyKeyReused")
    }))

  it.effect("a verb acts on the version that the caller read, and on no other", () =>
    Effect.gen(function*() {
      const client = yield* clientOf
      const { id, version } = yield* client.payment_intents.create({ payload: { amount: 900, currency: "EUR", ...key() } })
      const authorize = client.payment_intents.authorize({ params: { id }, payload: { payment_method_id: "tok_visa", ...key() } })
      const stale = yield* Effect.flip(authorize.pipe(ifMatch(version + 1)))
      assert(stale._tag === "VersionConflict")
      assert.deepStrictEqual(stale.details, { version })
      const authorized = yield* authorize.pipe(ifMatch(version))
      assert.deepStrictEqual([authorized.state, authorized.version], ["authorized", version + 1])
      // A version is sent with the call that it was given to.
      const voided = yield* client.payment_intents.void({ params: { id }, payload: key() })
      assert.strictEqual(voided.state, "cancelled")
    }))

  it.effect("a refusal is a typed error", () =>
    Effect.gen(function*() {
      const client = yield* clientOf
      const declined = yield* Effect.flip(charge(client, 900, "tok_insufficient_funds"))
      assert(declined._tag === "CardDeclined")
      assert.strictEqual(declined.decline_code, "insufficient_funds")
      assert.match(declined.request_id ?? "", /^req_/)
      const missing = yield* Effect.flip(client.payment_intents.get({ params: { id: "pi_00000000000000000000000000" } }))
      assert.strictEqual(missing._tag, "NotFound")
    }))

  it.effect("a key that opens nothing is Unauthorized, as a service layer too", () =>
    Effect.gen(function*() {
      const { baseUrl } = yield* Installation
      const refused = yield* Effect.flip(
        SvcClient.use((client) => client.accounts.own({})).pipe(
          Effect.provide(SvcClient.layer({ baseUrl, secretKey: "sk_test_unknown" }))
        )
      )
      assert.strictEqual(refused._tag, "Unauthorized")
    }))

  it.effect("an operator's key opens the operator's routes, reads accounts, and opens no merchant's", () =>
    Effect.gen(function*() {
      const { baseUrl, operatorKey } = yield* Installation
      const operator = yield* makeClient({ baseUrl, secretKey: operatorKey })
      const opened = yield* operator.operator_accounts.create({ payload: { name: "Other", sandbox: true } })
      const merchant = yield* makeClient({ baseUrl, secretKey: opened.api_key.secret })
      assert.strictEqual((yield* merchant.accounts.own({})).id, opened.id)
      const refused = [
        yield* Effect.flip(operator.accounts.own({})),
        yield* Effect.flip(merchant.operator_accounts.suspend({ params: { id: opened.id } }))
      ]
      assert.deepStrictEqual(refused.map(({ _tag }) => _tag), ["Forbidden", "Forbidden"])
      const read = yield* operator.accounts.get({ params: { id: opened.id } })
      assert.deepStrictEqual(read, yield* merchant.accounts.own({}))
      const { data } = yield* operator.operator_accounts.list({ query: { per_page: 20, q: opened.id, sandbox: true, status: "active" } })
      assert.deepStrictEqual(data, [read])
    }).pipe(Effect.provide(FetchHttpClient.layer)))
})

layer(installation, { excludeTestServices: true })("a ledger checked from outside", (it) => {
  it.effect("holds when it is empty, and after payments in more pieces than one", () =>
    Effect.gen(function*() {
      const client = yield* clientOf
      const empty = yield* verifyLedger(client)
      assert.deepStrictEqual({ ok: empty.ok, checked: empty.checked }, { ok: true, checked: 0 })
      // Each charge is four events; a piece is a hundred.
      yield* Effect.forEach(Array.from({ length: 30 }, (_, n) => 1000 + n), (amount) => charge(client, amount), { concurrency: 10 })
      const report = yield* verifyLedger(client)
      const service = yield* client.financial_events.verify({ query: {} })
      assert.deepStrictEqual(
        { ok: report.ok, checked: report.checked, head_hash: report.head_hash, first_break: report.first_break },
        { ok: true, checked: 120, head_hash: service.head_hash, first_break: null }
      )
    }))

  it.effect("any changed, missing or moved event is found where it stands", () =>
    Effect.gen(function*() {
      const client = yield* clientOf
      yield* charge(client, 4200)
      const chain = yield* chainOf(client)
      assert.isNull(verifyChain(chain).first_break)
      const changes: ReadonlyArray<(event: FinancialEvent) => FinancialEvent> = [
        (event) => ({ ...event, amount: event.amount + 1 }),
        (event) => ({ ...event, delta_pending: event.delta_pending - 1 }),
        (event) => ({ ...event, currency: "USD" }),
        (event) => ({ ...event, resource_id: "pi_00000000000000000000000000" }),
        (event) => ({ ...event, idempotency_key: "another" }),
        (event) => ({ ...event, event_hash: event.previous_hash })
      ]
      for (const [at, event] of chain.entries()) {
        for (const change of changes) {
          assert.deepStrictEqual(verifyChain(chain.with(at, change(event))).first_break, { sequence_id: at + 1, reason: "hash_mismatch" })
        }
        const without = chain.toSpliced(at, 1)
        const last = at === chain.length - 1
        assert.deepStrictEqual(verifyChain(without).first_break, last ? null : { sequence_id: at + 1, reason: "gap" })
      }
    }))

  it.effect("an event that moves money as none of its type does is found, even where no hash tells", () =>
    Effect.gen(function*() {
      const client = yield* clientOf
      yield* charge(client, 4200)
      const chain = yield* chainOf(client)
      // The platform's side is not hashed.
      for (const [at, event] of chain.entries()) {
        const counter_account = event.counter_account === "P.bank" ? "P.fx" : "P.bank"
        for (const wrong of [{ ...event, counter_account }, { ...event, counter_delta: event.counter_delta + 1 }] as const) {
          assert.deepStrictEqual(verifyChain(chain.with(at, wrong)).first_break, { sequence_id: at + 1, reason: "balance_mismatch" })
        }
      }
    }))

  it.effect("pieces give what the whole gives", () =>
    Effect.gen(function*() {
      const client = yield* clientOf
      yield* charge(client, 4200)
      const chain = yield* chainOf(client)
      const whole = verifyChain(chain)
      for (let cut = 0; cut <= chain.length; cut++) {
        assert.deepStrictEqual(verifyChain(chain.slice(cut), verifyChain(chain.slice(0, cut))), whole)
      }
    }))
})

layer(installation, { excludeTestServices: true })("webhooks at the receiver", (it) => {
  const secret = "whsec_of_the_receiver"

  /** A real event as it is delivered: the bytes of the event list. */
  const delivery = Effect.gen(function*() {
    const client = yield* clientOf
    yield* charge(client, 1200)
    const { data } = yield* client.events.list({ query: { page: 1, per_page: 1 } })
    const [event] = data
    assert(event !== undefined)
    const body = JSON.stringify({ ...event, created_at: event.created_at.toJSON() })
    const timestamp = Math.floor((yield* Clock.currentTimeMillis) / 1000)
    return { event, body, timestamp, header: signatureHeader({ secrets: [secret], timestamp, body }) }
  })

  it.effect("an authentic delivery is the event it carries, whatever shape the headers come in", () =>
    Effect.gen(function*() {
      const { body, event, header } = yield* delivery
      const shapes = [{ "webhook-signature": header }, { "Webhook-Signature": [header] }, new Headers({ "Webhook-Signature": header })]
      for (const headers of shapes) {
        assert.deepStrictEqual(yield* verifyWebhook(body, headers, secret), event)
        assert.deepStrictEqual(yield* verifyWebhook(Buffer.from(body), headers, Redacted.make(secret)), event)
      }
      assert.deepStrictEqual(yield* verifyWebhook(body, { "webhook-signature": header }, ["whsec_the_next", secret]), event)
    }))

  it.effect("a name in a delivery is the one that was signed", () =>
    Effect.gen(function*() {
      const { event, timestamp } = yield* delivery
      JSON.parse(String.raw`{"signed":1,"a name\\":2}`)
      const data = { signed: 1, "a name\"": 2 }
      const body = JSON.stringify({ ...event, created_at: event.created_at.toJSON(), data })
      const header = signatureHeader({ secrets: [secret], timestamp, body })
      assert.deepStrictEqual((yield* verifyWebhook(body, { "webhook-signature": header }, secret)).data, data)
    }))

  it.effect("a changed body, another secret, an old timestamp and no signature are refused", () =>
    Effect.gen(function*() {
      const { body, header, timestamp } = yield* delivery
      const old = signatureHeader({ secrets: [secret], timestamp: timestamp - 301, body })
      const cases: ReadonlyArray<readonly [body: string, header: string | undefined, secret: string, reason: string]> = [
        [body.replace("1200", "1201"), header, secret, "no_match"],
        [body, header, "whsec_of_another", "no_match"],
        [body, old, secret, "timestamp_out_of_tolerance"],
        [body, undefined, secret, "malformed"],
        [body, "", secret, "malformed"]
      ]
      for (const [sent, signature, known, reason] of cases) {
        const refused = yield* Effect.flip(verifyWebhook(sent, { "webhook-signature": signature }, known))
        assert(refused._tag === "SignatureRefusal")
        assert.strictEqual(refused.reason, reason)
      }
    }))
})
