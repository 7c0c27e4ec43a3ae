/** The code of a gift card: 80 random bits. Nobody can guess such a code, so its hash needs no salt and no work factor. */
import { hashSecret } from "@svc/accounts/api-keys/secret"
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"

/** 32 characters, so that each random byte chooses evenly. I, L and O are left out because people misread them, U because of words. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
const CHARACTERS = 16

export interface GiftCardCode {
  readonly code: string
  readonly hash: string
  readonly last4: string
}

/** The form of a code that is hashed: without spaces and hyphens, and with misread characters corrected. */
const plain = (typed: string): string => typed.toUpperCase().replace(/[\s-]/gu, "").replace(/O/gu, "0").replace(/[IL]/gu, "1")

export const hashOf = (typed: string): string => hashSecret(`gift card ${plain(typed)}`)

export const drawCode = Effect.gen(function*() {
  const random = yield* SecureRandom.SecureRandom
  const text = Array.from(yield* random.randomBytes(CHARACTERS), (byte) => ALPHABET.charAt(byte % ALPHABET.length)).join("")
  const made: GiftCardCode = { code: text.replace(/.{4}(?=.)/gu, "$&-"), hash: hashOf(text), last4: text.slice(-4) }
  return made
})
