/** Each language says all that English says. What is typed is held by the compiler; here is what it does not see. */
import { assert, describe, it } from "@effect/vitest"
import { locales } from "@svc/design/locale"
import { messagesOf } from "./messages.ts"

/** The assistant is asked in English. */
const EXAMPLES = "/assistant/asked"

const english = messagesOf({ locale: "en" })

/** Texts by their paths; a text with parameters is called with them. */
const textsIn = (value: unknown, path = ""): ReadonlyArray<readonly [path: string, text: string]> => {
  if (typeof value === "string") return [[path, value]]
  if (typeof value === "function") return textsIn(value("3", "4"), path)
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => textsIn(inner, `${path}/${name}`))
}

describe("the languages of the desk", () => {
  for (const locale of locales) {
    const texts = textsIn(messagesOf({ locale }))

    it(`${locale} has a text wherever English has one, and none is empty`, () => {
      assert.deepStrictEqual(texts.map(([path]) => path).toSorted(), textsIn(english).map(([path]) => path).toSorted())
      assert.deepStrictEqual(texts.filter(([, text]) => text.trim() === ""), [])
    })

    it(`${locale} tells one state from another where English does`, () => {
      const { states } = messagesOf({ locale })
      assert.notStrictEqual(states["paid"], states["unpaid"])
      assert.notStrictEqual(states["captured"], states["refunded"])
      assert.notStrictEqual(states["won"], states["lost"])
      assert.notStrictEqual(states["active"], states["suspended"])
    })

    if (locale === "en") continue
    it(`${locale} is a translation: hardly a sentence is as in English`, () => {
      const same = new Map(textsIn(english).filter(([path]) => !path.startsWith(EXAMPLES)))
      const sentences = texts.filter(([, text]) => text.includes(" ") && /\p{L}{3}/u.test(text))
      assert.isBelow(sentences.filter(([path, text]) => same.get(path) === text).length, 3)
    })
  }
})
