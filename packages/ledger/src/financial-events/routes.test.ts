import { assert, describe, it } from "@effect/vitest"
import type { Entry } from "@svc/kernel/road/decision"
import { Schema } from "effect"
import { readFileSync } from "node:fs"
import { accounting, contractEventTypes, posting, wrongEntries } from "./accounting.fixture.ts"
import { eventHash, GENESIS_HASH, hashInput } from "./chain.ts"
import { followsRoute, ledgerEventTypes, legs, post, type Posting, type RouteName, routeNames } from "./routes.ts"

const Amount = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }))

describe("routes", () => {
  it.each(accounting)("$name: moves what the accounting rules say", ({ entry, route, through_pending }) => {
    assert.deepStrictEqual(post(route, through_pending === undefined ? posting : { ...posting, through_pending }), entry)
    assert.isTrue(followsRoute(entry))
  })

  it("are those of the accounting rules and no others", () => {
    assert.deepStrictEqual(Array.from(new Set(accounting.map(({ route }) => route))).sort(), [...routeNames].sort())
  })

  it("are for the thirty event types of the contract", () => {
    assert.strictEqual(contractEventTypes.length, 30)
    assert.deepStrictEqual([...ledgerEventTypes].sort(), [...contractEventTypes].sort())
  })

  it("judge every entry with one thing wrong to be none of theirs", () => {
    assert.isAbove(wrongEntries.length, 800)
    assert.deepStrictEqual(wrongEntries.filter(([, wrong]) => followsRoute(wrong)).map(([name]) => name), [])
  })

  const misfits: ReadonlyArray<readonly [what: string, route: RouteName, wrong: Partial<Posting>]> = [
    ["a negative amount", "payment_refunded", { amount: -1 }],
    ["a fraction", "payment_refunded", { amount: 0.5 }],
    ["no number", "payment_captured", { amount: Number.NaN }],
    ["an amount beyond 2^53", "payment_refunded", { amount: 2 ** 53 }],
    ["more through pending than the amount", "payment_refunded", { through_pending: 1_001 }],
    ["less than nothing through pending", "payment_refunded", { through_pending: -1 }],
    ["a fraction through pending", "payment_refunded", { through_pending: 0.5 }],
    ["no number through pending", "payment_refunded", { through_pending: Number.NaN }],
    ["a fee from both buckets", "fee_charged", { through_pending: 400 }],
    ["a gift card from both buckets", "gift_card_loaded", { through_pending: 999 }],
    ["a fee paid by credits that moves pending", "fee_charged/credits", { through_pending: 1_000 }],
    ["a bucket for what moves one bucket always", "payment_captured", { through_pending: 1_000 }],
    ["none of pending for what comes out of pending always", "conversion_executed/source", { through_pending: 0 }]
  ]
  it.each(misfits)("refuse %s", (_, route, wrong) => {
    assert.throws(() => post(route, { ...posting, ...wrong }), RangeError, `${route} cannot be posted: `)
  })

  it("refuse a name that is none of theirs, such as an event type with a leg to choose", () => {
    // @ts-expect-error: a conversion without its leg does not compile.
    assert.throws(() => post("conversion_executed", posting), RangeError, "there is no such route")
    // @ts-expect-error: nor does what no table knows.
    assert.throws(() => post("toString", posting), RangeError, "there is no such route")
  })

  it.prop(
    "sum to zero with their counter account, whatever the amount",
    [Schema.Literals(routeNames), Amount, Schema.Boolean],
    ([name, amount, pending]) => {
      const made = post(name, {
        ...posting,
        amount,
        ...(legs.get(name)?.split === undefined ? {} : { through_pending: pending ? amount : 0 })
      })
      assert.isTrue(followsRoute(made))
      assert.strictEqual(made.delta_available + made.delta_pending + made.delta_reserved + made.counter_delta, 0)
      // Text of a negative zero would be another hash.
      assert.isFalse(Object.values(made).some((value) => Object.is(value, -0)))
    },
    { arbitrary: { runs: 1_000 } }
  )
})

describe("following a route", () => {
  const refund = (delta_available: number, delta_pending: number): Entry => ({
    ...post("payment_refunded", posting),
    delta_available,
    delta_pending
  })

  it("takes a refund from both buckets in any part, and never into one", () => {
    for (const through of [0, 1, 400, 999, 1_000]) assert.isTrue(followsRoute(refund(through - 1_000, -through || 0)))
    assert.isFalse(followsRoute(refund(-1_400, 400)))
    assert.isFalse(followsRoute(refund(400, -1_400)))
    assert.isFalse(followsRoute(refund(-999.5, -0.5)))
  })

  it("takes no row of an event that there is not", () => {
    for (const event_type of ["payment_imagined", "conversion_executed/source", "toString", ""]) {
      assert.isFalse(followsRoute({ ...post("payment_authorized", posting), event_type }))
    }
  })
})

const Vectors = Schema.fromJsonString(Schema.Struct({
  hash_chain: Schema.Array(Schema.Struct({ canonical: Schema.String, event_hash: Schema.String }))
}))

describe("the published vectors", () => {
  const { hash_chain } = Schema.decodeSync(Vectors)(
    readFileSync(new URL("../../../kernel/src/signatures/vectors.json", import.meta.url), "utf8")
  )
  const key = "3c9ae5ea-980f-4ebd-a027-04529942b95e"
  const steps = [
    { event_type: "payment_authorized", amount: 10_000, created_at: "2026-01-01T00:00:00.000Z" },
    { event_type: "payment_captured", amount: 10_000, created_at: "2026-01-01T00:00:01.000Z" },
    { event_type: "fee_charged", amount: 320, created_at: "2026-01-01T00:00:01.000Z" }
  ] as const

  it("come out of routes and chain", () => {
    assert.strictEqual(hash_chain.length, steps.length)
    let previous_hash = GENESIS_HASH
    for (const [n, { amount, created_at, event_type }] of steps.entries()) {
      const event = {
        ...post(event_type, { amount, currency: "USD", resource_type: "payment_intent", resource_id: "pi_0001" }),
        id: `fe_000${n + 1}`,
        merchant_id: "mer_demo",
        sequence_id: n + 1,
        idempotency_key: key,
        previous_hash,
        created_at
      }
      assert.strictEqual(hashInput(event), hash_chain[n]?.canonical)
      assert.strictEqual(eventHash(event), hash_chain[n]?.event_hash)
      previous_hash = eventHash(event)
    }
  })
})
