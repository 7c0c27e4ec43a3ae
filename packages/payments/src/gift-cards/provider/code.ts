/** The code of a gift card: 80 random bits, so that a hash needs neither salt nor cost, and nobody guesses one. */
import { hashSecret } from "@svc/accounts/api-keys/secret"
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"

/** Without I, L, O and U, which are read as something else, or make words. 32 of them: each byte chooses evenly. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
const CHARACTERS = 16

export interface GiftCardCode {
  readonly code: string
  readonly hash: string
  readonly last4: string
}

/** As it is hashed: what people add and mix up while they type. */
const plain = (typed: string): string => typed.toUpperCase().replace(/[\s-]/gu, "").replace(/O/gu, "0").replace(/[IL]/gu, "1")

export const hashOf = (typed: string): string => hashSecret(`gift card ${plain(typed)}`)

export const drawCode = Effect.gen(function*() {
  const random = yield* SecureRandom.SecureRandom
  const text = Array.from(yield* random.randomBytes(CHARACTERS), (byte) => ALPHABET.charAt(byte % ALPHABET.length)).join("")
  const made: GiftCardCode = { code: text.replace(/.{4}(?=.)/gu, "$&-"), hash: hashOf(text), last4: text.slice(-4) }
  return made
})
