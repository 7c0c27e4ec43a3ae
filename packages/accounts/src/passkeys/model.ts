/** Passkeys: what people prove with, on a device of theirs, who they are. */
import { idSchema } from "@svc/kernel/values/ids"
import { oneLine } from "@svc/kernel/values/text"
import { Timestamp } from "@svc/kernel/values/time"
import { Data, Schema } from "effect"

export const PasskeyId = idSchema("pky", "PasskeyId")
export type PasskeyId = typeof PasskeyId.Type

/** What its owner calls it, such as "Phone". */
export const PasskeyName = oneLine(60)

/** A passkey as its owner sees it. */
export const Passkey = Schema.Struct({
  id: PasskeyId,
  name: Schema.String,
  created_at: Timestamp,
  last_used_at: Schema.NullOr(Timestamp)
})
export type Passkey = typeof Passkey.Type

/** How long a browser has to answer a challenge. */
export const CHALLENGE_MINUTES = 5

/**
 * Why a passkey was not taken.
 *
 * - `unavailable`: browsers make no passkeys for the address of this installation; `message` says why.
 * - `stale`: the challenge is over, was answered before, or was made for something else.
 * - `unknown`: nobody here has this passkey, or this person already has it.
 * - `invalid`: the answer does not prove what it has to.
 */
export class PasskeyRefused extends Data.TaggedError("PasskeyRefused")<{
  readonly reason: "unavailable" | "stale" | "unknown" | "invalid"
  readonly message: string
}> {}

/** The person could not sign in any more. */
export class LastWayIn extends Data.TaggedError("LastWayIn")<{ readonly message: string }> {}
