/** What the ways in share: who comes in gets a session of their own, and nobody tries without end. */
import { Accounts } from "@svc/accounts/accounts/service"
import type { IdentityRefused } from "@svc/accounts/identities/model"
import { Identities } from "@svc/accounts/identities/service"
import type { PasskeyRefused } from "@svc/accounts/passkeys/model"
import { Passkeys } from "@svc/accounts/passkeys/service"
import { People } from "@svc/accounts/people/service"
import type { PageLocale } from "@svc/design/locale"
import { PageLimit } from "@svc/platform/pages/limits"
import { Effect, Option, Redacted } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { messagesOf } from "../../i18n/messages.ts"
import { goingOnPage } from "../../pages/sign-in.ts"
import { answer, redirected } from "../answers.ts"
import { withErrand, withSession } from "../cookies.ts"
import { isOwn, readForm } from "../requests.ts"
import { returnPath } from "../return-path.ts"
import { type Desk, localeOf } from "../router.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

/** What a page says of a proof that was not taken. */
export const refusalText = (pageLocale: PageLocale, refused: PasskeyRefused | IdentityRefused): string =>
  refused._tag === "PasskeyRefused" && refused.reason === "unavailable"
    ? refused.message
    : messagesOf(pageLocale).signIn.refusals[refused.reason]

const codes = {
  400: "validation_error",
  403: "forbidden",
  404: "not_found",
  409: "confirmation_required",
  429: "rate_limited"
} as const
type RefusedStatus = keyof typeof codes

/** What a script is answered that asked in vain. */
export const refusedAsk = (message: string, status: RefusedStatus = 400): Response =>
  HttpServerResponse.jsonUnsafe({ error: codes[status], message }, { status })

/** What the script of a page is to ask the browser. */
export const askedOf = <A>(pageLocale: PageLocale, asked: Effect.Effect<A, PasskeyRefused>): Effect.Effect<Response> =>
  Effect.match(asked, {
    onFailure: (refused) => refusedAsk(refusalText(pageLocale, refused)),
    onSuccess: (options) => HttpServerResponse.jsonUnsafe(options, { headers: { "cache-control": "no-store" } })
  })

/** A form that somebody sends who is not signed in. */
export interface Arrival {
  readonly request: Request
  readonly sent: Readonly<Record<string, string>>
  readonly params: Readonly<Record<string, string | undefined>>
}

type Needs = HttpServerRequest.HttpServerRequest | HttpRouter.RouteContext

/** How a form is answered that is not heeded: with its page, or for a script with a message. */
export type Refuse = (arrival: Arrival, text: string, status: 403 | 429) => Effect.Effect<Response, never, Needs>

export const refuseScript: Refuse = (_, text, status) => Effect.succeed(refusedAsk(text, status))

/** Where somebody comes in. */
interface Arriving {
  readonly to: string
  readonly account_id?: string | null
  /** Whether they have just proved who they are, as with a passkey. */
  readonly isProven: boolean
}

export const makeEntrance = Effect.fnUntraced(function*({ publicUrl, router, sessions }: Desk) {
  const [accounts, identities, limit] = [yield* Accounts, yield* Identities, yield* PageLimit]
  const [passkeys, people] = [yield* Passkeys, yield* People]

  /** A new session for somebody who has just proved who they are; undefined where they have no role any more. */
  const comeIn = Effect.fnUntraced(function*(request: Request, user_id: string, { account_id, isProven, to }: Arriving) {
    const places = yield* sessions.memberships(user_id)
    const place = places.find((one) => one.account_id === account_id) ?? places[0]
    if (place === undefined) return undefined
    const session = yield* sessions.start({
      user_id,
      account_id: place.account_id,
      ip: Option.getOrNull(request.remoteAddress),
      user_agent: request.headers["user-agent"] ?? null,
      isProven
    })
    return withSession(redirected(returnPath(to)), Redacted.value(session.secret), publicUrl)
  })

  /** To the identity provider, by a page of this site: a form may not lead to another one. `secret` is that of an invitation. */
  const goTo = (request: Request, { state, url }: { readonly state: string; readonly url: string }, secret = "") =>
    withErrand(answer(goingOnPage(localeOf(request), url)), `${state}~${secret}`, publicUrl)

  const arrivalOf = Effect.gen(function*() {
    const request = yield* HttpServerRequest.HttpServerRequest
    const arrival: Arrival = { request, sent: request.method === "GET" ? {} : yield* readForm(request), params: yield* HttpRouter.params }
    return arrival
  })

  return {
    accounts,
    comeIn,
    goTo,
    identities,
    passkeys,
    people,
    publicUrl,
    sessions,
    /** A page for anybody. */
    showing: (path: `/desk/${string}`, handler: (arrival: Arrival) => Effect.Effect<Response, never, Needs>) =>
      router.add("GET", path, Effect.flatMap(arrivalOf, handler)),
    /** A form of such a page. */
    taking: (path: `/desk/${string}`, refuse: Refuse, handler: (arrival: Arrival) => Effect.Effect<Response, never, Needs>) =>
      router.add(
        "POST",
        path,
        Effect.gen(function*() {
          const arrival = yield* arrivalOf
          const { signIn, stale } = messagesOf(localeOf(arrival.request))
          if (!isOwn(arrival.request)) return yield* refuse(arrival, stale.text, 403)
          if (!(yield* limit.takeOfNetwork(arrival.request))) return yield* refuse(arrival, signIn.refusals.tooMany, 429)
          return yield* handler(arrival)
        })
      )
  }
})
export type Entrance = Effect.Success<ReturnType<typeof makeEntrance>>
