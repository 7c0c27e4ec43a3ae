import { assert, describe, it } from "@effect/vitest"
import { unusableSetting } from "@svc/kernel/parts/settings"
import { ConfigProvider, Effect, Redacted } from "effect"
import { EmailSettings } from "./settings.ts"

const read = (env: Readonly<Record<string, string>>) =>
  Effect.provide(EmailSettings, ConfigProvider.layer(ConfigProvider.fromEnvRecord(env)))

const URL_IS_WRONG =
  "SMTP_URL must be the address of a mail server, such as smtp://user:password@mail.example.com:587 or smtps://mail.example.com. Correct it, or leave it unset."
const FROM_IS_WRONG =
  "EMAIL_FROM must be an address, or a name and an address, such as Acme <billing@acme.example>. Correct it, or leave it unset."

describe("SMTP_URL and EMAIL_FROM", () => {
  it.effect.each([{}, { SMTP_URL: "", EMAIL_FROM: "" }])("%j: no mail server", (env) =>
    Effect.gen(function*() {
      assert.isUndefined(yield* read(env))
    }))

  it.effect.each(
    [
      ["smtp://localhost:1025", "billing@acme.example", "", "billing@acme.example"],
      ["smtps://ada:secret@mail.example.com", "Acme & Söhne <billing@acme.example>", "Acme & Söhne", "billing@acme.example"]
    ] as const
  )("%s, %s", ([SMTP_URL, EMAIL_FROM, name, address]) =>
    Effect.gen(function*() {
      const settings = yield* read({ SMTP_URL, EMAIL_FROM })
      assert.deepStrictEqual([settings?.from, settings && Redacted.value(settings.url)], [{ name, address }, SMTP_URL])
      assert.notInclude(JSON.stringify(settings), "secret")
    }))

  it.effect.each(
    [
      [{ SMTP_URL: "http://ada:secret@mail.example.com", EMAIL_FROM: "a@b.example" }, URL_IS_WRONG],
      [{ SMTP_URL: "mail.example.com:secret", EMAIL_FROM: "a@b.example" }, URL_IS_WRONG],
      [{ SMTP_URL: "smtp://localhost", EMAIL_FROM: "Acme" }, FROM_IS_WRONG],
      [{ SMTP_URL: "smtp://localhost", EMAIL_FROM: "Acme <a@b.example>, Eve <e@b.example>" }, FROM_IS_WRONG],
      [{ SMTP_URL: "smtp://localhost", EMAIL_FROM: "Acme\r\nBcc: eve@b.example <a@b.example>" }, FROM_IS_WRONG],
      [{ SMTP_URL: "smtp://localhost" }, "EMAIL_FROM is unset, and SMTP_URL is not. Set both, or neither."],
      [{ EMAIL_FROM: "a@b.example" }, "SMTP_URL is unset, and EMAIL_FROM is not. Set both, or neither."]
    ] as const
  )("%j is refused in one line that repeats nothing of it", ([env, line]) =>
    Effect.gen(function*() {
      assert.strictEqual(unusableSetting(yield* Effect.flip(read(env))), line)
    }))
})
