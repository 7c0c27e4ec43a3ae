/** How an endpoint changes and which secrets sign. Pure. */
import { checkUrl } from "@svc/kernel/egress/rules"
import type { EgressPolicy } from "@svc/kernel/egress/model"
import { ValidationError, VersionConflict } from "@svc/kernel/errors"
import { DateTime, type Redacted, Result } from "effect"
import { type PutWebhookEndpointRequest, WebhookEndpoint } from "./model.ts"

/** How long the secret before a rotation signs along. */
export const ROTATION_HOURS = 24

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
): WebhookEndpoint =>
  new WebhookEndpoint({
    account_id: account,
    url,
    secret,
    previous_secret: null,
    previous_secret_expires_at: null,
    schedule: schedule ?? "standard",
    created_at: at,
    updated_at: at,
    version: 1
  })

/** Fails unless `expected`, when given, is the endpoint's version. */
const atVersion = (endpoint: WebhookEndpoint, expected: number | undefined): Result.Result<WebhookEndpoint, VersionConflict> =>
  expected === undefined || expected === endpoint.version
    ? Result.succeed(endpoint)
    : Result.fail(new VersionConflict({
      message: `The webhook endpoint is at version ${endpoint.version}, not ${expected}. Read it again and decide anew.`,
      details: { version: endpoint.version }
    }))

/** Another URL or schedule. The secret stays. A request that changes nothing returns the endpoint itself. */
export const change = (
  endpoint: WebhookEndpoint,
  { schedule, url, version }: PutWebhookEndpointRequest,
  at: DateTime.Utc
): Result.Result<WebhookEndpoint, VersionConflict> =>
  Result.map(atVersion(endpoint, version), () => {
    const next = { url, schedule: schedule ?? endpoint.schedule }
    return next.url === endpoint.url && next.schedule === endpoint.schedule
      ? endpoint
      : new WebhookEndpoint({ ...endpoint, ...next, updated_at: at, version: endpoint.version + 1 })
  })

/** A new secret; the present one signs along for a day, and one that still did until now does no longer. */
export const rotate = (endpoint: WebhookEndpoint, secret: Redacted.Redacted<string>, at: DateTime.Utc): WebhookEndpoint =>
  new WebhookEndpoint({
    ...endpoint,
    secret,
    previous_secret: endpoint.secret,
    previous_secret_expires_at: DateTime.add(at, { hours: ROTATION_HOURS }),
    updated_at: at,
    version: endpoint.version + 1
  })
