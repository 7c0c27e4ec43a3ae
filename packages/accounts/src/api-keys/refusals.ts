/** Whom authorization turns away, and in which words. */
import { Forbidden } from "@svc/kernel/resource/errors"
import { realNow } from "@svc/kernel/values/time"
import { Context, Effect } from "effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { NeedsConfirmation } from "../access/api.ts"
import { type ApiKeyScope, ConfirmationRequired, lacksScope, type Person } from "../access/model.ts"
import { CONFIRMED_MINUTES, isProvenAt } from "../sessions/model.ts"
import type { MerchantKey } from "./known-keys.ts"

export const forMerchants = new Forbidden({
  message: "This is an operator key, and the endpoint belongs to an account. Use a key of the account, or on a list its id as merchant_id."
})
export const forOperators = new Forbidden({
  message: "Only the operator of this installation may do this. Use an operator key."
})
export const forToolCalls = new Forbidden({
  message: "This key opens the tool server, and nothing of the payments API. " +
    "Send it there, or use a secret key of the account, sk_live_… or sk_test_…"
})
const forSecretKeys = new Forbidden({ message: "No scope opens this endpoint to restricted keys. Use a secret key." })
const forOwners = new Forbidden({ message: "No role but that of an owner opens this endpoint. Ask an owner of the account." })
export const forOwnersHere = new Forbidden({ message: "Only owners of the installation change something there. Ask one of them." })

/** Why a merchant's key may not use an endpoint that asks for `scope`; nothing when it may. */
export const refusal = (
  { caller: { kind, person, scopes } }: Pick<MerchantKey, "caller">,
  scope: ApiKeyScope | undefined
): Forbidden | undefined => {
  if (kind === "secret") return undefined
  if (scope === undefined) return person === undefined ? forSecretKeys : forOwners
  return scopes?.has(scope) === true ? undefined : lacksScope(scope, person)
}

const confirmationRequired = new ConfirmationRequired({
  message: `This needs a proof of who you are that is no older than ${CONFIRMED_MINUTES} minutes. Confirm it is you, and send again.`,
  details: { within_minutes: CONFIRMED_MINUTES }
})

/** The handler, behind a fresh proof of who the person is where the endpoint gives power. */
export const confirmed = <A, E, R>(
  person: Person | undefined,
  endpoint: HttpApiEndpoint.Top,
  handler: Effect.Effect<A, E, R>
): Effect.Effect<A, E | ConfirmationRequired, R> =>
  person === undefined || Context.getOrUndefined(endpoint.annotations, NeedsConfirmation) !== true
    ? handler
    : Effect.flatMap(
      realNow,
      ({ epochMilliseconds }): Effect.Effect<A, E | ConfirmationRequired, R> =>
        isProvenAt(person, epochMilliseconds) ? handler : Effect.fail(confirmationRequired)
    )
