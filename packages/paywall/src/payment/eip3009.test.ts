import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Result, Schema } from "effect"
import { digestOf, verify } from "./eip3009.ts"
import { permitOf, permitSigned, seconds, signed, stablecoin as asked, transferOf } from "./fixture.ts"
import { baseSepoliaUsdc, type PermitAuthorization, type TransferAuthorization } from "./model.ts"
import * as Permit2 from "./permit2.ts"

// Made by viem 2.56.0: `hashTypedData(data)` and
// `privateKeyToAccount("0x4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318").signTypedData(data)` for the types, domain and
// message of each kind; node --input-type=module in packages/testkit/clients.
const PAYER = "0x2c7536E3605D9C16a7a3D7b1898e529396a65c23"
const transfer: TransferAuthorization = {
  from: PAYER,
  to: "0x209693Bc6afc0C5328bA36FaF03C514EF312287C",
  value: "50000",
  validAfter: "1795000000",
  validBefore: "1795000300",
  nonce: `0x${"f3".repeat(32)}`
}
const transferDigest = "aec41165e05671f428c60099645eeed6c4ed547e85af0d0eddab92344f366422"
const transferSignature =
  "0x566dca075b24e2d6c0fe3278b6f6696abebbf8e07caba5e4348d1cea6fafed0066996768d9b955e73a78a453b36a3f2a7ee28c939b7d650fcba81af5f84caba91c"
const permit: PermitAuthorization = {
  from: PAYER,
  permitted: { token: "0x036CbD53842c5426634e7929541eC2318f3dCF7e", amount: "50000" },
  spender: "0x4020A4f3b7b90ccA423B9fabCc0CE57C6C240002",
  nonce: "57896044618658097711785492504343953926634992332820282019728792003956564819975",
  deadline: "1795000300",
  witness: { to: "0x209693Bc6afc0C5328bA36FaF03C514EF312287C", facilitator: "0x857b06519E91e3A54538791bDbb0E22373e36b66", validAfter: "0" }
}
const permitDigest = "3af5f906e964b7f5ef14cbaa56f4294ba4fe7138de71c8470f4a2f681f8692a4"
const permitSignature =
  "0x2733edfe462a040e1d54292a8bb76dbbd02c3e8de5f2a043241ad6c7f614012b186d67441567f801473ebd8e174fd0dad59a9c5ff0e3dbfc8b2b48c8451a69351c"

const stablecoin = { ...baseSepoliaUsdc, payTo: transfer.to, facilitator: permit.witness.facilitator }
const expected = { stablecoin, amount: "50000", now: 1795000100 }

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex")
const problemOf = (result: Result.Result<unknown, { readonly name: string }>) => Result.isFailure(result) ? result.failure.name : "accepted"

/** n - s, with the other recovery bit: a signature of the same key over the same digest. */
const twin = (signature: string): string => {
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  const s = order - BigInt(`0x${signature.slice(66, 130)}`)
  return `${signature.slice(0, 66)}${s.toString(16).padStart(64, "0")}${signature.endsWith("1c") ? "1b" : "1c"}`
}

const stranger = "0x857b06519E91e3A54538791bDbb0E22373e36b67"
const nonce = `0x${"ab".repeat(32)}`

describe("what a payer has truly signed", () => {
  const expected = { stablecoin: asked, amount: "50000", now: seconds }

  it.for<readonly [what: string, outcome: string, authorization: TransferAuthorization]>([
    ["a transfer as asked", "accepted", transferOf(nonce)],
    ["to a stranger", "verification-failed", transferOf(nonce, { to: stranger })],
    ["of less", "payment-insufficient", transferOf(nonce, { value: "49999" })],
    ["of more, which nobody could give back", "payment-insufficient", transferOf(nonce, { value: "50001" })],
    ["for a stranger, who did not sign", "verification-failed", transferOf(nonce, { from: stranger })],
    ["for later", "verification-failed", transferOf(nonce, { validAfter: String(seconds + 1) })],
    ["for a moment", "payment-expired", transferOf(nonce, { validBefore: String(seconds + 5) })]
  ])("%s is %s", ([, outcome, authorization]) => {
    assert.strictEqual(problemOf(verify(authorization, signed(authorization), expected)), outcome)
  })

  const { permitted, witness } = permitOf()
  it.for<readonly [what: string, outcome: string, changed: Partial<PermitAuthorization>]>([
    ["as asked", "accepted", {}],
    ["for another token", "verification-failed", { permitted: { ...permitted, token: stranger } }],
    ["for less", "payment-insufficient", { permitted: { ...permitted, amount: "49999" } }],
    ["for more than was asked", "payment-insufficient", { permitted: { ...permitted, amount: "50001" } }],
    ["for another spender", "verification-failed", { spender: stranger }],
    ["to a stranger", "verification-failed", { witness: { ...witness, to: stranger } }],
    ["for a stranger to carry out", "verification-failed", { witness: { ...witness, facilitator: stranger } }],
    ["for a stranger's money", "verification-failed", { from: stranger }],
    ["for later", "verification-failed", { witness: { ...witness, validAfter: String(seconds + 1) } }],
    ["for a moment", "payment-expired", { deadline: String(seconds + 5) }]
  ])("a permission %s is %s", ([, outcome, changed]) => {
    const authorization = permitOf(changed)
    assert.strictEqual(problemOf(Permit2.verify(authorization, permitSigned(authorization), expected)), outcome)
  })
})

describe("a signed transfer (EIP-3009)", () => {
  it("has the digest that viem gives it", () => {
    assert.strictEqual(hex(digestOf(transfer, stablecoin)), transferDigest)
  })

  it("is accepted, whatever the case of its addresses and the form of its last byte", () => {
    const accepted = Result.succeed({ payer: PAYER.toLowerCase(), key: `eip3009:${PAYER.toLowerCase()}:0x${"f3".repeat(32)}` })
    assert.deepStrictEqual(verify(transfer, transferSignature, expected), accepted)
    assert.deepStrictEqual(
      verify({ ...transfer, from: PAYER.toLowerCase(), nonce: `0x${"F3".repeat(32)}` }, transferSignature, expected),
      accepted
    )
    assert.deepStrictEqual(verify(transfer, `${transferSignature.slice(0, -2)}01`, expected), accepted)
  })

  it.for<readonly [what: string, problem: string, authorization: Partial<TransferAuthorization>, signature?: string]>([
    ["is another's", "verification-failed", { from: "0x857b06519E91e3A54538791bDbb0E22373e36b66" }],
    ["has another nonce than was signed", "verification-failed", { nonce: `0x${"f4".repeat(32)}` }],
    ["is valid for longer than was signed", "verification-failed", { validBefore: "1795000301" }],
    ["is valid from earlier than was signed", "verification-failed", { validAfter: "0" }],
    ["has the other signature of the same key", "verification-failed", {}, twin(transferSignature)],
    ["has no signature to speak of", "verification-failed", {}, `0x${"00".repeat(65)}`],
    ["has a recovery bit that there is not", "verification-failed", {}, `${transferSignature.slice(0, -2)}1d`],
    ["is signed by a contract", "verification-failed", {}, `${transferSignature}00`]
  ])("is refused when it %s", ([, problem, changed, signature = transferSignature]) => {
    assert.strictEqual(problemOf(verify({ ...transfer, ...changed }, signature, expected)), problem)
  })

  it.for(
    [
      ["a second before it is valid", 1794999999, "verification-failed"],
      ["from its first second", 1795000000, "accepted"],
      ["while six seconds are left", 1795000294, "accepted"],
      ["with five seconds left", 1795000295, "payment-expired"]
    ] as const
  )("%s", ([, now, outcome]) => {
    assert.strictEqual(problemOf(verify(transfer, transferSignature, { ...expected, now })), outcome)
  })

  it.for(
    [
      ["another chain", { chainId: 8453 }],
      ["another token", { asset: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913" }],
      ["a token of another name", { name: "USD Coin" }],
      ["another version of the token", { version: "1" }]
    ] as const
  )("is refused when it was signed for %s", ([, changed]) => {
    assert.strictEqual(
      problemOf(verify(transfer, transferSignature, { ...expected, stablecoin: { ...stablecoin, ...changed } })),
      "verification-failed"
    )
  })

  it.prop("is refused when any one byte of its signature differs", [
    Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 63 }))),
    Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 255 })))
  ], ([at, flip]) => {
    const bytes = Buffer.from(transferSignature.slice(2), "hex")
    bytes[at] = (bytes[at] ?? 0) ^ flip
    assert.strictEqual(problemOf(verify(transfer, `0x${hex(bytes)}`, expected)), "verification-failed")
  }, { arbitrary: { runs: 200 } })
})

describe("a signed permission (Permit2, upto)", () => {
  it("has the digest that viem gives it, and is accepted", () => {
    assert.strictEqual(hex(Permit2.digestOf(permit, 84532)), permitDigest)
    assert.deepStrictEqual(
      Permit2.verify(permit, permitSignature, expected),
      Result.succeed({ payer: PAYER.toLowerCase(), key: `permit2:${PAYER.toLowerCase()}:${permit.nonce}` })
    )
  })

  it.for<readonly [what: string, problem: string, changed: Partial<PermitAuthorization>]>([
    ["has another nonce than was signed", "verification-failed", { nonce: "7" }],
    ["has a later deadline than was signed", "verification-failed", { deadline: "1795000301" }],
    ["is valid from later than was signed", "verification-failed", { witness: { ...permit.witness, validAfter: "1" } }]
  ])("is refused when it %s", ([, problem, changed]) => {
    assert.strictEqual(problemOf(Permit2.verify({ ...permit, ...changed }, permitSignature, expected)), problem)
  })

  it("is refused on another chain, and where nobody could carry it out", () => {
    assert.strictEqual(
      problemOf(Permit2.verify(permit, permitSignature, { ...expected, stablecoin: { ...stablecoin, chainId: 8453 } })),
      "verification-failed"
    )
    const { facilitator: _, ...without } = stablecoin
    assert.strictEqual(problemOf(Permit2.verify(permit, permitSignature, { ...expected, stablecoin: without })), "method-unsupported")
  })
})
