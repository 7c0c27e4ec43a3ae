/**
 * Webhook signatures in the `t=…,v1=…` form that Stripe's libraries verify. What is signed is
 * `<timestamp>.<raw body>`; the HMAC-SHA-256 key is the whole secret text, `whsec_` included.
 */
import { Data, Result } from "effect"
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto"

/** The raw body: exactly the bytes that travel. */
export type Body = string | Uint8Array

const DEFAULT_TOLERANCE_SECONDS = 300
// A few signatures are sent while secrets rotate; the limit bounds the work a forged header can cause.
const MAX_HEADER_CHARS = 2048
const V1_CHARS = 64

/** Why a signature is not accepted. `no_match` also covers a changed body and a wrong secret. */
export class SignatureRefusal extends Data.TaggedError("SignatureRefusal")<{
  readonly reason: "malformed" | "timestamp_out_of_tolerance" | "no_match"
  readonly message: string
}> {}

/** A fresh endpoint secret: `whsec_` and 32 random bytes in base64. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString("base64")}`

/**
 * The `v1` signature, lowercase hex. `timestamp` is whole Unix seconds. Throws a RangeError, a defect,
 * for an empty secret, which anybody could sign with, and for a timestamp that is not whole seconds.
 */
export const sign = ({ secret, timestamp, body }: {
  readonly secret: string
  readonly timestamp: number
  readonly body: Body
}): string => {
  if (secret === "") throw new RangeError("A webhook signing secret must not be empty")
  if (!Number.isSafeInteger(timestamp) || timestamp < 0) {
    throw new RangeError(`A webhook timestamp is whole Unix seconds, got ${timestamp}`)
  }
  return createHmac("sha256", secret).update(`${timestamp}.`).update(body).digest("hex")
}

/** The `Webhook-Signature` header: one `v1` for each secret, so that receivers can rotate theirs in peace. */
export const signatureHeader = ({ secrets, timestamp, body }: {
  readonly secrets: ReadonlyArray<string>
  readonly timestamp: number
  readonly body: Body
}): string => {
  if (secrets.length === 0) throw new RangeError("A webhook needs at least one signing secret")
  return [`t=${timestamp}`, ...secrets.map((secret) => `v1=${sign({ secret, timestamp, body })}`)].join(",")
}

interface Parsed {
  readonly timestamp: number
  readonly signatures: ReadonlyArray<string>
}

const malformed = (message: string) => Result.fail(new SignatureRefusal({ reason: "malformed", message }))

const parse = (header: string): Result.Result<Parsed, SignatureRefusal> => {
  if (header.length > MAX_HEADER_CHARS) return malformed(`The signature header is longer than ${MAX_HEADER_CHARS} characters`)
  const items = header.split(",").map((item) => item.trim())
  const times = items.filter((item) => item.startsWith("t="))
  const [time] = times
  if (time === undefined || times.length > 1 || !/^t=\d{1,12}$/.test(time)) {
    return malformed("The signature header needs one t= with whole Unix seconds")
  }
  // Other schemes may come beside v1 one day; they are not looked at.
  const signatures = items.filter((item) => item.startsWith("v1=")).map((item) => item.slice(3))
  return signatures.length === 0
    ? malformed("The signature header has no v1= signature")
    : Result.succeed({ timestamp: Number(time.slice(2)), signatures })
}

const equals = (expected: string, actual: string): boolean =>
  /^[0-9a-f]+$/.test(actual) && actual.length === V1_CHARS && timingSafeEqual(Buffer.from(expected), Buffer.from(actual))

/** What to verify. Give the secrets a receiver may still be using, newest first, or the one it has. */
export type VerifyInput =
  & {
    readonly header: string
    /** The raw body as received, not parsed and printed again. */
    readonly body: Body
    /** The receiver's clock, Unix seconds. */
    readonly now: number
    /** How far the timestamp may be from `now`, either way, in seconds; 300 unless given. */
    readonly toleranceSeconds?: number
  }
  & ({ readonly secret: string } | { readonly secrets: ReadonlyArray<string> })

/**
 * Succeeds when one of the signatures was made with one of the secrets over this body and the timestamp
 * is within the tolerance. The comparison takes the same time wherever the texts differ, and the
 * timestamp is judged only once it is known to be authentic.
 */
export const verify = (input: VerifyInput): Result.Result<void, SignatureRefusal> => {
  const parsed = parse(input.header)
  if (Result.isFailure(parsed)) return Result.fail(parsed.failure)
  const { timestamp, signatures } = parsed.success
  const secrets = "secret" in input ? [input.secret] : input.secrets
  const matches = secrets.some((secret) => {
    if (secret === "") return false
    const expected = sign({ secret, timestamp, body: input.body })
    return signatures.some((signature) => equals(expected, signature))
  })
  if (!matches) {
    return Result.fail(
      new SignatureRefusal({
        reason: "no_match",
        message: "No v1 signature fits this body and secret. Verify the raw body, and check which endpoint's secret is in use"
      })
    )
  }
  const tolerance = input.toleranceSeconds ?? DEFAULT_TOLERANCE_SECONDS
  if (Math.abs(input.now - timestamp) > tolerance) {
    return Result.fail(
      new SignatureRefusal({
        reason: "timestamp_out_of_tolerance",
        message: `The signature's timestamp is more than ${tolerance} s from now: a replayed delivery, or a clock that is off`
      })
    )
  }
  return Result.void
}
