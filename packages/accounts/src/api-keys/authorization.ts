/**
 * What stands before every handler that needs a key: who is asking, how often, and what for. Each
 * request of the service passes here, so nothing is built per request that could be built once.
 */
import { accountTime } from "@svc/kernel/clocks/account-time"
import { honoursKey } from "@svc/kernel/http/kept-answers"
import { keyIn } from "@svc/kernel/http/keyed"
import type { RateLimitState } from "@svc/kernel/http/rate-limit"
import { downgraded, upgraded, type VersionedRequest } from "@svc/kernel/http/versioned"
import { Actor } from "@svc/kernel/parts/actor"
import { Continues } from "@svc/kernel/parts/continues"
import { CURRENT_API_VERSION, endOfLife, isServed, Releases } from "@svc/kernel/resource/api-version"
import { type Forbidden, NotFound, notFound, RateLimited, Unauthorized, ValidationError } from "@svc/kernel/resource/errors"
import { Idempotency } from "@svc/kernel/resource/idempotency"
import { since, VersionChanges } from "@svc/kernel/resource/version-change"
import { pathId } from "@svc/kernel/values/ids"
import { realNow } from "@svc/kernel/values/time"
import * as keptAnswers from "@svc/platform/kept-answers"
import { Context, Effect, Layer, Option, Redacted, Schema } from "effect"
import { HttpEffect, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { activityOf, Authorization, OperatorAuthorization, ownerIn, type OwnerParameter, RequiredScope } from "../access/api.ts"
import { type AccountFacts, Caller, type ConfirmationRequired, Operator, SignedIn, type SignedInPerson } from "../access/model.ts"
import { isLimited, suspension } from "../access/permits.ts"
import { AccountId, type AccountSuspended } from "../accounts/model.ts"
import { Accounts } from "../accounts/service.ts"
import type { KnownKey, MerchantKey, OperatorKey } from "./known-keys.ts"
import { KnownKeys } from "./known-keys.ts"
import { RequestLimit } from "./rate-limit.ts"
import { confirmed, forMerchants, forOperators, forOwnersHere, forToolCalls, refusal } from "./refusals.ts"

/** The operation of an endpoint, by the name that the document has of it. */
interface Operation {
  readonly endpoint: HttpApiEndpoint.Top
  readonly group: HttpApiGroup.Top
}

const sunset = (version: string) =>
  new ValidationError({
    code: "API-Version",
    message:
      `API-Version: the version ${version} of this account has ended. Send the header with a newer one from GET /v1/api_versions, and PATCH /v1/account with api_version to stay with it.`
  })

/** Operators speak the current version, unless they say so. */
const newest = { api_version: CURRENT_API_VERSION }

/**
 * Reads and answers a request in the version that it names, or else in that of its account. The current version, which most speak, passes
 * through as it is.
 */
const makeVersioning = Effect.map(Effect.all([Releases, VersionChanges]), ([releases, changes]) => {
  const current = releases[0]?.version
  return <A, E, R>({ api_version }: Pick<AccountFacts, "api_version">, { endpoint, group }: Operation, handler: Effect.Effect<A, E, R>) =>
    Effect.flatMap(
      HttpServerRequest.HttpServerRequest,
      (request): Effect.Effect<A, E | ValidationError, R | HttpServerRequest.HttpServerRequest> => {
        const version = request.headers["api-version"] ?? api_version
        if (version === current) return handler
        return Effect.flatMap(realNow, ({ epochMilliseconds: millis }) => {
          if (!isServed(releases, version, millis)) return Effect.fail(sunset(version))
          const versioned = { changes: since(changes, version), operation: `${group.identifier}.${endpoint.identifier}` }
          const headers = { "api-version": version, ...endOfLife(releases, version, millis) }
          const answered = (as: VersionedRequest) => HttpEffect.appendPreResponseHandler(downgraded(as, headers))
          return Effect.matchEffect(upgraded(request, versioned), {
            // Refused in the words of its own version, which nothing translates again.
            onFailure: (refused) => Effect.andThen(answered({ changes: [], operation: versioned.operation }), Effect.fail(refused)),
            onSuccess: (sent) =>
              Effect.andThen(
                answered(versioned),
                sent === request ? handler : Effect.provideService(handler, HttpServerRequest.HttpServerRequest, sent)
              )
          })
        })
      }
    )
})

/** One value for a missing, malformed, unknown and revoked key, so that the answers cannot differ. */
const unauthorized = new Unauthorized({
  message: "The API key is missing, malformed, unknown or revoked. Send the header Authorization: Bearer followed by a current key."
})

const challenge: HttpEffect.PreResponseHandler = (_request, response) =>
  Effect.succeed(HttpServerResponse.setHeader(response, "www-authenticate", "Bearer"))

const rejected = Effect.andThen(HttpEffect.appendPreResponseHandler(challenge), Effect.fail(unauthorized))

const announce = ({ limit, remaining, reset, retryAfter }: RateLimitState): HttpEffect.PreResponseHandler => {
  const headers: Record<string, string> = {
    "ratelimit-limit": String(limit),
    "ratelimit-remaining": String(remaining),
    "ratelimit-reset": String(reset)
  }
  if (retryAfter !== undefined) headers["retry-after"] = String(retryAfter)
  return (_request, response) => Effect.succeed(HttpServerResponse.setHeaders(response, headers))
}

const rateLimited = (retryAfter: number) =>
  new RateLimited({
    message: `Too many requests with this key or the other keys of its account. Wait ${retryAfter} s and send again.`,
    details: { retry_after: retryAfter }
  })

const countedOf = (key: KnownKey) => {
  if (key._tag === "Operator") return { keyId: key.id }
  return { keyId: key.id, accountId: key._tag === "Merchant" ? key.caller.account.id : key.account.id }
}

/** The handler of a request within the limits of its key and its account; 429 `rate_limited` above them. */
const refuseAboveRateLimit = <A, E, R>(state: RateLimitState, handler: Effect.Effect<A, E, R>) =>
  Effect.withFiber((fiber): Effect.Effect<A, E | RateLimited, R> => {
    HttpEffect.appendPreResponseHandlerUnsafe(fiber.context, announce(state))
    return state.retryAfter === undefined ? handler : Effect.fail(rateLimited(state.retryAfter))
  })

/** A person as the key that they are in the place of: that of their account with the scopes of their role, or the operator's. */
const keyOf = ({ account, clocked, scopes, ...person }: SignedInPerson): MerchantKey | OperatorKey => {
  const { id, role } = person
  const actor = { type: "person", id }
  if (account === null) return { _tag: "Operator", id, actor, person: { ...person, scopes } }
  const kind = role === "owner" ? "secret" : "restricted"
  return { _tag: "Merchant", id, clocked, limited: isLimited(account), actor, caller: { account, keyId: id, kind, scopes, person } }
}

/**
 * Recognises the key, counts the request and lets `admit` decide: it returns the handler with what it may
 * know of the caller, or the refusal. Written without generators: this is the hottest path of the service.
 */
const makeEnter = Effect.gen(function*() {
  const keys = yield* KnownKeys
  const limit = yield* RequestLimit
  return <A, E, R>(
    credential: Redacted.Redacted<string>,
    admit: (key: KnownKey) => Effect.Effect<A, E, R>
  ): Effect.Effect<A, E | Unauthorized | RateLimited, R | HttpServerRequest.HttpServerRequest> =>
    Effect.withFiber((fiber) => {
      const person = Context.get(fiber.context, SignedIn)
      return Effect.flatMap(
        person === undefined ? keys.find(Redacted.value(credential)) : Effect.succeed(keyOf(person)),
        (key): Effect.Effect<A, E | Unauthorized | RateLimited, R | HttpServerRequest.HttpServerRequest> =>
          key === undefined
            ? rejected
            : person !== undefined && Context.get(fiber.context, Continues)
            ? admit(key)
            : Effect.flatMap(limit.take(countedOf(key)), (state) => refuseAboveRateLimit(state, admit(key)))
      )
    })
})

const noMerchant = new ValidationError({
  code: "merchant_id",
  message: "merchant_id: no account has this id. Give the id of one, such as the one that opening the account answered with"
})

/**
 * Where the path names no account that there is: what the endpoint itself would answer. All endpoints of accounts stand behind this, and
 * most know no 404.
 */
const noAccount = HttpServerResponse.jsonUnsafe(Schema.encodeSync(NotFound)(notFound("account")), { status: 404 })

const decodeId = Schema.decodeUnknownEffect(pathId("acct", AccountId))
const isAccountId = Schema.is(AccountId)

/** The account that the path or the query names, where the text is an account's id. */
const namedIn = Effect.fnUntraced(function*({ in: place, name }: OwnerParameter) {
  if (place === "path") {
    return yield* Effect.orDie(decodeId((yield* HttpRouter.params)[name]))
  }
  const id = (yield* HttpServerRequest.ParsedSearchParams)[name]
  if (id === undefined) return yield* forMerchants
  return isAccountId(id) ? id : yield* noMerchant
})

/**
 * As whom an operator reads: as the account that the request names, in that account's time. Undefined when the path names none that there
 * is.
 */
const makeReader = Effect.map(Accounts, (accounts) =>
  Effect.fnUntraced(function*(key: OperatorKey, endpoint: HttpApiEndpoint.Top) {
    const owner = ownerIn(endpoint)
    if (owner === undefined) return yield* forMerchants
    const account = yield* accounts.get(yield* namedIn(owner)).pipe(
      Effect.catchTag("NotFound", () => owner.in === "path" ? Effect.undefined : Effect.fail(noMerchant))
    )
    if (account === undefined) return undefined
    if (key.person === undefined) return { account, keyId: key.id, kind: "secret" } as const
    const { scopes, ...person } = key.person
    return { account, keyId: key.id, kind: person.role === "owner" ? "secret" : "restricted", scopes, person } as const
  }))

/**
 * Why the account of a key may not do what the endpoint does; nothing when it may. What was answered under an idempotency key is answered
 * again, whatever became of the account since: who repeats a request learns what it did.
 */
const makeSuspensionOf = Effect.map(
  Idempotency,
  (idempotency) =>
    Effect.fnUntraced(function*({ caller: { account } }: MerchantKey, endpoint: HttpApiEndpoint.Top) {
      const suspended = suspension(activityOf(endpoint), account)
      if (suspended === undefined || !honoursKey(endpoint)) return suspended
      const key = yield* keyIn(yield* HttpServerRequest.HttpServerRequest)
      return key !== undefined && (yield* idempotency.find(account.id, key)) !== undefined ? undefined : suspended
    })
)

/**
 * For the endpoints of an account: secret keys everywhere, restricted keys where they have the scope, operator keys
 * where they read and say whose it is. What follows runs in the account's time.
 */
const layerAuthorization = Layer.effect(
  Authorization,
  Effect.map(
    Effect.all([makeEnter, accountTime, makeReader, makeSuspensionOf, makeVersioning]),
    ([enter, { inTimeOf }, readerOf, suspensionOf, versioned]) => ({
      secret_key: (handler, { credential, endpoint, group }) =>
        enter(
          credential,
          (
            key
          ): Effect.Effect<
            HttpServerResponse.HttpServerResponse,
            Effect.Error<typeof handler> | Forbidden | ConfirmationRequired | AccountSuspended | ValidationError,
            HttpServerRequest.HttpServerRequest | HttpServerRequest.ParsedSearchParams | HttpRouter.RouteContext
          > => {
            if (key._tag === "Operator") {
              return Effect.flatMap(
                readerOf(key, endpoint),
                (
                  caller
                ): Effect.Effect<
                  HttpServerResponse.HttpServerResponse,
                  Effect.Error<typeof handler> | Forbidden | ValidationError,
                  HttpServerRequest.HttpServerRequest
                > => {
                  if (caller === undefined) return Effect.succeed(noAccount)
                  const refused = refusal({ caller }, Context.getOrUndefined(endpoint.annotations, RequiredScope))
                  return refused === undefined
                    ? inTimeOf(caller.account.id)(Effect.provideService(versioned(newest, { endpoint, group }, handler), Caller, caller))
                    : Effect.fail(refused)
                }
              )
            }
            if (key._tag !== "Merchant") return Effect.fail(forToolCalls)
            const refused = refusal(key, Context.getOrUndefined(endpoint.annotations, RequiredScope))
            if (refused !== undefined) return Effect.fail(refused)
            const admitted = confirmed(key.caller.person, endpoint, versioned(key.caller.account, { endpoint, group }, handler)).pipe(
              Effect.provideService(Caller, key.caller),
              Effect.provideService(Actor, key.actor)
            )
            const timely = key.clocked ? inTimeOf(key.caller.account.id)(admitted) : admitted
            return !key.limited ?
              timely :
              Effect.flatMap(
                suspensionOf(key, endpoint),
                (
                  suspended
                ): Effect.Effect<
                  HttpServerResponse.HttpServerResponse,
                  Effect.Error<typeof handler> | ConfirmationRequired | AccountSuspended | ValidationError,
                  HttpServerRequest.HttpServerRequest
                > => suspended === undefined ? timely : Effect.fail(suspended)
              )
          }
        )
    })
  )
)

/** For the endpoints of the installation. */
const layerOperatorAuthorization = Layer.effect(
  OperatorAuthorization,
  Effect.map(Effect.all([makeEnter, makeVersioning]), ([enter, versioned]) => ({
    operator_key: (handler, { credential, endpoint, group }) =>
      enter(
        credential,
        (
          key
        ): Effect.Effect<
          HttpServerResponse.HttpServerResponse,
          Effect.Error<typeof handler> | Forbidden | ConfirmationRequired | ValidationError,
          HttpServerRequest.HttpServerRequest
        > => {
          if (key._tag !== "Operator") return Effect.fail(forOperators)
          const { actor, id, person } = key
          if (person !== undefined && person.role !== "owner" && endpoint.method !== "GET") return Effect.fail(forOwnersHere)
          return confirmed(person, endpoint, versioned(newest, { endpoint, group }, handler)).pipe(
            Effect.provideService(Operator, person === undefined ? { keyId: id } : { keyId: id, person }),
            Effect.provideService(Actor, actor)
          )
        }
      )
  }))
)

/** The owner of an idempotency key: the account, or the operator for the operator's requests. All API keys of an owner share it. */
const keyOwner: Effect.Effect<keptAnswers.KeyOwner> = Effect.withFiber(({ context }) => {
  const caller = Context.getOption(context, Caller)
  if (caller._tag === "Some") return Effect.succeed({ account: caller.value.account.id, credential: caller.value.keyId })
  return Effect.succeed({
    account: "operator",
    credential: Option.match(Context.getOption(context, Operator), { onNone: () => "", onSome: ({ keyId }) => keyId })
  })
})

/** Authorization of merchants and of operators, and the answers that are kept for authorized callers. */
export const layer = Layer.mergeAll(layerAuthorization, layerOperatorAuthorization, keptAnswers.layer(keyOwner))
