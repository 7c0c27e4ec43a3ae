import { assert, describe, it } from "@effect/vitest"
import { DateTime, Redacted, Result } from "effect"
import { change, checkEndpointUrl, create, MAX_SECRETS, rotate } from "./rules.ts"

const at = (seconds: number) => DateTime.makeUnsafe(seconds * 1000)
const first = create("acct_1", { url: "https://example.com/" }, Redacted.make("whsec_1"), at(0))
const secrets = ({ previous_secrets, secret }: typeof first) =>
  [secret, ...previous_secrets.map((previous) => previous.secret)].map((hidden) => Redacted.value(hidden))
const DAY = 86_400
/** The endpoint after a rotation at each of these seconds; the n-th makes `whsec_<n + 1>`. */
const rotatedAt = (...seconds: ReadonlyArray<number>) =>
  seconds.reduce((endpoint, second, n) => Result.getOrThrow(rotate(endpoint, Redacted.make(`whsec_${n + 2}`), at(second))), first)

describe("an endpoint", () => {
  it("begins at version 1 with the standard schedule and one secret", () => {
    assert.include(first, { version: 1, schedule: "standard" })
    assert.deepStrictEqual(secrets(first), ["whsec_1"])
  })

  it("keeps its secret when it changes", () => {
    const changed = Result.getOrThrow(change(first, { url: "https://example.com/2", schedule: "long", version: 1 }, at(5)))
    assert.include(changed, { version: 2, schedule: "long", url: "https://example.com/2" })
    assert.deepStrictEqual(secrets(changed), secrets(first))
    assert.isTrue(Result.isFailure(change(changed, { url: "https://example.com/3", version: 1 }, at(6))))
  })

  it.for<readonly [what: string, rotations: ReadonlyArray<number>, kept: ReadonlyArray<readonly [secret: string, endsAt: number]>]>([
    ["one rotation", [10], [["whsec_1", 10 + DAY]]],
    ["a second one the same day", [10, 20], [["whsec_2", 20 + DAY], ["whsec_1", 10 + DAY]]],
    ["two in the same moment", [10, 10], [["whsec_2", 10 + DAY], ["whsec_1", 10 + DAY]]],
    ["as many as there may be", [1, 2, 3, 4], [["whsec_4", 4 + DAY], ["whsec_3", 3 + DAY], ["whsec_2", 2 + DAY], ["whsec_1", 1 + DAY]]],
    ["one just before the first secret ends", [10, 9 + DAY], [["whsec_2", 9 + 2 * DAY], ["whsec_1", 10 + DAY]]],
    ["one as the first secret ends", [10, 10 + DAY], [["whsec_2", 10 + 2 * DAY]]],
    ["one after a crowded day", [1, 2, 3, 4, 1 + DAY], [["whsec_5", 1 + 2 * DAY], ["whsec_4", 4 + DAY], ["whsec_3", 3 + DAY], [
      "whsec_2",
      2 + DAY
    ]]],
    ["one after all have ended", [1, 2, 3, 4, 5 * DAY], [["whsec_5", 6 * DAY]]]
  ])("gives every secret its own day: %s", ([, rotations, kept]) => {
    const endpoint = rotatedAt(...rotations)
    assert.deepStrictEqual(secrets(endpoint), [`whsec_${rotations.length + 1}`, ...kept.map(([secret]) => secret)])
    assert.deepStrictEqual(endpoint.previous_secrets.map(({ expires_at }) => expires_at), kept.map(([, endsAt]) => at(endsAt)))
    assert.strictEqual(endpoint.version, rotations.length + 1)
  })

  it("refuses a rotation while five secrets are valid, and says when the oldest ends", () => {
    const full = rotatedAt(10, 20, 30, 40)
    assert.lengthOf(secrets(full), MAX_SECRETS)
    const { details, message } = Result.getOrThrow(Result.flip(rotate(full, Redacted.make("whsec_6"), at(9 + DAY))))
    assert.include(details, { valid_secrets: MAX_SECRETS, oldest_expires_at: "1970-01-02T00:00:10.000Z" })
    assert.include(message, "1970-01-02T00:00:10.000Z")
    assert.isTrue(Result.isSuccess(rotate(full, Redacted.make("whsec_6"), at(10 + DAY))))
  })

  it("goes where the policy allows, under any spelling", () => {
    const verdict = (url: string, allow: ReadonlyArray<string> = []) => Result.isSuccess(checkEndpointUrl(url, { allow }))
    assert.isTrue(verdict("https://example.com/webhooks"))
    assert.isTrue(verdict("http://example.com:8080/"))
    for (
      const url of ["http://127.0.0.1/", "http://127.1/", "http://0x7f.1/", "http://2130706433/", "http://[::1]/", "http://localhost./"]
    ) {
      assert.isFalse(verdict(url), url)
    }
    assert.isTrue(verdict("http://127.0.0.1:4242/webhooks", ["127.0.0.1"]))
  })
})
