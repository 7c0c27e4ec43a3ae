import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { comparedAddress, EmailAddress, isEmailAddress } from "./email-address.ts"

const decode = Schema.decodeUnknownResult(EmailAddress)

describe("an e-mail address", () => {
  it.each([
    "ada@example.com",
    "Ada.Berg+shop@mail.example.com",
    "o'neil@example.co.uk",
    "josé@example.com",
    "josé@bücher.example",
    "用户@例子.公司",
    "мария@пример.рф",
    "ada@xn--bcher-kva.example",
    `${"a".repeat(64)}@example.com`
  ])("may be %s", (text) => {
    assert.isTrue(isEmailAddress(text))
    assert.isTrue(Result.isSuccess(decode(text)))
  })

  it.each([
    "",
    "ada",
    "a@b",
    "root@localhost",
    "@example.com",
    "ada@",
    "ada@@example.com",
    "ada@example..com",
    ".ada@example.com",
    "ada.@example.com",
    "ada@-example.com",
    "ada@example-.com",
    "ada berg@example.com",
    "ada@exam ple.com",
    " ada@example.com",
    "ada@example.com\n",
    "\"ada berg\"@example.com",
    "Ada <ada@example.com>",
    "ada@example.com, eve@example.com",
    "ada@[127.0.0.1]",
    "ada＠example.com",
    "ada\u202e@example.com",
    "ada\u0000@example.com",
    "\ud800@example.com",
    `${"a".repeat(65)}@example.com`,
    `${"é".repeat(33)}@example.com`,
    `ada@${"a.".repeat(130)}example`
  ])("is not %j", (text) => {
    const refused = decode(text)
    assert.isFalse(isEmailAddress(text))
    assert.isTrue(Result.isFailure(refused) && refused.failure.message.includes("must be one email address whose domain has a dot"))
  })

  it("is compared without regard to capitals", () => {
    assert.strictEqual(comparedAddress("Ana.José@Bücher.EXAMPLE"), "ana.josé@bücher.example")
  })

  it.prop("that a schema makes up is one", [EmailAddress], ([address]) => {
    assert.isTrue(isEmailAddress(address))
  })
})
