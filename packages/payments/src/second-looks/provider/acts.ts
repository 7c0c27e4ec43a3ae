/** The acts that may need a second look, and their execution after the approval. Each resource contributes its acts. */
import type { AccountFacts } from "@svc/accounts/access/model"
import type { Reply } from "@svc/kernel/http/reply"
import { type Contributions, contributions } from "@svc/kernel/parts/contributions"
import { internalCause } from "@svc/kernel/resource/idempotency"
import { fromJsonText } from "@svc/kernel/values/json-codec"
import { Reference } from "@svc/kernel/values/reference"
import { Context, Effect, Layer, Schema } from "effect"
import type { Act, SecondLook } from "../model.ts"
import type { ActOutcome } from "../rules.ts"

export class SecondLookActs extends Context.Service<SecondLookActs, Contributions<Act>>()("@svc/payments/SecondLookActs") {
  static readonly layer = Layer.sync(SecondLookActs, () => contributions<Act>())
}

/** Whether this fiber carries out an approved act, which needs no further second look. No request can set this. */
export class IsApproved extends Reference<boolean>("@svc/payments/IsApproved", { defaultValue: () => false }) {}

/** Failures with an unknown result: the act is tried again under the same key. */
const UNDECIDED = ["ProviderUnavailable", "PaymentInFlight", "IdempotencyInProgress", "VersionConflict", "RatesUnavailable"]

const Answer = fromJsonText(Schema.Struct({ id: Schema.optionalKey(Schema.String), message: Schema.optionalKey(Schema.String) }))
const readAnswer = Schema.decodeUnknownSync(Answer)

const outcomeOf = ({ body, status }: Reply): ActOutcome => {
  const { id = "", message = "" } = readAnswer(body)
  return status < 300 ? { _tag: "Done", id } : { _tag: "Refused", message }
}

/** Carries out the act under its own key, so that repeated approvals and retries are one act. */
export const carryOut = ({ carryOut: act, name }: Act, look: SecondLook, account: AccountFacts): Effect.Effect<ActOutcome> => {
  const keyed = { key: internalCause("second_look", look.id), operation: `second_look.${name}`, fingerprint: look.id }
  return act(look, { account, keyed }).pipe(
    Effect.provideService(IsApproved, true),
    Effect.match({
      onSuccess: outcomeOf,
      onFailure: ({ _tag, message }): ActOutcome => UNDECIDED.includes(_tag) ? { _tag: "Later" } : { _tag: "Refused", message }
    })
  )
}
