import { assert, describe, it } from "@effect/vitest"
import { RailName } from "@svc/payments/rails/model"
import type { RailRequest } from "@svc/payments/rails/model"
import { Schema } from "effect"
import { makeBooks } from "./provider-books.ts"
import type { ProviderPayment } from "./provider-books.ts"

const visa: RailRequest = {
  key: "a",
  amount: 100,
  currency: "USD",
  token: "tok_visa",
  capture: false,
  metadata: {},
  attempted_at: 0,
  risk_cleared: false
}

const start = () => {
  const clock = { now: 0 }
  const books = makeBooks(() => "http://provider/actions", () => clock.now)
  const authorized = (request: Partial<RailRequest> = {}) => {
    const answer = books.authorize("card_a", { ...visa, ...request })
    assert(typeof answer === "object" && "reference" in answer)
    return { currency: "USD", reference: answer.reference }
  }
  return { clock, books, authorized }
}

describe("the books of the provider", () => {
  it("one key is one effect, however often it is sent", () => {
    const { authorized, books } = start()
    const payment = authorized()
    authorized()
    const capture = { ...payment, key: "b", amount: 60 }
    const done = books.followUp("capture", "card_a", capture)
    assert.deepStrictEqual(books.followUp("capture", "card_a", capture), done)
    const { calls, effects, payments } = books.report()
    assert.deepStrictEqual({ calls, effects }, { calls: 4, effects: 2 })
    assert.deepStrictEqual(payments.map(({ authorized, captured }) => ({ authorized, captured })), [{ authorized: 100, captured: 60 }])
  })

  it("a key is refused for another call", () => {
    const { authorized, books } = start()
    const payment = authorized()
    assert.strictEqual(books.authorize("card_a", { ...visa, amount: 101 }), "reused")
    assert.strictEqual(books.authorize("card_b", visa), "reused")
    assert.strictEqual(books.followUp("capture", "card_a", { ...payment, key: "a", amount: 100 }), "reused")
    assert.strictEqual(books.report().reused, 3)
  })

  it("what a lookup did not find can no longer happen", () => {
    const { authorized, books } = start()
    assert.deepStrictEqual(books.lookup({ ...visa, key: "late" }), { _tag: "Unknown" })
    assert.strictEqual(books.authorize("card_a", { ...visa, key: "late" }), "closed")
    const refund = { ...authorized({ capture: true }), key: "late refund", amount: 1 }
    assert.isUndefined(books.lookupFollowUp(refund))
    assert.strictEqual(books.followUp("refund", "card_a", refund), "closed")
    assert.strictEqual(books.report().effects, 1)
  })

  it("a call that was to be lost is decided two seconds later, then closed", () => {
    const { books, clock } = start()
    const request = { ...visa, metadata: { "sim.outcome": "timeout" } }
    assert.deepStrictEqual(books.authorize("card_a", request), { _tag: "Silent" })
    assert.deepStrictEqual(books.lookup(request), { _tag: "Undecided" })
    clock.now = 2000
    assert.deepStrictEqual(books.lookup(request), { _tag: "Unknown" })
    assert.strictEqual(books.authorize("card_a", request), "closed")
    assert.strictEqual(books.report().effects, 0)
  })

  it.each<[what: string, calls: ReadonlyArray<readonly ["capture" | "refund" | "void", number]>, last: string]>([
    ["more than authorized", [["capture", 101]], "more than was authorized"],
    ["a second capture", [["capture", 50], ["capture", 50]], "the payment was captured already"],
    ["a refund before the capture", [["refund", 1]], "more than was captured"],
    ["more than captured", [["capture", 50], ["refund", 30], ["refund", 21]], "more than was captured"],
    ["a void after the capture", [["capture", 50], ["void", 100]], "the payment was captured already"],
    ["a capture after the void", [["void", 100], ["capture", 1]], "the payment was voided"],
    ["all of it in parts", [["capture", 50], ["refund", 30], ["refund", 20]], "done"]
  ])("%s", (_what, calls, last) => {
    const { authorized, books } = start()
    const payment = authorized()
    const answers = calls.map(([operation, amount], n) => books.followUp(operation, "card_a", { ...payment, key: `f${n}`, amount }))
    const said = answers.map((answer) => typeof answer === "string" ? answer : answer._tag === "Done" ? "done" : answer.reason)
    assert.deepStrictEqual(said, [...calls.slice(1).map(() => "done"), last])
  })

  it("knows a payment on its own rail and in its own currency only", () => {
    const { authorized, books } = start()
    const payment = authorized()
    assert.deepStrictEqual(books.followUp("capture", "card_b", { ...payment, key: "x", amount: 1 }), {
      _tag: "Refused",
      reason: "no such payment on this rail"
    })
    assert.deepStrictEqual(books.followUp("capture", "card_a", { ...payment, key: "y", amount: 1, currency: "EUR" }), {
      _tag: "Refused",
      reason: "the payment is in USD"
    })
  })

  it("a step that the customer passes authorizes once", () => {
    const { authorized, books } = start()
    const request = { token: "tok_requires_action" }
    const payment = authorized(request)
    assert.deepStrictEqual(books.followUp("capture", "card_a", { ...payment, key: "early", amount: 100 }), {
      _tag: "Refused",
      reason: "more than was authorized"
    })
    assert.isTrue(books.act("a", true))
    assert.isFalse(books.act("a", false), "answered already")
    assert.deepInclude(books.lookup({ ...visa, ...request }), { _tag: "Approved", amount: 100 })
    assert.strictEqual(books.report().effects, 1)
  })

  it("a step that the customer fails declines, and nobody can pass what was never asked", () => {
    const { authorized, books } = start()
    authorized({ token: "tok_requires_action" })
    assert.isTrue(books.act("a", false))
    assert.deepStrictEqual(books.lookup({ ...visa, token: "tok_requires_action" }), { _tag: "Declined", code: "authentication_required" })
    authorized({ key: "plain" })
    assert.isFalse(books.act("plain", true))
    assert.isFalse(books.act("nobody", true))
  })

  const Key = Schema.Literals(["a", "b", "c", "d", "e", "f"])
  const Amount = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 120 }))
  const Step = Schema.Union([
    Schema.Struct({
      do: Schema.Literal("authorize"),
      rail: RailName,
      key: Key,
      amount: Amount,
      capture: Schema.Boolean,
      token: Schema.Literals(["tok_visa", "tok_usdc", "tok_requires_action", "tok_lost_card"]),
      outcome: Schema.Literals(["", "", "timeout", "late_success", "amount_mismatch"])
    }),
    Schema.Struct({ do: Schema.Literals(["capture", "refund", "void"]), rail: RailName, key: Key, of: Key, amount: Amount }),
    Schema.Struct({ do: Schema.Literals(["lookup", "lookup_follow_up"]), key: Key, of: Key }),
    Schema.Struct({ do: Schema.Literal("act"), key: Key, passed: Schema.Boolean }),
    Schema.Struct({ do: Schema.Literal("wait") })
  ])
  type Step = typeof Step.Type

  const moneyOf = ({ authorized, captured, refunded }: ProviderPayment) => ({ authorized, captured, refunded })

  it.prop("whatever is sent: one effect a key, no money from nowhere, and nothing after a closing", [
    Schema.Array(Step).check(Schema.isBetweenLength(30, 40))
  ], ([steps]) => {
    const { books, clock } = start()
    const closed = new Set<string>()
    const referenceOf = (key: string) => books.report().payments.find((payment) => payment.key === key)?.reference ?? "sim_none"
    const run = (step: Step): unknown => {
      switch (step.do) {
        case "wait":
          clock.now += 1000
          return undefined
        case "act":
          return books.act(step.key, step.passed)
        case "authorize":
          return books.authorize(step.rail, { ...visa, ...step, metadata: { "sim.outcome": step.outcome } })
        case "lookup":
          return books.lookup({ ...visa, key: step.key })
        case "lookup_follow_up":
          return books.lookupFollowUp({ key: step.key, reference: referenceOf(step.of), amount: 1, currency: "USD" })
        default:
          return books.followUp(step.do, step.rail, {
            key: step.key,
            reference: referenceOf(step.of),
            amount: step.amount,
            currency: "USD"
          })
      }
    }
    for (const step of steps) {
      const before = books.report()
      const answer = run(step)
      const after = books.report()
      if ("key" in step && closed.has(step.key) && ["authorize", "capture", "refund", "void"].includes(step.do)) {
        assert.strictEqual(answer, "closed")
        assert.strictEqual(after.effects, before.effects)
      }
      for (const [key, entry] of Object.entries(after.keys)) {
        assert(entry.effects <= 1, `${key} had ${entry.effects} effects`)
        if (entry.operation === "closed") closed.add(key)
      }
      assert.strictEqual(after.effects, Object.values(after.keys).reduce((sum, { effects }) => sum + effects, 0))
      for (const payment of after.payments) {
        assert(0 <= payment.refunded && payment.refunded <= payment.captured && payment.captured <= payment.authorized)
        if (payment.voided) assert.strictEqual(payment.captured, 0)
      }
      if (after.effects === before.effects) {
        assert.deepStrictEqual(after.payments.slice(0, before.payments.length).map(moneyOf), before.payments.map(moneyOf))
      }
    }
  }, { arbitrary: { runs: 1000 } })
})
