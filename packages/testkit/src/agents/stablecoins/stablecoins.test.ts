/** Calls that a wallet pays for: nothing is left of a call whose payment fails, and what came of the payment is told. */
import { assert, layer } from "@effect/vitest"
import { fromJsonText } from "@svc/kernel/values/json-codec"
import { PaidCalls } from "@svc/paywall/paid-calls/service/paid-calls"
import * as Eip3009 from "@svc/paywall/payment/eip3009"
import { baseSepoliaUsdc } from "@svc/paywall/payment/model"
import { requirementsOf } from "@svc/paywall/payment/x402"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { randomBytes } from "node:crypto"
import { field } from "../../clients/conformance/parts.ts"
import { send } from "../../contract/service.ts"
import { type Wallet, walletOf } from "../../lost-replies/wallet.ts"
import { parse } from "../fuzz/judge.ts"
import { type Caller, layerWith, openCaller } from "../service.ts"
import { type Bank, openBank } from "./facilitator.ts"

const stablecoin = { ...baseSepoliaUsdc, payTo: "0x209693Bc6afc0C5328bA36FaF03C514EF312287C" }

class Facilitator extends Context.Service<Facilitator, Bank>()("@svc/testkit/agents/stablecoins/Facilitator") {}

const services = Layer.unwrap(
  Effect.map(openBank, (bank) =>
    layerWith({ TOOLS_FACILITATOR_URL: bank.url, TOOLS_STABLECOIN_PAY_TO: stablecoin.payTo }).pipe(
      Layer.provideMerge(Layer.succeed(Facilitator, bank))
    ))
)

const Told = Schema.Struct({ success: Schema.Boolean, transaction: Schema.String, errorReason: Schema.optionalKey(Schema.String) })
const decodeTold = Schema.decodeUnknownSync(fromJsonText(Told))
const tell = (header: string | undefined) => {
  const { errorReason, success, transaction } = decodeTold(Buffer.from(header ?? "", "base64").toString("utf8"))
  return { success, transaction, ...(errorReason === undefined ? {} : { errorReason }) }
}

const CENT = 10_000

/** What a wallet signs for so many cents, as x402 sends it. */
const signedFor = (wallet: Wallet, cents: number): Readonly<Record<string, string>> => {
  const authorization = {
    from: wallet.address,
    to: stablecoin.payTo,
    value: String(cents * CENT),
    validAfter: "0",
    validBefore: String(Math.floor(Date.now() / 1000) + 280),
    nonce: `0x${randomBytes(32).toString("hex")}`
  }
  const payload = { signature: wallet.sign(Eip3009.digestOf(authorization, stablecoin)), authorization }
  const payment = { x402Version: 2, accepted: requirementsOf(stablecoin, cents, "exact"), payload }
  return { "PAYMENT-SIGNATURE": Buffer.from(JSON.stringify(payment)).toString("base64") }
}

const call = Effect.fnUntraced(
  function*({ key }: Caller, name: string, args: object, headers: Readonly<Record<string, string>> = {}) {
    const answer = yield* send("POST", "/mcp", {
      key,
      headers,
      body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }
    })
    return { ...answer, body: parse(answer.text) }
  }
)

const capture = () => ({ operation: "capture", namespace: "shop", event: { event: "signup" } })
/** Refused by the run: it names no event. */
const nothing = { operation: "capture", namespace: "shop" }
const contentOf = (answer: { readonly body: unknown }) => field(answer.body, "result", "structuredContent")

const countOf = Effect.fnUntraced(function*(caller: Caller) {
  const counted = yield* call(caller, "svc_analytics", { operation: "query", namespace: "shop", query: { kind: "count" } })
  return field(contentOf(counted), "count")
})

const fill = (bank: Bank, wallet: Wallet, cents: number) => bank.balances.set(wallet.address.toLowerCase(), cents * CENT)

layer(services, { excludeTestServices: true, timeout: "60 seconds" })("a call that a wallet pays for", (it) => {
  const fresh = Effect.fnUntraced(function*(name: string, cents: number) {
    const bank = yield* Facilitator
    bank.manner = "as it should"
    bank.asked.length = 0
    const wallet = walletOf(name)
    fill(bank, wallet, cents)
    return { bank, wallet, caller: yield* openCaller(name) }
  })

  it.effect("leaves nothing where the wallet is empty, and says why the payment was not carried out", () =>
    Effect.gen(function*() {
      const { bank, caller, wallet } = yield* fresh("empty", 0)
      for (let n = 0; n < 3; n++) {
        const refused = yield* call(caller, "svc_analytics", capture(), signedFor(wallet, 1))
        assert.strictEqual(refused.status, 402, refused.text)
        assert.include(String(field(refused.body, "detail")), "insufficient_funds")
        assert.deepStrictEqual(tell(refused.headers["payment-response"]), {
          success: false,
          transaction: "",
          errorReason: "insufficient_funds"
        })
        assert.isString(refused.headers["payment-required"])
      }
      assert.strictEqual(yield* countOf(caller), 0)
      assert.deepStrictEqual(bank.asked, ["verify", "verify", "verify"])
    }))

  it.effect("leaves nothing where the wallet is emptied between the look and the transfer", () =>
    Effect.gen(function*() {
      const { bank, caller, wallet } = yield* fresh("emptied", 1)
      bank.manner = "emptied"
      const refused = yield* call(caller, "svc_analytics", capture(), signedFor(wallet, 1))
      assert.strictEqual(refused.status, 402, refused.text)
      assert.isFalse(tell(refused.headers["payment-response"]).success)
      assert.strictEqual(yield* countOf(caller), 0)
      assert.deepStrictEqual(bank.asked, ["verify", "settle"])
    }))

  it.effect("takes back a snapshot whose payment fails after the run", () =>
    Effect.gen(function*() {
      const { bank, caller, wallet } = yield* fresh("analysis", 300)
      bank.manner = "emptied"
      const args = { project_name: "shop", files: [{ path: "src/index.ts", content: "export const shop = 1\n" }] }
      const refused = yield* call(caller, "analyze_files", args, signedFor(wallet, 300))
      assert.strictEqual(refused.status, 402, refused.text)
      const sql = yield* SqlClient.SqlClient
      const left = yield* Effect.orDie(sql`SELECT 1 FROM snapshots WHERE account_id = ${caller.id}`)
      assert.deepStrictEqual(left, [])
    }))

  it.effect("is answered once for its money, and tells what it cost", () =>
    Effect.gen(function*() {
      const { bank, caller, wallet } = yield* fresh("paying", 1)
      const payment = signedFor(wallet, 1)
      const paid = yield* call(caller, "svc_analytics", capture(), payment)
      assert.deepStrictEqual([paid.status, contentOf(paid), paid.headers["x-svc-request-cost"]], [200, { captured: 1 }, "1"])
      assert.isTrue(tell(paid.headers["payment-response"]).success)
      const again = yield* call(caller, "svc_analytics", capture(), payment)
      assert.deepStrictEqual([contentOf(again), again.headers["x-svc-request-cost"]], [{ captured: 1 }, "0"])
      assert.deepStrictEqual([yield* countOf(caller), bank.asked], [1, ["verify", "settle"]])
    }))

  it.effect("that fails after its money has come leaves the money to the account as credits", () =>
    Effect.gen(function*() {
      const { caller, wallet } = yield* fresh("failing", 5)
      const payment = signedFor(wallet, 1)
      const { headers: before } = yield* call(caller, "list_programs", {})
      const failed = yield* call(caller, "svc_analytics", nothing, payment)
      assert.deepStrictEqual([failed.status, field(failed.body, "result", "isError")], [200, true], failed.text)
      assert.include(JSON.stringify(field(failed.body, "result", "_meta")), "1 cent of credits")
      assert.isTrue(tell(failed.headers["payment-response"]).success)
      assert.strictEqual(Number(failed.headers["x-svc-credits-balance"]) - Number(before["x-svc-credits-balance"]), 10)
      // Whoever sends the payment again is not paid for twice, and is told where the money is.
      const again = yield* call(caller, "svc_analytics", nothing, payment)
      assert.deepStrictEqual([again.status, field(again.body, "error", "data", "credits_cents")], [409, 1], again.text)
    }))

  it.effect("does not run while the facilitator cannot be asked, and does with the same payment afterwards", () =>
    Effect.gen(function*() {
      const { bank, caller, wallet } = yield* fresh("away", 1)
      const payment = signedFor(wallet, 1)
      bank.manner = "away"
      const refused = yield* call(caller, "svc_analytics", capture(), payment)
      assert.deepStrictEqual(
        [field(refused.body, "error", "code"), field(refused.body, "error", "data", "retryable"), refused.headers["retry-after"]],
        [-32603, true, "5"]
      )
      bank.manner = "as it should"
      assert.strictEqual(yield* countOf(caller), 0)
      assert.deepStrictEqual(contentOf(yield* call(caller, "svc_analytics", capture(), payment)), { captured: 1 })
    }))

  it.effect.each(["nameless", "lost"] as const)(
    "waits for an outcome that nobody knows (%s), and then is credits",
    (manner) =>
      Effect.gen(function*() {
        const { bank, caller, wallet } = yield* fresh(`unknown ${manner}`, 1)
        bank.manner = manner
        const pending = yield* call(caller, "svc_analytics", capture(), signedFor(wallet, 1))
        assert.strictEqual(pending.status, 202, pending.text)
        const id = String(field(contentOf(pending), "call_id"))
        bank.manner = "as it should"
        yield* (yield* PaidCalls).finish(caller.id, id)
        const state = yield* send("GET", `/v1/calls/${id}`, { key: caller.key })
        const { error, price } = Schema.decodeUnknownSync(fromJsonText(Schema.Struct({ error: Schema.String, price: Schema.Int })))(
          state.text
        )
        assert.deepStrictEqual([error, price, yield* countOf(caller)], ["kept_as_credits", 0, 0])
        const sql = yield* SqlClient.SqlClient
        const [grant] = yield* Effect.orDie(sql<{ readonly cents: number; readonly intent: boolean }>`
        SELECT cents, payment_intent_id IS NOT NULL AS intent FROM credit_grants WHERE account_id = ${caller.id}`)
        assert.deepStrictEqual({ ...grant }, { cents: 1, intent: true })
      })
  )

  it.effect("for one account is no call of another that the same wallet pays for", () =>
    Effect.gen(function*() {
      const { caller, wallet } = yield* fresh("one wallet", 2)
      const other = yield* openCaller("the other")
      const search = { operation: "search", namespace: "n", query: "refunds" }
      for (const account of [caller, other]) {
        const paid = yield* call(account, "svc_web_search", search, signedFor(wallet, 1))
        assert.deepStrictEqual([paid.status, contentOf(paid), paid.headers["x-svc-request-cost"]], [200, { hits: [] }, "1"], paid.text)
      }
    }))
})
