import { assert, it } from "@effect/vitest"
import { locales } from "@svc/design/locale"
import { messagesOf } from "./messages.ts"

const texts = (value: unknown): ReadonlyArray<string> =>
  typeof value === "string" ? [value] : typeof value === "function" ? [String(value("{one}"))] : Object.values(value ?? {}).flatMap(texts)

it.each(locales)("the messages are all there, and none is left in another language: %s", (locale) => {
  const said = texts(messagesOf({ locale }))
  assert.isEmpty(said.filter((text) => text.trim() === ""))
  const english = new Set(texts(messagesOf({ locale: "en" })))
  if (locale !== "en") assert.deepStrictEqual(said.filter((text) => english.has(text)), [])
  // What is put into a sentence stands in it, in every language.
  assert.strictEqual(said.filter((text) => text.includes("{one}")).length, 4)
})
