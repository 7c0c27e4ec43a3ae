import { assert, describe, it } from "@effect/vitest"
import { DateTime, Redacted, Result } from "effect"
import { change, checkEndpointUrl, create, rotate } from "./rules.ts"

const at = (seconds: number) => DateTime.makeUnsafe(seconds * 1000)
const first = create("acct_1", { url: "https://example.com/" }, Redacted.make("whsec_1"), at(0))
const secrets = ({ previous_secret, secret }: typeof first) =>
  [secret, previous_secret].map((hidden) => hidden === null ? null : Redacted.value(hidden))

describe("an endpoint", () => {
  it("begins at version 1 with the standard schedule and one secret", () => {
    assert.include(first, { version: 1, schedule: "standard", previous_secret_expires_at: null })
    assert.deepStrictEqual(secrets(first), ["whsec_1", null])
  })

  it("keeps its secret when it changes", () => {
    const changed = Result.getOrThrow(change(first, { url: "https://example.com/2", schedule: "long", version: 1 }, at(5)))
    assert.include(changed, { version: 2, schedule: "long", url: "https://example.com/2" })
    assert.deepStrictEqual(secrets(changed), secrets(first))
    assert.isTrue(Result.isFailure(change(changed, { url: "https://example.com/3", version: 1 }, at(6))))
  })

  it("keeps two secrets at most, the old one for a day", () => {
    const second = rotate(first, Redacted.make("whsec_2"), at(10))
    assert.deepStrictEqual(secrets(second), ["whsec_2", "whsec_1"])
    assert.deepStrictEqual(second.previous_secret_expires_at, at(10 + 86_400))
    const third = rotate(second, Redacted.make("whsec_3"), at(20))
    assert.deepStrictEqual(secrets(third), ["whsec_3", "whsec_2"])
    assert.strictEqual(third.version, 3)
  })

  it("goes where the policy allows, under any spelling", () => {
    const verdict = (url: string, allow: ReadonlyArray<string> = []) => Result.isSuccess(checkEndpointUrl(url, { allow }))
    assert.isTrue(verdict("https://example.com/webhooks"))
    assert.isTrue(verdict("http://example.com:8080/"))
    for (const url of ["http://127.0.0.1/", "http://127.1/", "http://0x7f.1/", "http://2130706433/", "http://[::1]/", "http://localhost./"]) {
      assert.isFalse(verdict(url), url)
    }
    assert.isTrue(verdict("http://127.0.0.1:4242/webhooks", ["127.0.0.1"]))
  })
})
