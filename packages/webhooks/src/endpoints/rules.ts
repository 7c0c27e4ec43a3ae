/** How an endpoint changes and which secrets sign. Pure. */
import type { EgressPolicy } from "@svc/kernel/egress/model"
import { checkUrl } from "@svc/kernel/egress/rules"
import { change as nextVersion } from "@svc/kernel/resource/change"
import { InvalidState, ValidationError } from "@svc/kernel/resource/errors"
import type { VersionConflict } from "@svc/kernel/resource/errors"
import { atVersion } from "@svc/kernel/resource/versions"
import { iso } from "@svc/kernel/values/time"
import { DateTime, type Redacted, Result } from "effect"
import type { PutWebhookEndpointRequest, WebhookEndpoint } from "./model.ts"

/** How long a secret that was rotated out signs along. */
export const ROTATION_HOURS = 24

/** How many secrets can be valid at once, the current one among them. Each adds a signature to the header. */
export const MAX_SECRETS = 5

/** Fails unless webhooks may be sent to the URL, as far as can be told without looking its name up. */
export const checkEndpointUrl = (url: string, policy: EgressPolicy): Result.Result<string, ValidationError> =>
  Result.mapBoth(checkUrl(url, policy), {
    onFailure: ({ message }) => new ValidationError({ code: "url", message: `url: ${message}.` }),
    onSuccess: () => url
  })

/** The first version of an endpoint. */
export const create = (
  account: string,
  { schedule, url }: PutWebhookEndpointRequest,
  secret: Redacted.Redacted<string>,
  at: DateTime.Utc
): WebhookEndpoint => ({
  account_id: account,
  url,
  secret,
  previous_secrets: [],
  schedule: schedule ?? "standard",
  created_at: at,
  updated_at: at,
  version: 1
})

/** What people call it. */
export const NAME = "webhook endpoint"

/** Another URL or schedule. The secret stays. A request that changes nothing returns the endpoint itself. */
export const change = (
  endpoint: WebhookEndpoint,
  { schedule, url, version }: PutWebhookEndpointRequest,
  at: DateTime.Utc
): Result.Result<WebhookEndpoint, VersionConflict> =>
  Result.map(atVersion(NAME, endpoint, version), () => {
    const next = { url, schedule: schedule ?? endpoint.schedule }
    return next.url === endpoint.url && next.schedule === endpoint.schedule
      ? endpoint
      : nextVersion(endpoint, at, next)
  })

const tooManySecrets = (oldestEnds: DateTime.Utc) =>
  new InvalidState({
    message: `The webhook endpoint has ${MAX_SECRETS} valid secrets, and more would make the signature header too long. ` +
      `The oldest ends at ${iso(oldestEnds)}: rotate again after that.`,
    details: { state: "rotating", allowed: [], valid_secrets: MAX_SECRETS, oldest_expires_at: iso(oldestEnds) }
  })

/** A new secret; the present one signs along for a day, as do those that were rotated out before it, each to its own end. */
export const rotate = (
  endpoint: WebhookEndpoint,
  secret: Redacted.Redacted<string>,
  at: DateTime.Utc
): Result.Result<WebhookEndpoint, InvalidState> => {
  const valid = endpoint.previous_secrets.filter(({ expires_at }) => DateTime.isGreaterThan(expires_at, at))
  const ends = valid.map(({ expires_at }) => expires_at)
  if (ends.length + 1 >= MAX_SECRETS) return Result.fail(tooManySecrets(ends.reduce((one, other) => DateTime.min(one, other))))
  return Result.succeed(
    nextVersion(endpoint, at, {
      secret,
      previous_secrets: [{ secret: endpoint.secret, expires_at: DateTime.add(at, { hours: ROTATION_HOURS }) }, ...valid]
    })
  )
}
