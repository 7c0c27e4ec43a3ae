/**
 * Encryption of the few columns that hold what must not be read from a copy of the database, such as bank account numbers: AES-256-GCM,
 * each box with the id of its key. The first key of the ring seals, all of them open, so keys are changed by putting a new one first,
 * sealing anew, and taking the old one out.
 */
import { Context, Effect, Layer, Redacted, Result, Schema } from "effect"
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto"

const ALGORITHM = "aes-256-gcm"
const KEY_BYTES = 32
const IV_BYTES = 12
const TAG_BYTES = 16

/** A text that only a key of the ring opens. */
export const Sealed = Schema.Struct({ key: Schema.String, box: Schema.String })
export type Sealed = typeof Sealed.Type

export interface RingKey {
  readonly id: string
  readonly bytes: Redacted.Redacted<Uint8Array>
}

const ENTRY = /^([a-z0-9_-]{1,20}):([A-Za-z0-9+/]{43}=|[A-Za-z0-9_-]{43})$/u

const help =
  "must be keys such as 2026a:<base64 of 32 bytes>, separated by commas, of which the first seals. Make one with: npm run svc -- encryption make-key 2026a"

/** A new key as it stands in a setting. Its id is shown, wherever something was sealed with it. */
export const makeKey = (id: string): string => `${id}:${randomBytes(KEY_BYTES).toString("base64")}`

/** What an id of a key looks like. */
export const isKeyId = (id: string): boolean => /^[a-z0-9_-]{1,20}$/u.test(id)

/** The keys in a setting; what is wrong with it, in words that show nothing of it, where that cannot be read. */
export const readKeys = (text: string): Result.Result<ReadonlyArray<RingKey>, string> => {
  const keys = text.split(",").map((entry) => ENTRY.exec(entry.trim())).map((found) =>
    found?.[1] === undefined || found[2] === undefined
      ? undefined
      : { id: found[1], bytes: Redacted.make(new Uint8Array(Buffer.from(found[2], "base64"))) }
  )
  const knownKeys = keys.filter((key) => key !== undefined)
  return knownKeys.length < keys.length || new Set(knownKeys.map(({ id }) => id)).size < knownKeys.length ||
      knownKeys.some(({ bytes }) => Redacted.value(bytes).length !== KEY_BYTES)
    ? Result.fail(help)
    : Result.succeed(knownKeys)
}

/** A box whose key is not in the ring, or that was tampered with. */
export class CannotOpen extends Schema.TaggedError<CannotOpen>()("CannotOpen", { message: Schema.String }) {}

export class Keyring extends Context.Service<Keyring, {
  /** The id of the key that seals. */
  readonly current: string
  /** `about` is bound to the box: it opens only with the same, such as the id of the row. */
  readonly seal: (text: string, about: string) => Sealed
  readonly open: (sealed: Sealed, about: string) => Effect.Effect<string, CannotOpen>
}>()("@svc/kernel/Keyring") {
  /** Throws a RangeError, a defect, where there is no key. */
  static readonly make = (keys: ReadonlyArray<RingKey>): Keyring["Service"] => {
    const [first] = keys
    if (first === undefined) throw new RangeError("a ring without a key seals nothing")
    const byId = new Map(keys.map((key) => [key.id, key]))
    return {
      current: first.id,
      seal: (text, about) => {
        const iv = randomBytes(IV_BYTES)
        const cipher = createCipheriv(ALGORITHM, Redacted.value(first.bytes), iv).setAAD(Buffer.from(about))
        const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()])
        return { key: first.id, box: Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString("base64url") }
      },
      open: ({ box, key }, about) => {
        const ringKey = byId.get(key)
        if (ringKey === undefined) {
          return Effect.fail(
            new CannotOpen({
              message:
                `It was sealed with the key ${key}, which this process does not have: put it back into ENCRYPTION_KEYS, behind the one that seals.`
            })
          )
        }
        const bytes = Buffer.from(box, "base64url")
        const opened = Result.try(() => {
          const decipher = createDecipheriv(ALGORITHM, Redacted.value(ringKey.bytes), bytes.subarray(0, IV_BYTES)).setAAD(
            Buffer.from(about)
          )
          decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
          return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString("utf8")
        })
        return Effect.mapError(
          Effect.fromResult(opened),
          () =>
            new CannotOpen({
              message: `What was sealed about ${about} does not open with the key ${key}: the key is another one, or the row was changed.`
            })
        )
      }
    }
  }

  static readonly these = (keys: ReadonlyArray<RingKey>): Layer.Layer<Keyring> => Layer.sync(Keyring, () => Keyring.make(keys))
}
