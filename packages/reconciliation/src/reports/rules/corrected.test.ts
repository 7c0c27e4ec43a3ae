/** How a statement is compared with what earlier corrections made of the ledger. */
import { assert, describe, it } from "@effect/vitest"
import type { Item, Line } from "../model.ts"
import { byReference, type Finding, reconcile } from "./matching.ts"

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

/** The item as a correction left it. */
const corrected = (content: Partial<Line> | null, more: Partial<Item> = {}) =>
  item({
    open: content === null,
    expected: content !== null,
    correction: { id: "rm_1", content: content === null ? null : { amount: 100, currency: "USD", at: START, ...content } },
    ...more
  })

/** A correction of what only the provider knew, or had more often. */
const accepted = (content: Partial<Line> = {}, more: Partial<Item> = {}) =>
  item({
    sequence_id: null,
    event_id: null,
    open: false,
    ...content,
    correction: { id: "rm_2", content: { amount: 100, currency: "USD", at: START, ...content } },
    ...more
  })

describe("what was corrected", () => {
  it.each(
    [
      ["says what the correction says", { amount: 90 }, { amount: 90 }, "match"],
      ["says what the event said", {}, { amount: 90 }, "reversal"],
      ["says a third amount", { amount: 95 }, { amount: 90 }, "amount"],
      ["has a payment that was taken for missing", {}, null, "reversal"],
      ["has it on another day", { at: START + 9 * DAY }, null, "reversal"],
      ["has it with another amount", { amount: 95 }, null, "missing_internal"],
      ["has the day that was accepted", { at: START - 5 * DAY }, { at: START - 5 * DAY }, "match"],
      ["has the day of the event", {}, { at: START - 5 * DAY }, "reversal"]
    ] as const
  )("and the file %s", (_what, stated, content, type) => {
    assert.deepStrictEqual(types(reconcile([line(stated)], [corrected(content)])), [type])
  })

  it("to nothing is found by its amount, and is not missing again", () => {
    assert.deepStrictEqual(types(reconcile([line({ provider_reference: null })], [corrected(null)])), ["reversal"])
    assert.deepStrictEqual(types(reconcile([], [corrected(null), corrected({ amount: 90 }, { open: false })])), [])
  })

  it.each(
    [
      ["as often as was accepted", 2, ["match", "match"]],
      ["less often", 1, ["match", "reversal"]],
      ["more often", 3, ["duplicate", "match", "match"]],
      ["not at all", 0, []]
    ] as const
  )("and the file has the reference %s", (_how, count, expected) => {
    assert.deepStrictEqual(types(reconcile(Array.from({ length: count }, () => line()), [item({ open: false }), accepted()])), [
      ...expected
    ])
  })

  it("is not disproved by a file of another period", () => {
    assert.deepStrictEqual(types(byReference([line()], [item({ open: false }), accepted({}, { expected: false })]).findings), ["match"])
  })

  it("without an event is compared as it was accepted, on whatever day", () => {
    assert.deepStrictEqual(types(byReference([line({ at: START + 9 * DAY })], [accepted()]).findings), ["match"])
    assert.deepStrictEqual(types(byReference([line({ amount: 90 })], [accepted()]).findings), ["amount"])
  })

  it("gives its line to an event of its own", () => {
    const { findings } = byReference([line()], [accepted(), item()])
    assert.deepStrictEqual(findings.map((finding) => [typeOf(finding), finding.item?.sequence_id === null]), [["match", false], [
      "reversal",
      true
    ]])
  })

  it("counts a further duplicate behind those that were accepted", () => {
    const { findings } = byReference([line(), line(), line()], [item(), accepted()])
    assert.deepStrictEqual(findings.map((finding) => finding._tag === "Mismatch" ? finding.nth : typeOf(finding)), ["match", "match", 1])
  })

  it("and known by that alone, is missed by a file of its day that does not have it", () => {
    assert.deepStrictEqual(types(byReference([], [accepted({}, { open: true })]).findings), ["missing_external"])
    assert.deepStrictEqual(types(byReference([], [accepted({}, { open: true, expected: false })]).findings), [])
  })

  it("goes on with the line without a reference that an earlier file had", () => {
    const unnamed = () => line({ provider_reference: null })
    const items = [item({ open: false, stated_at: START }), corrected(null, { provider_reference: "b" })]
    assert.deepStrictEqual(types(reconcile([unnamed()], items)), ["match"])
    assert.deepStrictEqual(types(reconcile([unnamed(), unnamed()], items)), ["match", "reversal"])
    assert.deepStrictEqual(types(reconcile([line({ provider_reference: "c" })], items)), ["reversal"])
  })
})
