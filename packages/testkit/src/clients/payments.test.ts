/** The clients that agents pay with, unchanged, against the modules that a gate is built of. */
import { assert, layer } from "@effect/vitest"
import { fromJsonText } from "@svc/kernel/values/json-codec"
import * as Facilitator from "@svc/paywall/payment/facilitator"
import { Effect, Schema } from "effect"
import { runClient } from "./installed.ts"
import { serve } from "./paid-server.ts"

const PAYER = "0x2c7536E3605D9C16a7a3D7b1898e529396a65c23"

const Fields = Schema.Record(Schema.String, Schema.Unknown)
const Answer = Schema.Struct({ result: Schema.Struct({ structuredContent: Fields, _meta: Fields }) })
const Printed = Schema.Struct({
  status: Schema.Number,
  body: Answer,
  answered: Schema.Array(Schema.Number),
  sent: Schema.Array(Schema.Struct({ headers: Schema.Record(Schema.String, Schema.String), body: Schema.String })),
  receipts: Schema.Record(Schema.String, Fields)
})
const decode = Schema.decodeUnknownEffect(Printed)
const decodeAnswer = Schema.decodeUnknownEffect(fromJsonText(Answer))

const body = JSON.stringify({
  jsonrpc: "2.0",
  id: 7,
  method: "tools/call",
  params: { name: "svc_research", arguments: { url: "https://example.com/é" } }
})

const post = (url: string, { body, headers }: typeof Printed.Type["sent"][number]) =>
  Effect.promise(() => fetch(url, { method: "POST", headers, body }).then((response) => response.text()))

/** Pays once with the client, and sends what it paid with a second time by hand. */
const pay = Effect.fnUntraced(function*(client: string, path: string, headers: Readonly<Record<string, string>>) {
  const base = yield* serve
  const url = `${base}${path}`
  const printed = yield* Effect.flatMap(runClient("pay.mjs", { client, body, headers, url }), decode)
  const [, paid] = printed.sent
  if (paid === undefined) return yield* Effect.die("nothing was paid")
  const { _meta: meta, structuredContent: result } = printed.body.result
  return { ...printed, paid, result, meta, first: printed.body, again: yield* decodeAnswer(yield* post(url, paid)) }
})

interface Case {
  readonly client: string
  /** The header that the payment comes in. */
  readonly header: string
  readonly result: Readonly<Record<string, unknown>>
  readonly receipt: readonly [header: string, says: Readonly<Record<string, unknown>>]
}

const payer = `eip155:84532:${PAYER.toLowerCase()}`
const exact = { paid_with: "Stablecoin", scheme: "exact", payer, account: "acct_1" }
const settled = { success: true, network: "eip155:84532", payer: PAYER, extra: { settlement: "simulated" } }

const cases: ReadonlyArray<Case> = [
  // Its own header takes the place of the key's: the challenge says whose call it is.
  {
    client: "mppx card",
    header: "authorization",
    result: { paid_with: "Card", token: "spt_test_profile_test_5", account: "acct_1" },
    receipt: ["payment-receipt", { status: "success", method: "stripe", settlement: "simulated" }]
  },
  {
    client: "mppx evm",
    header: "authorization",
    result: exact,
    receipt: ["payment-receipt", { status: "success", method: "evm", settlement: "simulated" }]
  },
  { client: "mppx x402", header: "payment-signature", result: exact, receipt: ["payment-response", { ...settled, amount: "50000" }] },
  { client: "x402 exact", header: "payment-signature", result: exact, receipt: ["payment-response", { ...settled, amount: "50000" }] },
  {
    client: "x402 upto",
    header: "payment-signature",
    result: { ...exact, scheme: "upto" },
    receipt: ["payment-response", { ...settled, amount: "30000" }]
  },
  {
    client: "x402 identified",
    header: "payment-signature",
    result: { ...exact, identifier: "pay_7d5d747be160e280504c099d984bcfe0" },
    receipt: ["payment-response", settled]
  },
  { client: "x402 v1", header: "x-payment", result: exact, receipt: ["x-payment-response", { ...settled, network: "base-sepolia" }] }
]

layer(Facilitator.simulated, { excludeTestServices: true })("stock clients", (it) => {
  it.effect.each(cases)(
    "$client pays, reads its receipt, and is not sold the call twice",
    ({ client, header, receipt: [name, says], result }) =>
      Effect.scoped(Effect.gen(function*() {
        const done = yield* pay(client, "/call", { authorization: "Bearer svck_test_1" })
        assert.deepStrictEqual(done.answered, [402, 200])
        assert.property(done.paid.headers, header)
        assert.deepStrictEqual(done.result, result)
        assert.deepInclude(done.receipts[name], says)
        assert.deepStrictEqual(done.again, done.first)
      })),
    120_000
  )

  it.effect.each(["mppx card", "mppx evm"])(
    "%s pays when it is asked in the result of a tool",
    (client) =>
      Effect.scoped(Effect.gen(function*() {
        const { again, answered, first, meta, paid } = yield* pay(client, "/mcp", { accept: "application/json, text/event-stream" })
        assert.deepStrictEqual(answered, [200, 200])
        assert.include(paid.body, "org.paymentauth/credential")
        assert.deepInclude(meta["org.paymentauth/receipt"], { status: "success", settlement: "simulated" })
        assert.deepStrictEqual(again, first)
      })),
    120_000
  )
})
