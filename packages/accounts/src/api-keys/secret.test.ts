import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import type { ApiKeyKind } from "./model.ts"
import { brandOf, hashSecret, makeSecret, sameHash } from "./secret.ts"

const draw = (kind: ApiKeyKind, sandbox: boolean) => makeSecret(kind, sandbox).pipe(Effect.provide(SecureRandom.layerWebCrypto))

describe("makeSecret", () => {
  const brands: ReadonlyArray<readonly [ApiKeyKind, boolean, string]> = [
    ["secret", false, "sk_live_"],
    ["secret", true, "sk_test_"],
    ["restricted", false, "rk_live_"],
    ["restricted", true, "rk_test_"],
    ["tool", false, "svck_live_"],
    ["tool", true, "svck_test_"],
    ["operator", false, "ok_"],
    ["operator", true, "ok_"]
  ]
  it.effect.each(brands)("a %s key, sandbox %s, begins with %s", ([kind, sandbox, brand]) =>
    Effect.gen(function*() {
      const made = yield* draw(kind, sandbox)
      const secret = Redacted.value(made.secret)
      assert.strictEqual(brandOf(kind, sandbox), brand)
      assert.match(secret, new RegExp(`^${brand}[0-9A-Za-z]{32}$`, "u"))
      assert.strictEqual(made.hash, hashSecret(secret))
      assert.isTrue(secret.startsWith(made.prefix))
      assert.strictEqual(secret.length - made.prefix.length, 28, "what the prefix leaves unknown")
      assert.notInclude(JSON.stringify(made), secret)
      assert.notInclude(String(made.secret), secret)
    }))

  it.effect("never repeats, and favours no character", () =>
    Effect.gen(function*() {
      const draws = 3000
      const seen = new Set<string>()
      const counts = new Map<string, number>()
      for (let i = 0; i < draws; i++) {
        const secret = Redacted.value((yield* draw("operator", false)).secret)
        seen.add(secret)
        for (const character of secret.slice(3)) counts.set(character, (counts.get(character) ?? 0) + 1)
      }
      assert.strictEqual(seen.size, draws)
      assert.strictEqual(counts.size, 62)
      // Chi-squared with 61 degrees of freedom exceeds 130 once in about two million runs; the bias of a
      // plain modulo, 25 % more of eight characters, gives more than 700.
      const expected = draws * 32 / 62
      const chi = [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
      assert.isBelow(chi, 130)
    }))

  it.effect("skips bytes that would favour the first characters", () =>
    Effect.gen(function*() {
      // 248 to 255 are refused, 61 is the last character, 62 wraps to the first.
      const bytes = [255, 248, 61, 62, 247]
      const scripted = SecureRandom.make((size) => Uint8Array.from({ length: size }, (_, i) => bytes[i % bytes.length] ?? 0))
      const { secret } = yield* makeSecret("operator", false).pipe(Effect.provideService(SecureRandom.SecureRandom, scripted))
      assert.strictEqual(Redacted.value(secret), `ok_${"z0z".repeat(11).slice(0, 32)}`)
    }))
})

describe("hashes", () => {
  it("are SHA-256 in hexadecimal", () => {
    // FIPS 180-2, appendix B.1.
    assert.strictEqual(hashSecret("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  })
  it.each([["ab", "ab", true], ["ab", "aB", false], ["ab", "abc", false], ["", "", true], ["", "a", false]] as const)(
    "%s and %s: %s",
    (one, other, same) => {
      assert.strictEqual(sameHash(one, other), same)
    }
  )
})
