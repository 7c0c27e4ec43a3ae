import { assert, describe, it } from "@effect/vitest"
import { wordsAt, wordsOf } from "./words.ts"

/** What the loop finds, as a pattern: too slow for large files, and easy to judge. */
const PATTERN = new RegExp(
  [
    /"""(?:[^"]|"(?!""))*"""/u,
    /'''(?:[^']|'(?!''))*'''/u,
    /"(?:[^"\\\n]|\\.)*"?/u,
    /'(?:[^'\\\n]|\\.)*'?/u,
    /`(?:[^`\\]|\\[^])*`?/u,
    /[A-Za-z_$][\w$]*(?:(?:\?\.|\.|::|->)[A-Za-z_$][\w$]*)*/u
  ].map(({ source }) => source).join("|"),
  "gu"
)

const SIGNS = [
  "\"",
  "'",
  "`",
  "\"\"\"",
  "\\",
  "\n",
  "\r",
  "\u2028",
  "a",
  "B",
  "_",
  "$",
  "7",
  ".",
  "?.",
  "::",
  "->",
  "?",
  "-",
  " ",
  "é",
  "😀"
]

/** Texts of the signs above, the same in each run. */
const texts = Array.from({ length: 4000 }, (_, seed) => {
  let state = seed + 1
  return Array.from({ length: 2 + seed % 23 }, () => SIGNS[(state = state * 48_271 % 2_147_483_647) % SIGNS.length] ?? "").join("")
})

describe("names and strings of code", () => {
  it("are what the pattern finds", () => {
    for (const text of texts) {
      const found = wordsOf(text).map(({ end, isString, start }) => [start, text.slice(start, end), isString])
      const expected = Array.from(text.matchAll(PATTERN), ({ 0: word, index }) => [index, word, /^["'`]/u.test(word)])
      assert.deepStrictEqual(found, expected, JSON.stringify(text))
    }
  })

  it("are told by the ranges that they overlap", () => {
    const text = "alpha beta.gamma \"delta\" epsilon"
    const at = (...words: ReadonlyArray<string>) =>
      words.map((word) => ({ start: text.indexOf(word), end: text.indexOf(word) + word.length }))
    const found = wordsAt(wordsOf(text), at("ph", " ", "gamma", "elta")).map(({ end, start }) => text.slice(start, end))
    assert.deepStrictEqual(found, ["alpha", "beta.gamma", "\"delta\""])
  })
})
