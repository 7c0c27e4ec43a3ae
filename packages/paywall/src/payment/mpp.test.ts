import { assert, describe, it } from "@effect/vitest"
import canonicalize from "canonicalize"
import { DateTime, Duration, Redacted } from "effect"
import { createHmac } from "node:crypto"
import { preferred } from "./accept.ts"
import { base64url, checking, methods, now, PAYER, purchase, secret, signed, transferOf } from "./fixture.ts"
import { authenticateLine, type Challenge, challenges } from "./mpp-challenge.ts"
import * as Mpp from "./mpp.ts"

const expires = DateTime.addDuration(now, Duration.minutes(5))
const terms = { purchase, methods, secret, expires, realm: "tools.example", callId: "call_1", description: "svc_x: 0.05 USD" }
const [card, evm] = challenges(terms)
if (card === undefined || evm === undefined) throw new Error("two methods are set up")

/** As a client sends a challenge back in a header. */
const echoed = ({ description: _, request, ...rest }: Challenge, changed: object = {}) => ({
  ...rest,
  request: Buffer.from(canonicalize(request) ?? "").toString("base64url"),
  ...changed
})
const token = "spt_test_1"
const cardHeader = (changed: object = {}, payload: object = { spt: token }) => base64url({ challenge: echoed(card, changed), payload })

const transfer = transferOf(Mpp.nonceOf(evm))
const evmPayload = { type: "authorization", ...transfer, signature: signed(transfer) }
const problemOf = (read: ReturnType<typeof Mpp.fromHeader>) => read._tag === "Malformed" ? read.problem.name : "accepted"

describe("a challenge", () => {
  // Challenge.from({ realm: "tools.example", method: "stripe", intent: "charge", request: …, expires, digest, meta, secretKey: "mac-secret"
  // }).id of mppx 0.11.0.
  it("has the id that mppx computes over the seven slots", () => {
    const slots = {
      realm: "tools.example",
      method: "stripe",
      intent: "charge",
      request: Buffer.from(`{"amount":"5","currency":"usd","methodDetails":{"networkId":"profile_test","paymentMethodTypes":["card"]}}`)
        .toString("base64url"),
      expires: "2026-11-21T12:05:00.000Z",
      digest: "sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:",
      opaque: "eyJhcmdzX3NoYTI1NiI6ImFhIiwiY2FsbCI6ImNhbGxfMSIsIm1vZGUiOiJzdGFuZGFyZCIsInByaWNlIjoiNSIsInRvb2wiOiJzdmNfeCJ9"
    } as const
    const [made] = challenges({ ...terms, purchase: { tool: "svc_x", mode: "standard", argumentsSha256: "aa", cents: 5 }, body: "" })
    assert.deepInclude(echoed(made ?? card), slots)
    assert.strictEqual(made?.id, "j2RBek2IEZ6RRpF-26zIcL_1dU4Ln-632J6VZUdTONk")
    assert.strictEqual(createHmac("sha256", "mac-secret").update(Object.values(slots).join("|")).digest("base64url"), made?.id)
  })

  it("asks for the same price in each method's own units", () => {
    assert.deepInclude(card.request, { amount: "5", currency: "usd" })
    assert.deepInclude(evm.request, { amount: "50000", currency: methods.stablecoin.asset, recipient: methods.stablecoin.payTo })
    assert.notStrictEqual(card.id, evm.id)
  })

  it("is another one for each call, and offers only what is set up", () => {
    assert.notStrictEqual(challenges({ ...terms, callId: "call_2" })[0]?.id, card.id)
    assert.deepStrictEqual(challenges({ ...terms, methods: { stablecoin: methods.stablecoin } }).map(({ method }) => method), ["evm"])
    assert.deepStrictEqual(challenges({ ...terms, methods: {} }), [])
  })

  it("is not made with an empty secret", () => {
    assert.throws(() => challenges({ ...terms, secret: Redacted.make("") }), RangeError)
  })

  it("is one line whose texts are quoted", () => {
    const line = authenticateLine({ ...card, description: `a "b" \\ c` })
    assert.include(line, `Payment id="${card.id}", realm="tools.example", method="stripe", intent="charge", request="`)
    assert.include(line, String.raw`description="a \"b\" \\ c"`)
  })
})

describe("a credential by card", () => {
  it("comes back with the purchase that the challenge was made for", () => {
    const read = Mpp.fromHeader(cardHeader({}, { spt: token, externalId: "order-7" }), checking)
    assert.strictEqual(read._tag, "Card")
    if (read._tag !== "Card") return
    assert.strictEqual(Redacted.value(read.token), token)
    assert.deepStrictEqual(read.challenge, { ...purchase, id: card.id, realm: "tools.example", callId: "call_1", expires })
    assert.strictEqual(read.externalId, "order-7")
  })

  it("is read from _meta, with its request and opaque as JSON or as text", () => {
    const { description: _, ...native } = card
    const opaque: unknown = JSON.parse(Buffer.from(card.opaque, "base64url").toString())
    for (const challenge of [native, { ...native, opaque }, { ...native, meta: opaque }, echoed(card)]) {
      assert.strictEqual(problemOf(Mpp.fromMeta({ challenge, payload: { spt: token } }, checking)), "accepted")
    }
  })

  it("names the plan that it buys", () => {
    const [plan] = challenges({ ...terms, purchase: { ...purchase, cents: 9900, plan: "pro" } })
    const read = Mpp.fromHeader(base64url({ challenge: echoed(plan ?? card), payload: { spt: token } }), checking)
    assert.deepInclude(read._tag === "Card" ? read.challenge : {}, { plan: "pro", cents: 9900 })
  })

  it.for<readonly [slot: string, changed: object]>([
    ["id", { id: `${card.id.slice(0, -1)}_` }],
    ["id, with letters of two bytes", { id: "é".repeat(card.id.length) }],
    ["id, empty", { id: "" }],
    ["realm", { realm: "other.example" }],
    ["method", { method: "evm" }],
    ["intent", { intent: "session" }],
    ["request", { request: base64url({ ...card.request, amount: "1" }) }],
    ["expiry", { expires: "2036-11-21T12:05:00.000Z" }],
    ["digest", { digest: "sha-256=:AAAA:" }],
    ["opaque", {
      opaque: base64url({
        tool: "svc_x",
        mode: "standard",
        args_sha256: purchase.argumentsSha256,
        price: "5",
        call: "call_1",
        account: "acct_2"
      })
    }],
    ["opaque, left out", { opaque: undefined }],
    ["slots, with their border moved", { realm: "tools.example|stripe", method: "charge", intent: "" }]
  ])("is refused when its challenge has another %s", ([, changed]) => {
    assert.strictEqual(problemOf(Mpp.fromHeader(cardHeader(changed), checking)), "invalid-challenge")
  })

  it("is refused when the request in _meta has no canonical form", () => {
    assert.strictEqual(
      problemOf(Mpp.fromMeta({ challenge: { ...card, request: { amount: "\ud800" } }, payload: { spt: token } }, checking)),
      "invalid-challenge"
    )
    assert.strictEqual(
      problemOf(Mpp.fromMeta({ challenge: { ...card, opaque: { account: "\ud800" } }, payload: { spt: token } }, checking)),
      "invalid-challenge"
    )
  })

  it.for<readonly [why: string, changed: Partial<Mpp.CredentialCheck>, problem: string]>([
    ["made with another secret", { secret: Redacted.make("another") }, "invalid-challenge"],
    ["a moment after it expired", { now: expires }, "payment-expired"],
    ["with another tool", { call: { ...purchase, tool: "svc_y" } }, "invalid-challenge"],
    ["with other arguments", { call: { ...purchase, argumentsSha256: "bb".repeat(32) } }, "invalid-challenge"],
    ["in another mode", { call: { ...purchase, mode: "lite" } }, "invalid-challenge"],
    ["by a method that is not offered any more", { methods: {} }, "method-unsupported"],
    ["a millisecond before it expires", { now: DateTime.subtractDuration(expires, Duration.millis(1)) }, "accepted"]
  ])("is judged when it comes %s", ([, changed, problem]) => {
    assert.strictEqual(problemOf(Mpp.fromHeader(cardHeader(), { ...checking, ...changed })), problem)
  })

  it("holds for the bytes that its challenge was made for, where it was made for any", () => {
    const [of] = challenges({ ...terms, body: "{\"a\":1}" })
    const header = base64url({ challenge: echoed(of ?? card), payload: { spt: token } })
    assert.strictEqual(problemOf(Mpp.fromHeader(header, { ...checking, body: "{\"a\":1}" })), "accepted")
    assert.strictEqual(problemOf(Mpp.fromHeader(header, { ...checking, body: "{\"a\": 1}" })), "invalid-challenge")
    assert.strictEqual(problemOf(Mpp.fromHeader(header, checking)), "invalid-challenge")
  })

  it.for<readonly [what: string, header: string, problem: string]>([
    ["no base64", "%%%", "malformed-credential"],
    ["no JSON", Buffer.from("{").toString("base64url"), "malformed-credential"],
    ["no object", base64url([]), "malformed-credential"],
    ["no challenge", base64url({ payload: { spt: token } }), "malformed-credential"],
    ["no payload", base64url({ challenge: echoed(card) }), "malformed-credential"],
    ["too much", "A".repeat(16_385), "malformed-credential"],
    ["a token of another kind", cardHeader({}, { spt: "tok_visa" }), "invalid-payload"],
    ["no token", cardHeader({}, {}), "invalid-payload"]
  ])("is refused when it is %s", ([, header, problem]) => {
    assert.strictEqual(problemOf(Mpp.fromHeader(header, checking)), problem)
  })
})

describe("a credential by stablecoin", () => {
  it("has the hash of its challenge in the place of the nonce", () => {
    const read = Mpp.fromHeader(
      base64url({ challenge: echoed(evm), payload: evmPayload, source: `did:pkh:eip155:84532:${PAYER}` }),
      checking
    )
    assert.deepInclude(read, {
      _tag: "Stablecoin",
      protocol: "mpp",
      signature: evmPayload.signature,
      signed: { scheme: "exact", authorization: transfer }
    })
  })

  it.for<readonly [what: string, payload: object, problem: string]>([
    ["another nonce", { ...evmPayload, nonce: Mpp.nonceOf(card) }, "verification-failed"],
    ["another type", { ...evmPayload, type: "transaction" }, "invalid-payload"],
    ["an amount that is no number", { ...evmPayload, value: "5e4" }, "invalid-payload"],
    ["an amount of 257 bits", { ...evmPayload, value: String(2n ** 256n) }, "invalid-payload"],
    ["a negative time", { ...evmPayload, validAfter: "-1" }, "invalid-payload"],
    ["a short address", { ...evmPayload, from: "0x12" }, "invalid-payload"],
    ["no signature", { ...evmPayload, signature: "" }, "invalid-payload"]
  ])("is refused with %s", ([, payload, problem]) => {
    assert.strictEqual(problemOf(Mpp.fromHeader(base64url({ challenge: echoed(evm), payload }), checking)), problem)
  })
})

describe("Accept-Payment", () => {
  it.for<readonly [header: string | undefined, order: ReadonlyArray<string>]>([
    [undefined, ["stripe", "evm"]],
    ["", ["stripe", "evm"]],
    ["evm/charge", ["evm"]],
    ["stripe/charge, evm/charge;q=0.5", ["stripe", "evm"]],
    ["stripe/charge;q=0.4, evm/charge;q=0.5, */session;q=0", ["evm", "stripe"]],
    ["*/charge, stripe/charge;q=0", ["evm"]],
    ["stripe/*;q=0.1, */*;q=0.9", ["evm", "stripe"]],
    ["tempo/charge", ["stripe", "evm"]],
    ["*/*;q=0", ["stripe", "evm"]],
    ["evm/charge;q=2", ["stripe", "evm"]],
    ["nonsense,, evm/charge ; q=1.000", ["evm"]]
  ])("%s", ([header, order]) => {
    assert.deepStrictEqual(preferred([card, evm], header).map(({ method }) => method), order)
  })
})
