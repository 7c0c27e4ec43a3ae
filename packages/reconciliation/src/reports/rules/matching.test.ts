import { assert, describe, it } from "@effect/vitest"
import type { StatementType } from "@svc/payments/rails/statement"
import { type Chance, makeChance } from "@svc/testkit/simulation/chance"
import type { MismatchType } from "../../mismatches/model.ts"
import { type Item, type Line, TOLERANCE, type Unknown } from "../model.ts"
import { byAmount, byDay, byReference, type Finding, matchDays, reconcile } from "./matching.ts"

const DAY = 24 * 3_600_000
const START = Date.parse("2026-03-01T12:00:00.000Z")

let numbers = 0
const line = (more: Partial<Line> = {}): Line => ({
  n: ++numbers,
  type: "capture",
  provider_reference: "a",
  amount: 100,
  currency: "USD",
  at: START,
  ...more
})
const item = (more: Partial<Item> = {}): Item => ({
  sequence_id: ++numbers,
  event_id: `fe_${numbers}`,
  type: "capture",
  provider_reference: "a",
  amount: 100,
  currency: "USD",
  at: START,
  expected: true,
  open: true,
  stated_at: undefined,
  correction: undefined,
  ...more
})

const typeOf = (finding: Finding): string => finding._tag === "Match" ? "match" : finding._tag === "Reversal" ? "reversal" : finding.type
const types = (findings: ReadonlyArray<Finding>) => findings.map(typeOf).toSorted()

describe("what has one reference", () => {
  it.each(
    [
      ["agrees", {}, "match"],
      ["agrees three days apart", { at: START - TOLERANCE }, "match"],
      ["lies further apart", { at: START - TOLERANCE - 1 }, "timing"],
      ["lies further apart, after it", { at: START + TOLERANCE + 1 }, "timing"],
      ["has another amount", { amount: 101 }, "amount"],
      ["has another amount, years before", { amount: 101, at: 0 }, "amount"],
      ["has another currency", { currency: "EUR" }, "currency"],
      ["has another currency and amount", { currency: "EUR", amount: 7 }, "currency"]
    ] as const
  )("%s", (_what, more, type) => {
    assert.deepStrictEqual(types(byReference([line(more)], [item()]).findings), [type])
  })

  it("and is said again, is said once too often, wherever the better line stands", () => {
    for (const lines of [[line(), line({ amount: 99 })], [line({ amount: 99 }), line()]]) {
      const { findings } = byReference(lines, [item()])
      assert.deepStrictEqual(types(findings), ["duplicate", "match"])
      assert.strictEqual(findings.find(({ _tag }) => _tag === "Match")?.line?.amount, 100)
    }
  })

  it("is not another kind of movement", () => {
    assert.deepStrictEqual(types(reconcile([line({ type: "fee", amount: 3 })], [item()])), ["missing_external", "missing_internal"])
  })

  it("is found by it although an earlier report has found it, or it lies outside the period", () => {
    assert.deepStrictEqual(types(reconcile([line()], [item({ open: false })])), ["match"])
    assert.deepStrictEqual(types(reconcile([line()], [item({ expected: false, at: START + 2 * DAY })])), ["match"])
  })

  it("and nobody here knows it, is one line that is unknown and others that repeat it", () => {
    assert.deepStrictEqual(types(reconcile([line(), line(), line()], [])), ["duplicate", "duplicate", "missing_internal"])
  })

  it("which reads null is a reference as any other", () => {
    assert.deepStrictEqual(types(reconcile([line({ provider_reference: "null" })], [item({ provider_reference: "null" })])), ["match"])
  })
})

describe("what found nobody by its reference", () => {
  it.each(
    [
      ["on the same day", 0, "match"],
      ["three days before", -3 * DAY, "match"],
      ["three days after", 3 * DAY, "match"]
    ] as const
  )("is what has its amount %s", (_when, apart, type) => {
    assert.deepStrictEqual(types(byAmount([line({ at: START + apart })], [item()])), [type])
  })

  it("is nobody's when it lies further apart", () => {
    assert.deepStrictEqual(types(byAmount([line({ at: START + 3 * DAY + 1 })], [item()])), ["missing_external", "missing_internal"])
  })

  it.each([["another amount", { amount: 101 }], ["another currency", { currency: "EUR" }], ["another type", { type: "refund" }]] as const)(
    "is nobody's with %s",
    (_what, more) => {
      assert.deepStrictEqual(types(reconcile([line({ provider_reference: null, ...more })], [item()])), [
        "missing_external",
        "missing_internal"
      ])
    }
  )

  it("takes the one that nobody else can have", () => {
    // The first event fits the first line alone, the second both.
    const findings = byAmount([line({ at: START + 2 * DAY }), line({ at: START - 2 * DAY })], [
      item({ at: START - 4 * DAY }),
      item({ at: START })
    ])
    assert.deepStrictEqual(types(findings), ["match", "match"])
  })

  it("does not take what an earlier report has found, and nothing is missing of that", () => {
    assert.deepStrictEqual(types(byAmount([line()], [item({ open: false })])), ["missing_internal"])
  })

  it("is no matter of this report when it lies outside the period", () => {
    assert.deepStrictEqual(types(byAmount([], [item({ expected: false })])), [])
  })
})

// ---------------------------------------------------------------------------------- properties

const shuffled = <A>(chance: Chance, all: ReadonlyArray<A>): ReadonlyArray<A> =>
  all.map((one) => [chance.next(), one] as const).toSorted(([a], [b]) => a - b).map(([, one]) => one)

/** What a finding says, whatever its line was numbered. */
const said = (finding: Finding): string => {
  const { item: booked, line: stated } = finding
  const { n: _n, ...content } = stated ?? { n: 0 }
  return `${typeOf(finding)} ${booked?.sequence_id ?? "-"} ${stated === undefined ? "-" : JSON.stringify(content)}`
}
const allSaid = (findings: ReadonlyArray<Finding>) => findings.map(said).toSorted()

const kinds: ReadonlyArray<StatementType> = ["capture", "refund", "fee"]

/** Few values, so that much is alike. */
const crowd = (chance: Chance) => {
  const movement = () => ({
    type: chance.pick(kinds),
    provider_reference: chance.pick(["a", "b", "c", null]),
    amount: chance.between(1, 2),
    currency: chance.pick(["USD", "EUR"]),
    at: START + chance.between(0, 8) * DAY
  })
  const lines = Array.from({ length: chance.between(0, 12) }, () => line(movement()))
  const items = Array.from(
    { length: chance.between(0, 12) },
    () => item({ ...movement(), expected: chance.happens(0.7), open: chance.happens(0.8) })
  )
  return { lines, items }
}

const seeds = Array.from({ length: 400 }, (_, n) => `crowd-${n}`)

describe("any statement and any ledger", () => {
  it("come to the same in whatever order they are", () => {
    for (const seed of seeds) {
      const chance = makeChance(seed)
      const { items, lines } = crowd(chance)
      const first = allSaid(reconcile(lines, items))
      assert.deepStrictEqual(allSaid(reconcile(shuffled(chance, lines), shuffled(chance, items))), first, seed)
    }
  })

  it("come to the same when amounts and days are compared piece by piece", () => {
    for (const seed of seeds) {
      const chance = makeChance(seed)
      const { items, lines } = crowd(chance)
      const whole = byAmount(lines, items)
      const stated = lines.toSorted(byDay)
      const booked = items.filter(({ open }) => open).toSorted(byDay)
      const found: Array<Finding> = []
      let [line, item, unknown] = [0, 0, undefined as Unknown | undefined]
      const size = chance.between(1, 4)
      for (let moreLines = true, moreItems = true; moreLines || moreItems;) {
        const [some, others] = [stated.slice(line, line + size), booked.slice(item, item + size)]
        moreLines = some.length === size
        moreItems = others.length === size
        const matched = matchDays({ lines: some, items: others, moreLines, moreItems, unknown })
        assert.isTrue(matched.lines + matched.items > 0 || (!moreLines && !moreItems), seed)
        found.push(...matched.findings)
        line += matched.lines
        item += matched.items
        unknown = matched.unknown
      }
      const withNth = (findings: ReadonlyArray<Finding>) =>
        findings.map((finding) => `${said(finding)} ${finding._tag === "Mismatch" ? finding.nth : ""}`).toSorted()
      assert.deepStrictEqual(withNth(found), withNth(whole), seed)
    }
  })

  it("have each line in one finding, each event in at most one, and each that is expected and open in one", () => {
    for (const seed of seeds) {
      const { items, lines } = crowd(makeChance(seed))
      const findings = reconcile(lines, items)
      assert.deepStrictEqual(
        findings.flatMap(({ line: one }) => one === undefined ? [] : [one.n]).toSorted(),
        lines.map(({ n }) => n).toSorted(),
        seed
      )
      const found = findings.flatMap(({ item: one }) => one === undefined ? [] : [one.sequence_id])
      assert.strictEqual(new Set(found).size, found.length, seed)
      for (const { expected, open, sequence_id } of items) if (expected && open) assert.include(found, sequence_id, seed)
    }
  })

  it("agree on what they call a match, and only on that", () => {
    for (const seed of seeds) {
      const { items, lines } = crowd(makeChance(seed))
      for (const finding of reconcile(lines, items)) {
        if (finding.item === undefined || finding.line === undefined) continue
        const { item: booked, line: stated } = finding
        const agrees = booked.amount === stated.amount && booked.currency === stated.currency &&
          Math.abs(booked.at - stated.at) <= TOLERANCE
        assert.strictEqual(finding._tag === "Match", agrees, seed)
        assert.strictEqual(booked.type, stated.type, seed)
      }
    }
  })
})

/** What a provider may get wrong with one movement: the lines it states, and what is to be found. */
const plant = (type: MismatchType, stated: Line): { readonly lines: ReadonlyArray<Line>; readonly hasItem: boolean } => {
  switch (type) {
    case "amount":
      return { lines: [{ ...stated, amount: stated.amount + 1 }], hasItem: true }
    case "currency":
      return { lines: [{ ...stated, currency: "EUR" }], hasItem: true }
    case "timing":
      return { lines: [{ ...stated, at: stated.at - 5 * DAY }], hasItem: true }
    case "duplicate":
      return { lines: [stated, stated], hasItem: true }
    case "missing_external":
      return { lines: [], hasItem: true }
    case "missing_internal":
      return { lines: [stated], hasItem: false }
  }
}

const errors: ReadonlyArray<MismatchType> = ["amount", "currency", "timing", "duplicate", "missing_external", "missing_internal"]

describe("1,000 errors in a statement of 10,000 lines", () => {
  it.each(["one", "two"])("are all named by their type, and nothing else is (%s)", (seed) => {
    const chance = makeChance(seed)
    const planted = new Map(Array.from({ length: 1_000 }, (_, n) => [n * 10 + chance.between(0, 9), chance.pick(errors)]))
    const lines: Array<Line> = []
    const items: Array<Item> = []
    for (let n = 0; n < 10_000; n++) {
      const movement = {
        type: chance.pick(kinds),
        provider_reference: `ref_${n}`,
        amount: 10 * (n + 1),
        currency: "USD",
        at: START + chance.between(0, 30 * DAY)
      }
      const stated = line({ ...movement, at: movement.at + chance.between(-DAY, DAY) })
      const error = planted.get(n)
      const { hasItem, lines: own } = error === undefined ? { lines: [stated], hasItem: true } : plant(error, stated)
      lines.push(...own)
      if (hasItem) items.push(item(movement))
    }
    const findings = reconcile(shuffled(chance, lines), shuffled(chance, items)).filter(({ _tag }) => _tag === "Mismatch")
    const named = new Map(
      findings.map((finding) => [Number((finding.line ?? finding.item)?.provider_reference?.slice(4)), typeOf(finding)])
    )
    assert.strictEqual(findings.length, 1_000)
    assert.deepStrictEqual(Array.from(named).toSorted(([a], [b]) => a - b), Array.from(planted).toSorted(([a], [b]) => a - b))
  })
})
