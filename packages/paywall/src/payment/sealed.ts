/**
 * A caller's key inside a challenge. A stock client puts its payment where the key was, so that the paid retry shows no key: the challenge,
 * which comes back unchanged, brings it along. Nobody but this installation can open it.
 */
import { Redacted, Result } from "effect"
import { createCipheriv, createDecipheriv, hash, randomBytes } from "node:crypto"

const ALGORITHM = "aes-256-gcm"
const IV_BYTES = 12
const TAG_BYTES = 16

/** The secret signs challenges, too; what seals is derived from it and used for nothing else. */
const keyOf = (secret: Redacted.Redacted<string>): Buffer => hash("sha256", `sealed keys\n${Redacted.value(secret)}`, "buffer")

export const seal = (secret: Redacted.Redacted<string>, token: string): string => {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(ALGORITHM, keyOf(secret), iv)
  const sealed = Buffer.concat([cipher.update(token, "utf8"), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString("base64url")
}

/** Undefined for what was not sealed here. */
export const open = (secret: Redacted.Redacted<string>, text: string): string | undefined => {
  const bytes = Buffer.from(text, "base64url")
  if (bytes.length <= IV_BYTES + TAG_BYTES) return undefined
  const opened = Result.try(() => {
    const decipher = createDecipheriv(ALGORITHM, keyOf(secret), bytes.subarray(0, IV_BYTES))
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString("utf8")
  })
  return Result.getOrUndefined(opened)
}
