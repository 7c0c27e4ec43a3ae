/**
 * The clients that agents pay with, unchanged, over a connection that breaks when the answer comes. They fail, are called again, and pay
 * once.
 */
import { assert, layer } from "@effect/vitest"
import { MerchantAccount } from "@svc/paywall/merchant/merchant-account"
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { field } from "./conformance/parts.ts"
import { type Cut, cutting } from "./cutting-proxy.ts"
import { runClient } from "./installed.ts"
import { base, toolServer } from "./listener.ts"

const Printed = Schema.Struct({ status: Schema.Number, body: Schema.Unknown, answered: Schema.Array(Schema.Number) })
const decode = Schema.decodeUnknownEffect(Printed)
const Signed = Schema.Struct({ token: Schema.String })
const decodeSigned = Schema.decodeUnknownEffect(Signed)

const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "ping_payment", arguments: {} } })

const captures = Effect.gen(function*() {
  const merchantAccount = yield* (yield* MerchantAccount).merchant(true)
  const [row] = yield* (yield* SqlClient.SqlClient)<
    { readonly n: number }
  >`SELECT count(*)::int AS n FROM payment_intents WHERE merchant_id = ${merchantAccount.id} AND state IN ('captured', 'pending')`
  return row?.n ?? 0
})

const signUp = Effect.flatMap(base, (at) =>
  Effect.flatMap(
    Effect.promise(async () => {
      const response = await fetch(`${at}/v1/agents/signup`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ agent_name: "unlucky" })
      })
      const signed: unknown = await response.json()
      return signed
    }),
    decodeSigned
  ))

const cuts: ReadonlyArray<Cut> = ["in the body", "before the body", "before the request", "before the head"]

layer(Layer.provideMerge(MerchantAccount.layer, toolServer), { excludeTestServices: true, timeout: "120 seconds" })(
  "stock clients whose answer is lost",
  (it) => {
    const cases = ["mppx card", "mppx evm", "mppx x402", "x402 exact", "x402 v1"].map((client, n) => ({
      client,
      cut: cuts[n % cuts.length] ?? "in the body"
    }))
    // A card says of nobody whose it is, so it needs the key.
    it.effect.each([...cases.map((one) => ({ ...one, whose: "key" })), ...cases.slice(1).map((one) => ({ ...one, whose: "wallet" }))])(
      "$client, $cut, known by the $whose",
      ({ client, cut, whose }) =>
        Effect.scoped(Effect.gen(function*() {
          const { token } = yield* signUp
          const before = yield* captures
          // The clients share a wallet, and ask for the same thing: as if ten minutes lay between them.
          yield* (yield* SqlClient.SqlClient)`DELETE FROM payment_claims WHERE key LIKE 'same:%'`
          const proxy = yield* cutting(yield* base, cut, 1)
          const asking = runClient("pay.mjs", {
            client,
            body,
            url: `${proxy.url}/v1/mcp`,
            headers: whose === "key" ? { "x-svc-key": token } : {}
          })
          // Whether the client itself tries again or fails, its agent calls once more.
          const first = yield* Effect.result(asking)
          const printed = yield* Effect.flatMap(asking, decode)
          // Who is known by the key has the result before a payment is asked for.
          assert.isAtLeast(proxy.paid, whose === "key" && cut !== "before the request" ? 1 : 2, JSON.stringify(first))
          // Whether it comes with the same signature, a fresh one or none: who has paid has the result.
          assert.strictEqual(printed.status, 200, JSON.stringify(printed.body))
          assert.deepInclude(field(printed.body, "result", "structuredContent"), { ok: true, settled_cents: 1 })
          assert.strictEqual((yield* captures) - before, 1)
        })),
      120_000
    )
  }
)
