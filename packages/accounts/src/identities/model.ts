/** Who somebody is at the identity provider of this installation. */
import { Data, Schema } from "effect"

/** What a provider says of somebody who proved there who they are. */
export interface ProvenIdentity {
  readonly issuer: string
  readonly subject: string
  /** Null unless the provider verified that it is theirs. */
  readonly email: string | null
}

/** What somebody goes to the provider for. */
export const Errand = Schema.Struct({
  /** What the proof will be good for. */
  purpose: Schema.Literals(["sign-in", "join", "confirm", "link"]),
  /** Where the person goes on afterwards. */
  to: Schema.String,
  /** The session that is confirmed, or whose person is linked. */
  session_id: Schema.optionalKey(Schema.String),
  user_id: Schema.optionalKey(Schema.String),
  /** What somebody who joins is called. */
  name: Schema.optionalKey(Schema.String)
})
export type Errand = typeof Errand.Type

/** How long a person may stay at the provider. */
export const ERRAND_MINUTES = 10

/**
 * Why a proof of the provider was not taken.
 *
 * - `unavailable`: no provider is configured, or it does not answer.
 * - `stale`: the answer belongs to no errand of this browser, or to one that is over.
 * - `invalid`: the provider refused, or its answer does not prove what it has to.
 * - `unknown`: nobody here is linked to this identity.
 * - `taken`: the identity is linked to somebody else.
 * - `known`: somebody with this e-mail address is here, and only a sign-in proves that it is they.
 */
export class IdentityRefused extends Data.TaggedError("IdentityRefused")<{
  readonly reason: "unavailable" | "stale" | "invalid" | "unknown" | "taken" | "known"
  readonly message: string
}> {}
