/** The secret of an API key: how it is made, recognised and remembered. */
import { Effect, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { hash, timingSafeEqual } from "node:crypto"
import type { ApiKeyKind } from "./model.ts"

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
/** 32 of 62 characters: 190 bits. */
const RANDOM_CHARS = 32
/** Bytes from here on would favour the first characters of the alphabet. */
const UNBIASED = 256 - (256 % ALPHABET.length)
/** So many random characters are kept to recognise a key by; the other 28 stay unknown. */
const SHOWN = 4

/** What every secret of this kind begins with. The operator's keys are neither live nor test. */
export const brandOf = (kind: ApiKeyKind, sandbox: boolean): string =>
  kind === "operator" ? "ok_" : `${STEMS[kind]}_${sandbox ? "test" : "live"}_`

const STEMS = { secret: "sk", restricted: "rk", tool: "svck" } as const

export interface GeneratedSecret {
  readonly secret: Redacted.Redacted<string>
  readonly prefix: string
  readonly hash: string
}

/** SHA-256, hexadecimal: all that is stored. A secret of 190 random bits needs no salt and no slow hash. */
export const hashSecret = (secret: string): string => hash("sha256", secret, "hex")

/** Compares two SHA-256 in a time that does not tell where they differ. */
export const sameHash = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one, "latin1"), Buffer.from(other, "latin1"))

/** Draws a new secret that begins with `brand`. */
export const drawSecret = Effect.fnUntraced(function*(brand: string) {
  const random = yield* SecureRandom.SecureRandom
  let secret = brand
  while (secret.length < brand.length + RANDOM_CHARS) {
    for (const byte of yield* random.randomBytes(RANDOM_CHARS)) {
      if (byte < UNBIASED && secret.length < brand.length + RANDOM_CHARS) secret += ALPHABET.charAt(byte % ALPHABET.length)
    }
  }
  const made: GeneratedSecret = {
    secret: Redacted.make(secret, { label: "api key" }),
    prefix: secret.slice(0, brand.length + SHOWN),
    hash: hashSecret(secret)
  }
  return made
})

/** Draws the secret of a new API key. */
export const makeSecret = (kind: ApiKeyKind, sandbox: boolean) => drawSecret(brandOf(kind, sandbox))
