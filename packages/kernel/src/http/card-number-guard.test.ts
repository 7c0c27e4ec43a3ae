import { assert, describe, it } from "@effect/vitest"
import { sentences, spellings, testNumbers } from "../values/card-number-fixture.ts"
import { refusalOf } from "./card-number-guard.ts"

const refused = (body: string) => {
  const found = refusalOf(body)
  return found === undefined ? undefined : [found.error, found.code]
}
const holdsNumber = (code: string) => ["card_number_not_accepted", code]

/** What writes JSON in the ways that clients do: as it is, indented, and with all but ASCII escaped, as Python and PHP do. */
const escaped = (json: string): string => json.replace(/[^\x00-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
const writers = [
  (value: unknown) => JSON.stringify(value),
  (value: unknown) => JSON.stringify(value, undefined, "\t"),
  (value: unknown) => escaped(JSON.stringify(value))
]

describe("a body with a card number is refused", () => {
  it.for(testNumbers)("%s, however it is written and wherever it stands", (number) => {
    for (const text of spellings(number)) {
      for (const write of writers) {
        assert.deepStrictEqual(refused(write({ amount: 1, token: text })), holdsNumber("token"), text)
        assert.deepStrictEqual(refused(write({ metadata: { items: [{ ok: true }, [text]] } })), holdsNumber("metadata.items.1.0"), text)
        assert.deepStrictEqual(refused(write({ metadata: { [text]: "x" }, amount: 1 })), holdsNumber("metadata"), text)
        assert.deepStrictEqual(refused(write(text)), holdsNumber("body"), text)
      }
    }
    for (const text of sentences(number)) {
      for (const write of writers) {
        assert.deepStrictEqual(refused(write({ metadata: { note: text } })), holdsNumber("metadata.note"), text)
        assert.deepStrictEqual(refused(write({ [text]: 1 })), holdsNumber("body"), text)
      }
    }
  })

  it.for(testNumbers)("%s as a JSON number", (number) => {
    // Where it loses its last digits when it is parsed, only the text shows it.
    const code = String(Number(number)) === number ? holdsNumber("a.n") : holdsNumber("body")
    for (const body of [`{"a":{"n":${number}}}`, `{"a": {"n": ${number} }}`, `{"a":{"n":${number}\n}}`]) {
      assert.deepStrictEqual(refused(body), code, body)
    }
    assert.deepStrictEqual(refused(`[${number},1]`)?.[0], "card_number_not_accepted")
    assert.deepStrictEqual(refused(`[1,${number}]`)?.[0], "card_number_not_accepted")
  })

  it.for(
    [
      ["{\"a\":4242424242424242.0}", "a"],
      ["{\"a\":4.242424242424242e+15}", "a"],
      ["{\"a\":4.242424242424242e15}", "a"],
      ["{\"a\":\"\\u0034242424242424242\"}", "a"],
      ["{\"\\u0034242424242424242\":1}", "body"],
      ["{\"a\":\"4242\\u00204242\\u00204242\\u00204242\"}", "a"],
      ["{\"a\":\"x\\n4242424242424242\\r\\n\"}", "a"],
      ["{\"a\":\"4242424242424242\",\"a\":1}", "body"],
      ["pan=4242424242424242", "body"],
      ["{\"a\":\"4242424242424242\"", "body"]
    ] as const
  )("%s names %s", ([body, code]) => {
    assert.deepStrictEqual(refused(body), holdsNumber(code))
  })

  it("does not repeat the number, nor more of a path than an answer can hold", () => {
    const named = JSON.stringify({ "pay 5555 5555 5555 4444": { "378282246310005": "4242424242424242" } })
    for (
      const body of [
        named,
        `${"[".repeat(200_000)}"4242424242424242"${"]".repeat(200_000)}`,
        JSON.stringify({ ["x".repeat(900_000)]: "4242424242424242" })
      ]
    ) {
      const text = JSON.stringify(refusalOf(body))
      assert.include(text, "card_number_not_accepted")
      assert.isBelow(text.length, 1_000)
      for (const number of ["4242424242424242", "5555 5555 5555 4444", "378282246310005"]) assert.notInclude(text, number)
    }
  })
})

describe("a body without one", () => {
  it.for([
    "{\"amount\":1000,\"currency\":\"USD\",\"capture_method\":\"automatic\"}",
    "{\"since\":\"2026-01-01T00:00:00.000Z\",\"until\":\"2026-12-31T00:00:00.000Z\"}",
    "{\"idempotency_key\":\"3f6c1f8a-57a0-4e86-9a3e-4c2f8d0f3b11\",\"url\":\"http://192.168.100.200:8080/webhooks\"}",
    "{\"n\":0.4242424242424242}",
    "{\"n\":4.242424242424242e-7}",
    "{\"a\":\"4242\\n4242\\n4242\\n4242\"}",
    "{\"a\":\"caf\\u00e9\"}",
    "[4242,4242,4242,4242]",
    "",
    "not JSON"
  ])("%s passes", (body) => {
    assert.isUndefined(refusalOf(body))
  })

  it.for(
    [
      ["{\"a\":{\"b\":\"x\\u0000\"}}", "a.b"],
      ["{\"a\":\"\\ud800\"}", "a"],
      ["{\"a\\udc00\":1}", "body"],
      ["{\"a\":[1,\"\\u0000\"]}", "a.1"]
    ] as const
  )("%s is refused for text that cannot be stored", ([body, code]) => {
    assert.deepStrictEqual(refused(body), ["validation_error", code])
  })
})

/** Each takes milliseconds. One that went back and forth would take hours, and the limit of a test's time would end it. */
describe("a body of 1 MiB is looked through in proportion to its length", () => {
  const size = 2 ** 20
  const filled = (piece: string): string => piece.repeat(Math.ceil(size / piece.length)).slice(0, size)

  it.for([
    "1 ",
    "4",
    "1",
    "12 ",
    "4-",
    "a",
    "1.",
    "0,",
    "words and 12 more, ",
    "4241 ",
    "4242-4242-4242-4241 ",
    "40000000000001 ",
    "3782-822463-",
    "4000000000001,",
    "DE12 3000 0000 0000 00 ",
    "9405 ",
    "1.1e",
    "1.1e1 ",
    "\\u0031 ",
    "%B4",
    "\\n4"
  ])("that is %j again and again", (piece) => {
    assert.isUndefined(refusalOf(JSON.stringify({ metadata: { note: filled(piece) } })))
    refusalOf(filled(piece))
    refusalOf(`"${filled(piece)}"`)
  })
})
