import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { containsCardNumber } from "../card-numbers.ts"
import { suspicious } from "./card-number-guard.ts"

const runs = { arbitrary: { runs: 2000 } }
const numbers = ["4242424242424242", "5555555555554444", "378282246310005", "36227206271667", "4000000000000000006", "4222222222222", "4000020000000000"]
const Pan = Schema.Literals(numbers)
/** Mostly what joins a number, and some of what does not. */
const Between = Schema.Literals([
  "", "", " ", "-", ".", ",", "/", "_", "  ", " - ", " / ", "    ", "     ", ", ", "\t", "\n", "\r\n", "\u200b", "\u00a0", "\u00ad", "+", "e", "x", "\"", "\\", "\uff0e"
])
const Gap = Arbitrary.array(Arbitrary.schema(Between), { minLength: 4, maxLength: 4 })
const Sizes = Schema.Literals(["4,4,4,4,3", "4,6,5", "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1", "19", "4,12,3"])

/** The number cut into groups, with the same gap or others in turn between them. */
const disguised = (number: string, sizes: string, gaps: ReadonlyArray<string>): string => {
  let at = 0
  return [...sizes.split(",").map((size) => number.slice(at, at += Number(size))), number.slice(at)].filter((group) => group !== "")
    .reduce((text, group, i) => `${text}${gaps[i % gaps.length]}${group}`)
}
/** The text in JSON, its digits as escapes. */
const escaped = (text: string): string =>
  `"${text.split("").map((unit) => /\d/.test(unit) ? `\\u003${unit}` : JSON.stringify(unit).slice(1, -1)).join("")}"`
const holdsNumber = (body: string): boolean => containsCardNumber(JSON.parse(body)) !== undefined

describe("suspicious", () => {
  it.prop("lets through every body that a number is found in", [Pan, Sizes, Gap, Schema.Boolean, Schema.Json, Schema.Literals(["", "a", "_", "x ", "1.", "-"])], ([number, sizes, gaps, isEven, other, before]) => {
    const text = `${before}${disguised(number, sizes, isEven ? gaps.slice(0, 1) : gaps)}`
    const bodies = [{ other, text }, [text], { [text]: other }, text].flatMap((value) => [JSON.stringify(value), JSON.stringify(value, undefined, "\t")])
    for (const body of [...bodies, escaped(text)]) {
      if (holdsNumber(body)) assert.match(body, suspicious)
    }
  }, runs)

  it.prop("finds nothing less than the numbers joined by one gap throughout", [Pan, Schema.Literals(["", " ", "-", "\u200b"]), Sizes], ([number, gap, sizes]) => {
    const body = JSON.stringify({ text: disguised(number, sizes, [gap]) })
    assert.isTrue(holdsNumber(body))
    assert.match(body, suspicious)
  }, runs)

  it.for([
    "{\"a\":4242424242424242}", "{\"a\":4.242424242424242e15}", "{\"a\":4.00002e15}", "{\"a\":4.00002E+15 }", "[400002e0010]", "4.00002e15", "{\"a\":42424242424242.42e2}",
    "[1,4000020000000000.0]", "{\"a\":\"4242,4242,4242,4242\"}", "{\"4242 - 4242 - 4242 - 4242\":1}", "{\"a\":\"_4242_4242_4242_4242\"}", "{\"a\":\"4242\\t4242\\t4242\\t4242\"}", "{\"a\":\"4242\u007f4242\u007f4242\u007f4242\"}", "{\"a\":\"4242\\u00014242\\u00014242\\u00014242\"}"
  ])("lets %s through", (body) => {
    assert.isTrue(holdsNumber(body))
    assert.match(body, suspicious)
  })

  it.for([
    "{\"amount\":1000,\"currency\":\"USD\",\"capture_method\":\"automatic\"}", "{\"amount\":99999999999,\"currency\":\"USD\"}", "{\"since\":\"2026-01-01T00:00:00.000Z\",\"until\":\"2026-12-31T00:00:00.000Z\"}",
    "{\"idempotency_key\":\"3f6c1f8a-57a0-4e86-9a3e-4c2f8d0f3b11\",\"url\":\"http://192.168.100.200:8080/webhooks\"}", "{\"customer_id\":\"cus_01ARYZ6E41TSV4RRFFQ69G5FAV\",\"amount\":1250}",
    "{\"capabilities\":[\"payments\"],\"fee_tier_bps\":290,\"from\":\"2026-01-01\"}"
  ])("takes no time over %s", (body) => {
    assert.notMatch(body, suspicious)
  })

  it("takes time in proportion to the body", () => {
    const size = 250_000
    for (const piece of ["424242424242x", "4    2    4    2    4    2    4    2    4    2    4    2    x", "    ", "1e1", "1e", ":1.1e", "_", "1.x", "1 x"]) {
      const body = piece.repeat(Math.ceil(size / piece.length))
      assert.notMatch(`${body}"`, suspicious, piece)
    }
    assert.notMatch(`1e${"1".repeat(size)}x`, suspicious)
  }, 2000)
})
