/**
 * What the groups say of themselves and the document that Effect generates leaves out: scopes, headers, codes, and the values behind text.
 */
import { activityOf, Authorization, NeedsConfirmation, OperatorAuthorization, ownerIn, RequiredScope } from "@svc/accounts/access/api"
import { ConfirmationRequired } from "@svc/accounts/access/model"
import { type Activity, canBeForbidden } from "@svc/accounts/access/permits"
import { AccountSuspended } from "@svc/accounts/accounts/model"
import { type Header, ReadsHeaders, SendsHeaders } from "@svc/kernel/http/headers"
import { ifMatch, ReadsIfMatch } from "@svc/kernel/http/if-match"
import { honoursKey, keepsAnswers, KeptAnswers } from "@svc/kernel/http/kept-answers"
import { idempotencyKey, idempotencyKeyKept, idempotencyKeyNeeded, NeedsIdempotencyHeader } from "@svc/kernel/http/keyed"
import { replyHeaders } from "@svc/kernel/http/reply"
import { codeOf } from "@svc/kernel/resource/errors"
import { isRecord } from "@svc/kernel/values/record"
import { Context, Schema } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as OpenApi from "effect/http-api/OpenApi"
import type { Json } from "./document.ts"

export interface OperationFacts {
  /** The scope that a restricted key needs. */
  readonly scope: string | undefined
  /** The ways to authenticate besides those of its middleware: for what operators may read, too. */
  readonly besides: ReadonlyArray<string>
  /** Query parameters as values: the number and not its digits. */
  readonly query: Json
  /** Headers that the operation heeds. */
  readonly reads: ReadonlyArray<Header>
  /** Headers of each answer, of each that was let in, and of those that succeed. */
  readonly sends: {
    readonly always: ReadonlyArray<Header>
    readonly letIn: ReadonlyArray<Header>
    readonly succeeding: ReadonlyArray<Header>
  }
  /** The codes of its refusals. */
  readonly refusals: ReadonlyArray<string>
  /** What it does in the name of the account whose key it takes; undefined where it takes none. */
  readonly activity: Activity | undefined
}

/** A schema in JSON Schema that refers to no other. */
export const inlined = (schema: Schema.Top): Json => Schema.toJsonSchemaDocument(schema, { referencePolicy: () => undefined }).schema

const queryOf = (query: Schema.Top | undefined): Json => {
  const properties = query === undefined ? {} : inlined(Schema.toType(query))["properties"]
  return isRecord(properties) ? properties : {}
}

const sentBy = (annotations: Context.Context<never>): ReadonlyArray<Header> => Context.getOrElse(annotations, SendsHeaders, () => [])

const ofSecurity = (middleware: Iterable<HttpApiMiddleware.AnyService>): ReadonlyArray<Header> =>
  Array.from(middleware).filter(HttpApiMiddleware.isSecurity).flatMap(({ security }) => Object.values(security)).flatMap((
    { annotations }
  ) => sentBy(annotations))

const suspendedCode = codeOf(AccountSuspended)?.error
const confirmationCode = codeOf(ConfirmationRequired)?.error

/** What only endpoints answer with whose answers are kept: the middleware stands before those that look, too. */
const keyCodes = Array.from(KeptAnswers.error, (refusal) => codeOf(refusal)?.error).filter((code) =>
  code?.startsWith("idempotency_") === true
)

/** By operation id. */
export const factsOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): ReadonlyMap<string, OperationFacts> => {
  const facts = new Map<string, OperationFacts>()
  const always = sentBy(api.annotations)
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, errors, group, middleware }) => {
      const keyed = honoursKey(endpoint)
      const kept = keepsAnswers(endpoint)
      const needed = Context.getOrUndefined(endpoint.annotations, NeedsIdempotencyHeader) === true
      const versioned = Context.getOrUndefined(endpoint.annotations, ReadsIfMatch) === true
      const declared = new Set(Array.from(endpoint.error, (refusal) => codeOf(refusal)?.error))
      // What an endpoint does is asked of the keys of accounts alone.
      const activity = Array.from(middleware).some((one) => one.key === Authorization.key) ? activityOf(endpoint) : undefined
      const letIn = [...always, ...ofSecurity(middleware)]
      facts.set(Context.getOrElse(endpoint.annotations, OpenApi.Identifier, () => `${group.identifier}.${endpoint.identifier}`), {
        scope: Context.getOrUndefined(endpoint.annotations, RequiredScope),
        // What stands before an endpoint of accounts also knows operators' keys; the middleware of the others knows them by itself.
        besides: ownerIn(endpoint) === undefined ? [] : Object.keys(OperatorAuthorization.security),
        query: queryOf(endpoint.query),
        reads: [
          ...Context.getOrElse(api.annotations, ReadsHeaders, () => []),
          ...(versioned ? [ifMatch] : []),
          ...(keyed ? [needed ? idempotencyKeyNeeded : kept ? idempotencyKeyKept : idempotencyKey] : [])
        ],
        sends: { always, letIn, succeeding: keyed ? [...letIn, ...replyHeaders] : letIn },
        refusals: Array.from(errors.values()).flat().flatMap((refusal) => codeOf(refusal)?.error ?? []).filter((code) =>
          (code !== confirmationCode || Context.getOrUndefined(endpoint.annotations, NeedsConfirmation) === true) &&
          (code !== suspendedCode || activity === undefined || canBeForbidden(activity)) &&
          (kept || !keyCodes.includes(code) || declared.has(code))
        ),
        activity
      })
    }
  })
  return facts
}
