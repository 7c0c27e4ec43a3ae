/** The contracts of authentication and authorization; the implementation lives with the API keys. */
import { CardNumberGuard } from "@svc/kernel/http/card-number-guard"
import { SendsHeaders } from "@svc/kernel/http/headers"
import { KeptAnswers } from "@svc/kernel/http/kept-answers"
import { SchemaErrors } from "@svc/kernel/http/schema-errors"
import { strict } from "@svc/kernel/http/strict"
import { Forbidden, RateLimited, Unauthorized, ValidationError } from "@svc/kernel/resource/errors"
import { Emits, type EventCatalog } from "@svc/kernel/resource/events"
import { Machine, type StateMachine } from "@svc/kernel/resource/state-machine"
import { Context, Schema, SchemaAST } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity"
import * as OpenApi from "effect/http-api/OpenApi"
import { AccountSuspended } from "../accounts/model.ts"
import { Caller, ConfirmationRequired, Operator } from "./model.ts"
import { activities, type Activity } from "./permits.ts"

/** The scope an endpoint asks of a restricted key. An endpoint without one refuses restricted keys. */
export class RequiredScope extends Context.Service<RequiredScope, `${string}:${"read" | "write"}`>()("@svc/accounts/RequiredScope") {}

/** What an endpoint does in the account's name. Every endpoint says so that is no GET: a suspended account may do some of it. */
export class Does extends Context.Service<Does, Activity>()("@svc/accounts/Does") {}

/** Marks an endpoint that gives power: keys, payout destinations, roles. A person needs a fresh proof of who they are; no key is asked. */
export class NeedsConfirmation extends Context.Service<NeedsConfirmation, true>()("@svc/accounts/NeedsConfirmation") {}

/** What an endpoint does: GET reads, every other says so. `forMerchants` builds no group with an endpoint that does not. */
export const activityOf = ({ annotations, method }: Pick<HttpApiEndpoint.Top, "annotations" | "method">): Activity =>
  method === "GET" ? "read" : Context.getUnsafe(annotations, Does)

/** Throws a RangeError, a defect, for endpoints that change something and do not say what they do. */
const eachSaysWhatItDoes = ({ endpoints, identifier }: HttpApiGroup.Constraint): void => {
  const silent = Object.values(endpoints).filter(HttpApiEndpoint.isHttpApiEndpoint)
    .filter(({ annotations, method }) => method !== "GET" && Context.getOrUndefined(annotations, Does) === undefined)
  if (silent.length === 0) return
  const names = silent.map((endpoint) => `${identifier}.${endpoint.identifier}`).join(", ")
  const choices = activities.join(", ")
  throw new RangeError(`${names}: add .annotate(Does, "…") with one of ${choices}. What each permits is in access/permits.ts.`)
}

/**
 * The parameter of an endpoint's path that is an account, whose data it shows: an operator may read it, too. Lists need no such word: they
 * say whose items they show by `merchant_id`.
 */
export class OwnerInPath extends Context.Service<OwnerInPath, string>()("@svc/accounts/OwnerInPath") {}

/** Where a request says whose data it reads. */
export interface OwnerParameter {
  readonly in: "path" | "query"
  readonly name: string
}

const MERCHANT = "merchant_id"

/**
 * Where an operator says whose data it wants to read of an endpoint that belongs to accounts; undefined where operators may not enter. Only
 * reads have a place for it, so that an operator changes nothing in the name of a merchant.
 */
export const ownerIn = (
  { annotations, method, query }: Pick<HttpApiEndpoint.Top, "annotations" | "method" | "query">
): OwnerParameter | undefined => {
  if (method !== "GET") return undefined
  const inPath = Context.getOrUndefined(annotations, OwnerInPath)
  if (inPath !== undefined) return { in: "path", name: inPath }
  const isList = query !== undefined && SchemaAST.isObjects(query.ast) && query.ast.propertySignatures.some(({ name }) => name === MERCHANT)
  return isList ? { in: "query", name: MERCHANT } : undefined
}

const whole = (name: string, description: string) => ({ name, value: Schema.Natural.annotate({ description }) })

/**
 * A key in the header `Authorization`. Every answer but the 401 tells how many more requests the key may make, or its account when that is
 * less.
 */
const bearer = (description: string) =>
  HttpApiSecurity.bearer.pipe(
    HttpApiSecurity.annotate(OpenApi.Description, description),
    HttpApiSecurity.annotate(SendsHeaders, [
      whole("RateLimit-Limit", "Requests that may come at once after a pause."),
      whole("RateLimit-Remaining", "Requests that may come now."),
      whole("RateLimit-Reset", "Seconds until all of them may come again.")
    ])
  )

/** `Authorization: Bearer sk_live_…`, `sk_test_…` or `rk_…`; provides the `Caller`. */
export class Authorization extends HttpApiMiddleware.Service<Authorization, { provides: Caller }>()("@svc/accounts/Authorization", {
  error: [Unauthorized, Forbidden, ConfirmationRequired, AccountSuspended, RateLimited, ValidationError],
  requiredForClient: true,
  security: {
    secret_key: bearer("A key of an account: `sk_live_…`, `sk_test_…`, or a restricted `rk_…` with the scope that the operation names.")
  }
}) {}

/** `Authorization: Bearer ok_…`: the operator of the installation. */
export class OperatorAuthorization
  extends HttpApiMiddleware.Service<OperatorAuthorization, { provides: Operator }>()("@svc/accounts/OperatorAuthorization", {
    error: [Unauthorized, Forbidden, ConfirmationRequired, RateLimited, ValidationError],
    requiredForClient: true,
    security: { operator_key: bearer("A key of the operator of the installation: `ok_…`.") }
  })
{}

/** The documentation of a group of routes. */
export interface About {
  readonly title: string
  readonly description: string
  /** The table of moves of its resource. */
  readonly machine?: StateMachine
  /** The events that its resource emits. */
  readonly events?: EventCatalog
}

const documented = ({ description, events, machine, title }: About): Context.Context<never> => {
  const texts: Context.Context<never> = OpenApi.annotations({ title, description })
  const moves: Context.Context<never> = machine === undefined ? texts : Context.add(texts, Machine, machine)
  return events === undefined ? moves : Context.add(moves, Emits, events)
}

/**
 * The end of every group of a merchant's routes: below `/v1`, with a key of an account, and nothing let in that a schema
 * does not know. Endpoints that are added after it have none of this. Every endpoint that is no GET says by `Does` what it does.
 */
export const forMerchants =
  (about: About) =>
  <const Id extends string, Endpoints extends HttpApiEndpoint.Constraint, TopLevel extends boolean>(
    group: HttpApiGroup.HttpApiGroup<Id, Endpoints, TopLevel>
  ) => {
    eachSaysWhatItDoes(group)
    return group.middleware(KeptAnswers).middleware(SchemaErrors).middleware(CardNumberGuard).middleware(Authorization)
      .prefix("/v1").annotateMerge(strict).annotateMerge(documented(about))
  }

/** The same for the operator's routes. */
export const forOperators =
  (about: About) =>
  <const Id extends string, Endpoints extends HttpApiEndpoint.Constraint, TopLevel extends boolean>(
    group: HttpApiGroup.HttpApiGroup<Id, Endpoints, TopLevel>
  ) =>
    group.middleware(KeptAnswers).middleware(SchemaErrors).middleware(CardNumberGuard).middleware(OperatorAuthorization).prefix("/v1")
      .annotateMerge(strict).annotateMerge(documented(about))
