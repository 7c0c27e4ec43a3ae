import { assert, describe, it } from "@effect/vitest"
import { redact } from "./logging.ts"

describe("redact", () => {
  it.each([
    ["an API key", "key sk_live_2zcN4kfSqQp3bKkmxWYkPWEleQbhwFYU used", "2zcN4kfSqQp3bKkmxWYkPWEleQbhwFYU"],
    ["a sandbox key", "sk_test_2zcN4kfSqQp3bKkmxWYkPWEleQbhwFYU", "kfSqQp3bKkmxWYkPWEleQbhwFYU"],
    ["a restricted key", "rk_live_2zcN4kfSqQp3bKkmxWYkPWEleQbhwFYU", "kfSqQp3bKkmxWYkPWEleQbhwFYU"],
    ["an operator key", "ok_2zcN4kfSqQp3bKkmxWYkPWEleQbhwFYU", "kfSqQp3bKkmxWYkPWEleQbhwFYU"],
    ["a signing secret", "whsec_eBiL29AmlqG30ROelEjQL4zETMMp6u0y/fBVPpwCCd4=", "lqG30ROelEjQL4zETMMp6u0y"],
    ["a tool key", "svck_live_2zcN4kfSqQp3bKkmxWYkPWEleQbhwFYU", "kfSqQp3bKkmxWYkPWEleQbhwFYU"],
    ["a sandbox tool key", "svck_test_2zcN4kfSqQp3bKkmxWYkPWEleQbhwFYU", "kfSqQp3bKkmxWYkPWEleQbhwFYU"],
    ["an agent key", "agk_test_2zcN4kfSqQp3bKkmxWYkPWEleQbhwFYU", "kfSqQp3bKkmxWYkPWEleQbhwFYU"],
    ["a bearer token", "{\"authorization\":\"Bearer abc.def-ghi\"}", "abc.def-ghi"],
    ["a bearer token of letters alone", "Bearer abcdefGhijklmno", "abcdefGhijklmno"],
    ["a long bearer token of small letters", "Bearer abcdefghijklmnopqrstuvwxyz", "abcdefghijklmnopqrstuvwxyz"],
    ["a card number", "paid with 4242 4242 4242 4242 today", "4242 4242 4242"]
  ])("hides %s", (_what, line, secret) => {
    assert.notInclude(redact(line), secret)
  })

  it("leaves ids, amounts and words alone", () => {
    const line = "pi_01M7XZ2D7DQT4Q0XMCK20PW8MJ of 1999 USD for acct_01M7XZ1CJJ5Q7JX7THGQ0BDEQR at 2026-11-21T02:30:51.983Z"
    assert.strictEqual(redact(line), line)
  })

  it.each([
    "Send Authorization: Bearer followed by the key.",
    "The scheme is Bearer, by RFC 6750.",
    "Bearer credentials are missing.",
    "Use Bearer authentication, please."
  ])(
    "leaves the words of a message alone: %s",
    (line) => {
      assert.strictEqual(redact(line), line)
    }
  )
})
