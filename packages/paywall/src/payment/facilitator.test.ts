import { assert, describe, it } from "@effect/vitest"
import { EgressError } from "@svc/kernel/egress/model"
import { receiver } from "@svc/kernel/egress/receiver.fixture"
import * as Egress from "@svc/kernel/egress/service"
import { Effect, Layer } from "effect"
import type { RequestListener } from "node:http"
import { text } from "node:stream/consumers"
import * as Facilitator from "./facilitator.ts"
import { PAYER, stablecoin, transferOf } from "./fixture.ts"
import type { Settlement, StablecoinPayment } from "./model.ts"

const authorization = transferOf(`0x${"ab".repeat(32)}`)
const signature = `0x${"11".repeat(65)}`
const payment: StablecoinPayment = { _tag: "Stablecoin", protocol: "x402-v1", signed: { scheme: "exact", authorization }, signature }
const permitAuthorization = {
  from: PAYER,
  permitted: { token: stablecoin.asset, amount: "50000" },
  spender: PAYER,
  nonce: "1",
  deadline: "2",
  witness: { to: stablecoin.payTo, facilitator: stablecoin.facilitator, validAfter: "0" }
}
const permission: StablecoinPayment = { ...payment, protocol: "x402-v2", signed: { scheme: "upto", authorization: permitAuthorization } }
const transfer = { payment, stablecoin, cents: 5 }

const egress = Egress.layer({ allow: ["127.0.0.1"] })

/** Asks a facilitator at this address. */
const asking = <A, E>(
  url: string,
  ask: (facilitator: typeof Facilitator.Facilitator.Service) => Effect.Effect<A, E>,
  out: Layer.Layer<Egress.Egress> = egress
) => Effect.flatMap(Facilitator.Facilitator, ask).pipe(Effect.provide(Facilitator.remote(url).pipe(Layer.provide(out))))

const at = (handle: RequestListener, path = "") => Effect.map(receiver(handle), (port) => `http://127.0.0.1:${port}${path}`)
const saying = (status: number, body: unknown): RequestListener => (request, response) => {
  request.resume()
  response.writeHead(status, { "content-type": "application/json" }).end(typeof body === "string" ? body : JSON.stringify(body))
}
const hangingUp: RequestListener = (request) => request.socket.destroy()

describe("a facilitator", () => {
  it.live("is asked in the form of version 2, whichever the payment came in, and is told what to take", () =>
    Effect.scoped(Effect.gen(function*() {
      const asked: Array<readonly [string | undefined, unknown]> = []
      const url = yield* at((request, response) => {
        text(request).then((body) => {
          asked.push([request.url, JSON.parse(body)])
          response.end(
            JSON.stringify(
              request.url?.endsWith("verify") === true
                ? { isValid: true }
                : { success: true, transaction: "0xabc", network: "eip155:84532" }
            )
          )
        }, () => response.destroy())
      }, "/facilitator/")
      assert.deepStrictEqual(yield* asking(url, ({ verify }) => verify(transfer)), { _tag: "Valid" })
      assert.deepStrictEqual(yield* asking(url, ({ settle }) => settle({ ...transfer, payment: permission }, 3)), {
        _tag: "Settled",
        transaction: "0xabc",
        simulated: false
      })
      const exact = {
        scheme: "exact",
        network: "eip155:84532",
        amount: "50000",
        asset: stablecoin.asset,
        payTo: stablecoin.payTo,
        maxTimeoutSeconds: 300,
        extra: { name: "USDC", version: "2" }
      }
      const upto = {
        ...exact,
        scheme: "upto",
        extra: { ...exact.extra, assetTransferMethod: "permit2", facilitatorAddress: stablecoin.facilitator }
      }
      assert.deepStrictEqual(asked, [
        ["/facilitator/verify", {
          x402Version: 2,
          paymentPayload: { x402Version: 2, accepted: exact, payload: { signature, authorization } },
          paymentRequirements: exact
        }],
        ["/facilitator/settle", {
          x402Version: 2,
          paymentPayload: { x402Version: 2, accepted: upto, payload: { signature, permit2Authorization: permitAuthorization } },
          paymentRequirements: { ...upto, amount: "30000" }
        }]
      ])
    })))

  it.live.each<readonly [what: string, handle: RequestListener, tag: Settlement["_tag"]]>([
    ["says that it did", saying(200, { success: true, transaction: "0xabc", network: "base" }), "Settled"],
    [
      "says that it did not",
      saying(200, { success: false, errorReason: "insufficient_funds", transaction: "", network: "base" }),
      "Refused"
    ],
    ["says that it did, and names no transaction", saying(200, { success: true, transaction: "", network: "base" }), "Unknown"],
    ["says that it did not, with 402", saying(402, { success: false, errorReason: "insufficient_funds" }), "Refused"],
    ["says that it did not, with an error of its own", saying(500, { success: false, errorReason: "unexpected_settle_error" }), "Unknown"],
    ["says that the nonce is used", saying(200, { success: false, errorReason: "invalid_exact_evm_nonce_already_used" }), "Used"],
    ["says that it settled this before", saying(409, { success: false, errorReason: "duplicate_settlement" }), "Used"],
    ["does not know what went wrong", saying(200, { success: false, errorReason: "unexpected_settle_error" }), "Unknown"],
    ["has sent it, and waits for the chain", saying(200, { success: false, errorReason: "failed_to_get_receipt" }), "Unknown"],
    ["is not there", saying(404, "not found"), "Refused"],
    ["lost its time", saying(408, "timeout"), "Unknown"],
    ["breaks", saying(502, "bad gateway"), "Unknown"],
    ["says nothing that can be read", saying(200, "<html>"), "Unknown"],
    ["says something else", saying(200, { ok: true }), "Unknown"],
    ["hangs up", hangingUp, "Unknown"],
    ["says too much", saying(200, `"${"x".repeat(70_000)}"`), "Unknown"]
  ])("that %s", ([, handle, tag]) =>
    Effect.scoped(Effect.gen(function*() {
      const url = yield* at(handle)
      assert.strictEqual((yield* asking(url, ({ settle }) => settle(transfer, 5)))._tag, tag)
    })))

  it.live.each<readonly [what: string, handle: RequestListener, tag: Facilitator.FacilitatorVerdict["_tag"]]>([
    ["would", saying(200, { isValid: true, payer: PAYER }), "Valid"],
    ["would not", saying(200, { isValid: false, invalidReason: "insufficient_funds" }), "Invalid"],
    ["would not, with 400", saying(400, { isValid: false, invalidReason: "invalid_payload" }), "Invalid"],
    ["breaks", saying(500, "oops"), "Unreachable"],
    ["hangs up", hangingUp, "Unreachable"]
  ])("that %s, when it is asked whether it would", ([, handle, tag]) =>
    Effect.scoped(Effect.gen(function*() {
      const url = yield* at(handle)
      assert.strictEqual((yield* asking(url, ({ verify }) => verify(transfer)))._tag, tag)
    })))

  it.live("is not reached at an address that is not public, and so has moved nothing", () =>
    Effect.scoped(Effect.gen(function*() {
      let reached = 0
      const url = yield* at((_, response) => {
        reached++
        response.end()
      })
      const guarded = Egress.layer({ allow: [] })
      assert.strictEqual((yield* asking(url, ({ settle }) => settle(transfer, 5), guarded))._tag, "Refused")
      assert.strictEqual((yield* asking(url, ({ verify }) => verify(transfer), guarded))._tag, "Unreachable")
      assert.strictEqual(reached, 0)
    })))

  it.effect.each<readonly [reason: EgressError["reason"], settlement: "Refused" | "Unknown"]>([
    ["invalid_url", "Refused"],
    ["refused_address", "Refused"],
    ["unresolvable", "Refused"],
    ["tls", "Refused"],
    ["connection", "Unknown"],
    ["timeout", "Unknown"],
    ["response_too_large", "Unknown"]
  ])("that is not heard because of %s", ([reason, settlement]) =>
    Effect.gen(function*() {
      const failing = Layer.succeed(Egress.Egress, { post: () => Effect.fail(new EgressError({ reason, message: "it failed" })) })
      assert.deepStrictEqual(yield* asking("https://facilitator.example", ({ settle }) => settle(transfer, 5), failing), {
        _tag: settlement,
        reason: "it failed"
      })
      assert.deepStrictEqual(yield* asking("https://facilitator.example", ({ verify }) => verify(transfer), failing), {
        _tag: "Unreachable",
        reason: "it failed"
      })
    }))

  it.effect("that is simulated says so, and settles one transfer under one name", () =>
    Effect.gen(function*() {
      const { settle, simulated } = yield* Facilitator.Facilitator
      const first = yield* settle(transfer, 5)
      assert.isTrue(simulated)
      assert.deepInclude(first, { _tag: "Settled", simulated: true })
      assert.match(first._tag === "Settled" ? first.transaction : "", /^simulated_[0-9a-f]{40}$/)
      assert.deepStrictEqual(yield* settle({ ...transfer, payment: { ...payment, protocol: "x402-v2", signature: "0x00" } }, 5), first)
      assert.notDeepEqual(yield* settle({ ...transfer, payment: permission }, 5), first)
    }).pipe(Effect.provide(Facilitator.simulated)))
})
