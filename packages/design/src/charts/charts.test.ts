import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { moneyInShort } from "../format.ts"
import { bars, steps } from "./by-day.ts"
import { flow } from "./flow.ts"
import { moments, type MomentState } from "./moments.ts"
import { daysBetween, placesOf, scaleOf, spread } from "./scale.ts"

const told = { id: "p", title: "<Title>", description: "\"Description\"" }
const byDay = { ...told, label: String, ends: ["1 Jan", "3 Jan"] as const }

const MOST = Number.MAX_SAFE_INTEGER

describe("a scale", () => {
  it.each<readonly [string, ReadonlyArray<number>, ReadonlyArray<number>]>([
    ["nothing", [], [0, 1]],
    ["zeros", [0, 0], [0, 1]],
    ["one minor unit", [1], [0, 1]],
    ["one point", [1_999], [0, 500, 1_000, 1_500, 2_000]],
    ["what is round already", [0, 400], [0, 100, 200, 300, 400]],
    ["negative alone", [-30], [-30, -20, -10, 0]],
    ["both sides of zero", [-120, 980], [-500, 0, 500, 1_000]],
    ["a small debt beside much", [-1, 79_999], [-20_000, 0, 20_000, 40_000, 60_000, 80_000]]
  ])("has ticks for %s", (_name, values, ticks) => {
    assert.deepStrictEqual(scaleOf(values).ticks, ticks)
  })

  it.prop("has a place for every value, whole ticks, and zero among them", [
    Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: -MOST, maximum: MOST }))).check(Schema.isMaxLength(40))
  ], ([values]) => {
    const { at, ticks } = scaleOf(values)
    assert.include(ticks, 0)
    assert.isAtMost(ticks.length, 7)
    assert.isTrue(ticks.every(Number.isInteger))
    assert.deepStrictEqual([at(ticks[0] ?? NaN), at(ticks.at(-1) ?? NaN)], [0, 1])
    for (const value of values) assert.isTrue(at(value) >= 0 && at(value) <= 1, String(value))
  })

  it.each<readonly [string, string, number, string]>([
    ["en", "USD", 150_000, "$1.5K"],
    ["en", "USD", 5, "$0.05"],
    ["en", "JPY", 2_000, "¥2K"],
    ["en", "JPY", 5, "¥5"],
    ["en", "KWD", 5, "KWD\u00a00.005"],
    ["en", "KWD", 2_000_000, "KWD\u00a02K"],
    ["en", "USD", -50_000, "-$500"],
    ["en", "USD", 1_000_000_000_000_000, "$10T"],
    ["de", "EUR", 150_000_000, "1,5\u00a0Mio.\u00a0€"]
  ])("says in %s %s %i as %s", (tag, currency, amount, text) => {
    assert.strictEqual(moneyInShort({ tag }, amount, currency), text)
  })
})

describe("days and moments", () => {
  it("are all there, each once, also when clocks are changed and in leap years", () => {
    assert.deepStrictEqual(daysBetween("2026-03-28", "2026-03-30"), ["2026-03-28", "2026-03-29", "2026-03-30"])
    assert.deepStrictEqual(daysBetween("2026-10-24", "2026-10-26"), ["2026-10-24", "2026-10-25", "2026-10-26"])
    assert.deepStrictEqual(daysBetween("2028-02-28", "2028-03-01"), ["2028-02-28", "2028-02-29", "2028-03-01"])
    assert.deepStrictEqual(daysBetween("2026-01-01", "2026-01-01"), ["2026-01-01"])
    assert.deepStrictEqual(daysBetween("2026-01-02", "2026-01-01"), [])
    assert.strictEqual(new Set(daysBetween("2025-01-01", "2026-12-31")).size, 730)
  })

  it("stand in proportion, and one alone in the middle", () => {
    assert.deepStrictEqual(placesOf([10, 15, 30]), [0, 0.25, 1])
    assert.deepStrictEqual(placesOf([7]), [0.5])
    assert.deepStrictEqual(placesOf([7, 7]), [0.5, 0.5])
  })

  it.each<readonly [ReadonlyArray<number>, number, ReadonlyArray<number>]>([
    [[0, 0.5, 1], 0.25, [0, 0.5, 1]],
    [[0, 0, 1], 0.25, [0, 0.25, 1]],
    [[0, 1, 1], 0.25, [0, 0.75, 1]],
    [[0.5, 0.5], 0.25, [0.5, 0.75]],
    [[1, 1, 1, 1, 1], 0.5, [0, 0.25, 0.5, 0.75, 1]],
    [[], 0.25, []]
  ])("%j keep a distance of %d: %j", (places, distance, spaced) => {
    assert.deepStrictEqual(spread(places, distance), spaced)
  })
})

const numbersIn = (markup: string, attribute: string): ReadonlyArray<number> =>
  Array.from(markup.matchAll(new RegExp(` ${attribute}="(-?[\\d.]+)"`, "gu")), ([, value]) => Number(value))

describe("pictures", () => {
  it("say what they are to who does not see them, and escape it", () => {
    const { text } = bars({ ...byDay, series: [{ name: "<b>", values: [1] }] })
    assert.include(text, "role=\"img\" aria-labelledby=\"p-title p-desc\"")
    assert.include(text, "<title id=\"p-title\">&lt;Title&gt;</title><desc id=\"p-desc\">&quot;Description&quot;</desc>")
    assert.include(text, "&lt;b&gt;")
    assert.notMatch(text, /style=|NaN|Infinity|undefined/u)
  })

  it("have a bar for each amount, upwards or downwards, and none for nothing", () => {
    const { text } = bars({ ...byDay, series: [{ name: "in", values: [100, 0, 50] }, { name: "out", values: [0, 0, -100] }] })
    const drawn = text.slice(0, text.indexOf("</svg>"))
    assert.strictEqual(drawn.match(/<rect/gu)?.length, 3)
    assert.deepStrictEqual(numbersIn(drawn, "y"), [0, 40, 80])
    assert.deepStrictEqual(numbersIn(drawn, "height"), [80, 40, 80])
  })

  it("show what is smaller than a pixel", () => {
    const { text } = bars({ ...byDay, series: [{ name: "in", values: [1, MOST] }] })
    assert.isTrue(numbersIn(text, "height").every((height) => height > 1))
  })

  it("hold a balance until it moves", () => {
    const { text } = steps({ ...byDay, series: [{ name: "held", values: [0, 100, -100] }] })
    assert.include(text, "<path d=\"M0 80H200V0H400V160H600\"></path>")
    assert.include(steps({ ...byDay, series: [{ name: "held", values: [4] }] }).text, "d=\"M0 0H600\"")
    assert.notMatch(steps({ ...byDay, series: [{ name: "held", values: [] }] }).text, /NaN|Infinity/u)
  })

  it("lead money from lane to lane, either way", () => {
    const { text } = flow({
      ...told,
      lanes: ["Outside", "Pending", "Available", "Reserved"],
      movements: [{ text: "in", arrows: [[0, 1]] }, { text: "back", arrows: [[1, 0], [2, 0]] }],
      held: [[null, "0", "5", "0"]]
    })
    assert.strictEqual(text.match(/class="shaft"/gu)?.length, 3)
    assert.include(text, ">\u2068back\u2069</text>")
    assert.include(text, "M45 56H131")
    assert.include(text, "M225 98H49")
    assert.strictEqual(text.match(/class="strong"/gu)?.length, 3)
    const names = flow({ ...told, lanes: ["Außen", "Ausstehend", "Verfügbar", "Zurückbehalten"], movements: [], held: [] }).text
    assert.deepStrictEqual(Array.from(names.matchAll(/quiet" x="([\d.]+)"/gu), ([, x]) => Number(x)), [45, 135, 225, 311])
  })

  it.each<readonly [string, ReadonlyArray<readonly [number, MomentState]>, number]>([
    ["the present in the middle", [[0, "done"], [100, "due"]], 50],
    ["all in the past", [[0, "done"], [10, "good"]], 100],
    ["all ahead", [[50, "planned"], [60, "due"]], 0],
    ["all at once", [[5, "done"], [5, "bad"], [5, "good"]], 5],
    ["more than there is room for", Array.from({ length: 30 }, (_, n) => [n, "done"] as const), 10],
    ["none", [], 0]
  ])("number moments in their order: %s", (_name, all, now) => {
    const { text } = moments({ ...told, moments: all.map(([at, state]) => ({ at, state })), now, nowText: "Now" })
    const places = Array.from(text.matchAll(/translate\(([\d.]+) /gu), ([, x]) => Number(x))
    assert.strictEqual(places.length, all.length)
    for (const [n, place] of places.entries()) assert.isAbove(place, places[n - 1] ?? 0)
    assert.isTrue(places.every((place) => place >= 18 && place <= 342))
    const [, present] = /class="now" d="M([\d.]+)/u.exec(text) ?? []
    for (const [n, [at]] of all.entries()) {
      if (at <= now) assert.isBelow(places[n] ?? NaN, Number(present))
      else assert.isAbove(places[n] ?? NaN, Number(present))
    }
    assert.notMatch(text, /NaN|Infinity/u)
  })
})
