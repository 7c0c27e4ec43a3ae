import { assert, describe, it } from "@effect/vitest"
import { base64, PAYER, stablecoin, transferOf } from "./fixture.ts"
import * as X402 from "./x402.ts"

const nonce = `0x${"ab".repeat(32)}`
const authorization = transferOf(nonce)
const signature = `0x${"11".repeat(65)}`
const [exact, upto] = X402.accepts(stablecoin, 5)
const permit2Authorization = {
  from: PAYER,
  permitted: { token: stablecoin.asset, amount: "50000" },
  spender: "0x4020A4f3b7b90ccA423B9fabCc0CE57C6C240002",
  nonce: "1",
  deadline: "1795000300",
  witness: { to: stablecoin.payTo, facilitator: stablecoin.facilitator, validAfter: "0" }
}

const v1 = { x402Version: 1, scheme: "exact", network: "base-sepolia", payload: { signature, authorization } }
const v2 = { x402Version: 2, accepted: exact, payload: { signature, authorization } }
const withExtension = (info: object) => ({ ...v2, extensions: { "payment-identifier": { info, schema: {} }, other: 7 } })

const problemOf = (read: ReturnType<typeof X402.fromMeta>) => read._tag === "Malformed" ? read.problem.name : "accepted"

describe("what is asked for", () => {
  it("is the price in the token's smallest unit, by transfer or up to it by permission", () => {
    assert.deepStrictEqual([exact?.scheme, exact?.amount, exact?.network, exact?.extra], ["exact", "50000", "eip155:84532", {
      name: "USDC",
      version: "2"
    }])
    assert.deepStrictEqual([upto?.scheme, upto?.amount, upto?.extra], ["upto", "50000", {
      name: "USDC",
      version: "2",
      assetTransferMethod: "permit2",
      facilitatorAddress: stablecoin.facilitator
    }])
  })

  it("is no permission where no facilitator is known", () => {
    const { facilitator: _, ...without } = stablecoin
    assert.deepStrictEqual(X402.accepts(without, 5).map(({ scheme }) => scheme), ["exact"])
  })

  it("is exact for tokens of any number of decimals", () => {
    assert.deepStrictEqual(
      [2, 6, 18].map((decimals) => X402.requirementsOf({ ...stablecoin, decimals }, 9007199254740991, "exact").amount),
      ["9007199254740991", "90071992547409910000", "90071992547409910000000000000000"]
    )
  })
})

describe("a payment", () => {
  it("is read in version 1, from its header and from _meta", () => {
    const read = { _tag: "Stablecoin", protocol: "x402-v1", signed: { scheme: "exact", authorization }, signature } as const
    assert.deepStrictEqual(X402.fromHeaderV1(base64(v1), stablecoin), read)
    assert.deepStrictEqual(X402.fromMeta(v1, stablecoin), read)
  })

  it("is read in version 2, exact and upto, from its header and from _meta", () => {
    const read = { _tag: "Stablecoin", protocol: "x402-v2", signature } as const
    assert.deepStrictEqual(X402.fromHeaderV2(base64(v2), stablecoin), { ...read, signed: { scheme: "exact", authorization } })
    const permission = { x402Version: 2, accepted: upto, payload: { signature, permit2Authorization } }
    for (const payment of [X402.fromHeaderV2(base64(permission), stablecoin), X402.fromMeta(permission, stablecoin)]) {
      assert.deepStrictEqual(payment, { ...read, signed: { scheme: "upto", authorization: permit2Authorization } })
    }
  })

  it("may have a name of its own", () => {
    const id = "pay_7d5d747be160e280504c099d984bcfe0"
    assert.deepInclude(X402.fromMeta(withExtension({ id, required: false }), stablecoin), { identifier: id })
    assert.notProperty(X402.fromMeta(withExtension({ required: false }), stablecoin), "identifier")
  })

  it.for<readonly [what: string, payment: unknown, problem: string]>([
    ["of another version", { ...v2, x402Version: 3 }, "malformed-credential"],
    ["without a version", { accepted: exact, payload: v2.payload }, "malformed-credential"],
    ["of another scheme in version 1", { ...v1, scheme: "upto" }, "malformed-credential"],
    ["on another network in version 1", { ...v1, network: "base" }, "verification-failed"],
    ["on another network", { ...v2, accepted: { ...exact, network: "eip155:8453" } }, "verification-failed"],
    ["in another token", { ...v2, accepted: { ...exact, asset: PAYER } }, "verification-failed"],
    ["to another", { ...v2, accepted: { ...exact, payTo: PAYER } }, "verification-failed"],
    ["of a scheme that is not the payload's", { ...v2, accepted: upto }, "verification-failed"],
    [
      "with a permission where a transfer was accepted",
      { x402Version: 2, accepted: exact, payload: { signature, permit2Authorization } },
      "verification-failed"
    ],
    [
      "with an amount that is a number",
      { ...v2, payload: { signature, authorization: { ...authorization, value: 50000 } } },
      "malformed-credential"
    ],
    ["without a signature", { ...v2, payload: { authorization } }, "malformed-credential"],
    ["with a name that is too short", withExtension({ id: "pay_1" }), "malformed-credential"],
    ["with a name of other letters", withExtension({ id: "pay 7d5d747be160e280504c099d984bcfe0" }), "malformed-credential"],
    ["that is null", null, "malformed-credential"],
    ["that is a text", "paid", "malformed-credential"]
  ])("is refused %s", ([, payment, problem]) => {
    assert.strictEqual(problemOf(X402.fromMeta(payment, stablecoin)), problem)
  })

  it("is refused in a header that cannot be read, and where stablecoins are not taken", () => {
    for (const header of ["", "%", base64("{"), "A".repeat(16_385)]) {
      assert.strictEqual(problemOf(X402.fromHeaderV2(header, stablecoin)), "malformed-credential")
    }
    assert.strictEqual(problemOf(X402.fromHeaderV2(base64(v2), undefined)), "method-unsupported")
  })
})
