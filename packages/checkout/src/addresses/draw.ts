/** Draws the address of a new session: its path ends in a fresh secret. */
import { drawSecret } from "@svc/accounts/api-keys/secret"
import { PublicUrl } from "@svc/kernel/http/public-url"
import { Keyring } from "@svc/platform/encryption/keyring"
import { Effect, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"

/** `pages` is the first part of the path. The secret is sealed for the session of this id. */
export const drawingAddresses = Effect.fnUntraced(function*(pages: "checkout" | "portal") {
  const [keyring, publicUrl] = [yield* Keyring, yield* PublicUrl]
  // Randomness belongs to the layer: no handler asks for it.
  const draw = Effect.provideService(drawSecret(""), SecureRandom.SecureRandom, yield* SecureRandom.SecureRandom)
  return (id: string) =>
    Effect.map(draw, (drawn) => {
      const secret = Redacted.value(drawn.secret)
      return { url: `${publicUrl}/${pages}/${id}/${secret}`, secret: keyring.seal(secret, id) }
    })
})
