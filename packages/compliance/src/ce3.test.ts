import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { assembleCe3, type Dispute, Element, elements, type Transaction } from "./ce3.ts"

const DAY = 86_400_000
const AT = Date.parse("2026-09-01T12:00:00Z")

const full = {
  device_id: "device-0123456789",
  ip_address: "203.0.113.7",
  email: "ada@example.com",
  shipping_address: "1 Main St, Bonn",
  login_id: "ada"
}
type Marks = Partial<typeof full>

const transaction = (id: string, daysBefore: number, marks: Marks = full, more: Partial<Transaction> = {}): Transaction => ({
  id,
  amount_minor: 1000,
  currency: "EUR",
  created_at: new Date(AT - daysBefore * DAY).toISOString(),
  ...marks,
  ...more
})

/** The dispute is opened on the day of the transaction, so that both windows are one, unless said otherwise. */
const disputeOf = (more: Partial<Dispute> = {}, marks: Marks = full): Dispute => ({
  txn: transaction("txn_disputed", 0, marks, { disputed: true }),
  reason_code: "10.4",
  disputed_at: new Date(AT).toISOString(),
  ...more
})

const only = (...kept: ReadonlyArray<Element>): Marks => Object.fromEntries(kept.map((element) => [element, full[element]]))

describe("the window", () => {
  it.for([[119, false], [120, true], [365, true], [366, false]] as const)("%i days before: %s", ([days, qualifies]) => {
    const { qualifying_priors } = assembleCe3(disputeOf(), [transaction("a", days)])
    assert.deepStrictEqual(qualifying_priors.map(({ age_days }) => age_days), qualifies ? [days] : [])
  })

  it("goes by days, not by hours", () => {
    const early = transaction("a", 0, full, { created_at: "2026-05-04T23:59:59Z" })
    assert.strictEqual(assembleCe3(disputeOf(), [early]).qualifying_priors[0]?.age_days, 120)
  })

  it("reads a moment in its own zone", () => {
    const early = transaction("a", 0, full, { created_at: "2026-05-05T01:00:00+02:00" })
    assert.strictEqual(assembleCe3(disputeOf(), [early]).qualifying_priors[0]?.age_days, 120)
  })

  it("counts from the transaction by the rule, and from the dispute for the network", () => {
    const dispute = disputeOf({ disputed_at: new Date(AT + 30 * DAY).toISOString() })
    const late = [transaction("a", 95), transaction("b", 96)]
    assert.isFalse(assembleCe3(dispute, late).eligible)
    assert.deepInclude(assembleCe3(dispute, late).network_check, { window_from_dispute_date: true, meets_visa_core_rule: true })
    const old = [transaction("a", 340), transaction("b", 341)]
    const ours = assembleCe3(dispute, old)
    assert.isTrue(ours.eligible)
    assert.deepInclude(ours.network_check, { window_from_dispute_date: false, meets_visa_core_rule: false })
    assert.match(ours.caveat, /Visa's own rule comes to another answer/)
  })
})

describe("what is shared", () => {
  const subsets = Array.from({ length: 32 }, (_, bits) => elements.filter((__, at) => (bits & (1 << at)) !== 0))

  it.for(subsets.map((kept) => [kept.join(", ") || "nothing", kept] as const))("%s", ([, kept]) => {
    const ce3 = assembleCe3(disputeOf(), [transaction("a", 200, only(...kept)), transaction("b", 300, only(...kept))])
    assert.strictEqual(ce3.eligible, kept.length >= 2)
    assert.deepStrictEqual(ce3.matched_element_union, kept.length >= 2 ? kept : [])
    // Visa: without the email, and with the device or the address among the rest.
    const core = kept.filter((element) => element !== "email")
    assert.strictEqual(
      ce3.network_check.meets_visa_core_rule,
      core.length >= 2 && (core.includes("ip_address") || core.includes("device_id"))
    )
    assert.deepStrictEqual(ce3.network_check.same_elements_across_all, core)
  })

  it("must be equal across all three for the network, not for the rule", () => {
    const history = [transaction("a", 200, only("device_id", "login_id")), transaction("b", 300, only("ip_address", "shipping_address"))]
    const { eligible, evidence_packet, network_check } = assembleCe3(disputeOf(), history)
    assert.isTrue(eligible)
    assert.deepStrictEqual([network_check.meets_visa_core_rule, evidence_packet.elements_shared_by_all], [false, []])
  })

  it("looks past the strongest for the pair that the network takes", () => {
    const history = [
      transaction("a", 200, only("device_id", "login_id", "email", "shipping_address")),
      transaction("b", 210, only("ip_address", "login_id")),
      transaction("c", 220, only("ip_address", "login_id"))
    ]
    assert.deepInclude(assembleCe3(disputeOf(), history).network_check, {
      meets_visa_core_rule: true,
      prior_txn_ids: ["b", "c"],
      same_elements_across_all: ["ip_address", "login_id"]
    })
  })

  it("prefers the device or the address to as many other elements", () => {
    const pair = (
      id: string,
      days: number,
      ...kept: ReadonlyArray<Element>
    ) => [transaction(`${id}1`, days, only(...kept)), transaction(`${id}2`, days + 1, only(...kept))]
    const history = [...pair("a", 200, "shipping_address", "login_id"), ...pair("b", 300, "ip_address", "login_id")]
    assert.deepInclude(assembleCe3(disputeOf(), history).network_check, { meets_visa_core_rule: true, prior_txn_ids: ["b1", "b2"] })
  })

  it.for<readonly [label: string, disputed: Marks, prior: Marks, matched: ReadonlyArray<Element>]>([
    ["an IPv6 address in another spelling", { ip_address: "2001:db8::1" }, { ip_address: "2001:0DB8:0:0:0:0:0:1" }, ["ip_address"]],
    ["an email in capitals", { email: "Ada@Example.com " }, { email: "ada@example.com" }, ["email"]],
    ["an address with other spacing", { shipping_address: "1 Main St,  Bonn" }, { shipping_address: "1 main st Bonn" }, [
      "shipping_address"
    ]],
    ["a login in capitals is another login", { login_id: "Ada" }, { login_id: "ada" }, []],
    ["a device in capitals is another device", { device_id: "ABCDEFGHIJKLMNOPQ" }, { device_id: "abcdefghijklmnopq" }, []],
    ["white space alone is nothing", { device_id: "  " }, { device_id: "   " }, []]
  ])("compares by meaning: %s", ([, disputed, prior, matched]) => {
    const shared = { login_id: "same", email: "same@example.com" }
    const withShared = matched.some((element) => element in shared) || "login_id" in prior ? {} : shared
    const { qualifying_priors } = assembleCe3(
      disputeOf({}, { ...only("shipping_address", "ip_address"), ...withShared, ...disputed }),
      [transaction("a", 200, { ...only("shipping_address", "ip_address"), ...withShared, ...prior })]
    )
    const [compared] = Object.keys(prior)
    assert.deepStrictEqual(qualifying_priors[0]?.matched_elements.filter((element) => element === compared), matched)
  })

  it("does not count a short device for the network", () => {
    const marks = { device_id: "short", ip_address: "203.0.113.7" }
    const { eligible, network_check } = assembleCe3(disputeOf({}, marks), [transaction("a", 200, marks), transaction("b", 201, marks)])
    assert.deepStrictEqual([eligible, network_check.meets_visa_core_rule], [true, false])
  })
})

describe("what is no evidence", () => {
  it.for<readonly [label: string, history: ReadonlyArray<Transaction>, counted: Partial<ReturnType<typeof assembleCe3>["not_qualifying"]>]>(
    [
      ["one prior alone", [transaction("a", 200)], {}],
      ["one that was disputed", [transaction("a", 200), transaction("b", 200, full, { disputed: true })], { disputed: 1 }],
      ["the same twice", [transaction("a", 200), transaction("a", 210)], { repeated: 1 }],
      ["the disputed one itself", [transaction("a", 200), transaction("txn_disputed", 200)], { repeated: 1 }],
      ["one that shares one mark", [transaction("a", 200), transaction("b", 200, only("email"))], { too_few_matches: 1 }],
      ["one too old", [transaction("a", 200), transaction("b", 400)], { outside_window: 1 }]
    ]
  )("%s", ([, history, counted]) => {
    const ce3 = assembleCe3(disputeOf(), history)
    assert.deepInclude(ce3, { eligible: false, rejection_reason: "fewer_than_two_qualifying_priors" })
    assert.deepStrictEqual(ce3.not_qualifying, { disputed: 0, outside_window: 0, too_few_matches: 0, repeated: 0, ...counted })
  })

  it("is for 10.4 only", () => {
    const ce3 = assembleCe3(disputeOf({ reason_code: "13.1" }), [transaction("a", 200), transaction("b", 201)])
    assert.deepInclude(ce3, { eligible: false, rejection_reason: "reason_code_not_10_4" })
    assert.isFalse(ce3.network_check.meets_visa_core_rule)
  })

  it("says nothing of the network's rule without the date of the dispute", () => {
    const { disputed_at: _, ...undated } = disputeOf()
    const ce3 = assembleCe3(undated, [transaction("a", 200), transaction("b", 201)])
    assert.isTrue(ce3.eligible)
    assert.deepInclude(ce3.network_check, { window_from_dispute_date: null, meets_visa_core_rule: null })
    assert.notProperty(ce3, "rejection_reason")
  })
})

describe("the network's rule without the date of the dispute", () => {
  const check = (history: ReadonlyArray<Transaction>, more: Partial<Dispute> = {}, marks: Marks = full) => {
    const { disputed_at: _, ...undated } = disputeOf(more, marks)
    return assembleCe3(undated, history).network_check.meets_visa_core_rule
  }

  it.for<readonly [label: string, history: ReadonlyArray<Transaction>, meets: false | null]>([
    ["two within the window of any day", [transaction("a", 200), transaction("b", 300)], null],
    ["two that a later dispute would reach", [transaction("a", 10), transaction("b", 90)], null],
    ["as far apart as the window is long", [transaction("a", 120), transaction("b", 365)], null],
    ["a day further apart", [transaction("a", 119), transaction("b", 365)], false],
    ["one too old already", [transaction("a", 200), transaction("b", 366)], false],
    ["no history", [], false],
    ["one alone", [transaction("a", 200)], false],
    ["one disputed", [transaction("a", 200), transaction("b", 201, full, { disputed: true })], false],
    ["neither device nor address", [transaction("a", 200, only("login_id", "shipping_address")), transaction("b", 201)], false],
    ["one mark that counts", [transaction("a", 200, only("ip_address", "email")), transaction("b", 201)], false]
  ])("%s", ([, history, meets]) => assert.strictEqual(check(history), meets))

  it("is surely not met for another reason code, or by a device that is too short", () => {
    const history = [transaction("a", 200), transaction("b", 201)]
    assert.isFalse(check(history, { reason_code: "13.1" }))
    const marks = { device_id: "short", login_id: "ada" }
    assert.isFalse(check([transaction("a", 200, marks), transaction("b", 201, marks)], {}, marks))
  })
})

describe("properties", () => {
  const Prior = Schema.Struct({
    days: Schema.Int.check(Schema.isBetween({ minimum: 100, maximum: 400 })),
    kept: Schema.Array(Element),
    disputed: Schema.Boolean
  })
  const priors = Schema.Array(Prior)
  const historyOf = (drawn: typeof priors.Type) =>
    drawn.map(({ days, disputed, kept }, at) => transaction(`p${at}`, days, only(...kept), { disputed }))

  it.prop("a prior qualifies exactly when it is in the window, undisputed, and shares two of five", [priors], ([drawn]) => {
    const expected = drawn.flatMap(({ days, disputed, kept }, at) =>
      !disputed && days >= 120 && days <= 365 && new Set(kept).size >= 2 ? [`p${at}`] : []
    )
    const { eligible, not_qualifying, qualifying_priors } = assembleCe3(disputeOf(), historyOf(drawn))
    assert.sameMembers(qualifying_priors.map(({ txn_id }) => txn_id), expected)
    assert.strictEqual(eligible, expected.length >= 2)
    assert.strictEqual(Object.values(not_qualifying).reduce((sum, n) => sum + n, 0) + expected.length, drawn.length)
    const counts = qualifying_priors.map(({ matched_elements }) => matched_elements.length)
    assert.deepStrictEqual(counts, counts.toSorted((a, b) => b - a))
  }, { arbitrary: { runs: 500 } })

  it.prop("the network's answer is that of trying every pair", [priors], ([drawn]) => {
    const core = (kept: ReadonlyArray<Element>) => elements.filter((element) => element !== "email" && kept.includes(element))
    const able = drawn.filter(({ days, disputed }) => !disputed && days >= 120 && days <= 365)
    const expected = able.some((one, at) =>
      able.slice(at + 1).some((other) => {
        const shared = core(one.kept).filter((element) => core(other.kept).includes(element))
        return shared.length >= 2 && (shared.includes("ip_address") || shared.includes("device_id"))
      })
    )
    assert.strictEqual(assembleCe3(disputeOf(), historyOf(drawn)).network_check.meets_visa_core_rule, expected)
  }, { arbitrary: { runs: 500 } })

  it.prop(
    "without the date of the dispute it is null exactly when some date meets it",
    [Schema.Array(Prior).check(Schema.isMaxLength(6))],
    ([drawn]) => {
      const history = historyOf(drawn)
      const { disputed_at: _, ...undated } = disputeOf()
      const dates = Array.from({ length: 266 }, (__, days) => new Date(AT + days * DAY).toISOString())
      const met = dates.some((disputed_at) => assembleCe3({ ...undated, disputed_at }, history).network_check.meets_visa_core_rule === true)
      assert.strictEqual(assembleCe3(undated, history).network_check.meets_visa_core_rule, met ? null : false)
    },
    { arbitrary: { runs: 100 } }
  )

  it.prop("more history never takes eligibility away, nor does its order matter", [priors, priors], ([drawn, more]) => {
    const history = historyOf(drawn)
    const { eligible, qualifying_priors } = assembleCe3(disputeOf(), history)
    const longer = assembleCe3(disputeOf(), [...history, ...historyOf(more).map((one) => ({ ...one, id: `m${one.id}` }))])
    if (eligible) assert.isTrue(longer.eligible)
    assert.deepStrictEqual(assembleCe3(disputeOf(), history.toReversed()).qualifying_priors, qualifying_priors)
  }, { arbitrary: { runs: 300 } })
})
