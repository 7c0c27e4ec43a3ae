/** What all routes of the desk share: who asks, whether a form is our own, and how a page is answered. */
import { roles } from "@svc/accounts/access/model"
import { scopesOf } from "@svc/accounts/access/roles"
import { Identities } from "@svc/accounts/identities/service"
import { type Session, Sessions } from "@svc/accounts/sessions/service"
import { html } from "@svc/design/html"
import { pageLocaleFor } from "@svc/design/locale"
import { PublicUrl } from "@svc/kernel/http/public-url"
import { Actor } from "@svc/kernel/parts/actor"
import { Effect, type Scope } from "effect"
import { HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { type Answer, type Ask, asking, type Question } from "../api/ask.ts"
import { messagesOf } from "../i18n/messages.ts"
import type { Message } from "../i18n/shape.ts"
import { wordsOf } from "../i18n/words.ts"
import { viewNamed } from "../pages/addresses.ts"
import { deskPage, type DeskView } from "../pages/frame.ts"
import { textAt, valueAt } from "../pages/json.ts"
import { confirmPage, goingOnPage, linkingPage, type Waiting } from "../pages/sign-in.ts"
import type { Visit } from "../pages/visit.ts"
import { answer, isPage, redirected } from "./answers.ts"
import { type Done, doneIn, formTokenOf, isFormToken, languageOf, sessionSecretOf, withoutDone } from "./cookies.ts"
import { type HeldForm, isFromElsewhere, isOwn, noForm, pathOf, readSent, type SentFile, type SentForm } from "./requests.ts"
import { returnPath, signInPath } from "./return-path.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse
type Needs = Request | HttpRouter.RouteContext | Scope.Scope

/** One request of a person who is signed in. */
export interface Here {
  readonly visit: Visit
  readonly request: Request
  /** What the path holds. */
  readonly params: Readonly<Record<string, string | undefined>>
  /** Asks the API in the person's name. */
  readonly ask: (question: Question) => ReturnType<Ask>
  /** The fields of the form; none of a GET. */
  readonly sent: Readonly<Record<string, string>>
  /** The first file of the form, after which nothing of the form was read. */
  readonly file?: SentFile | undefined
  /** The whole form with all its files, in memory; nothing where it is too large for that. */
  readonly held: Effect.Effect<HeldForm>
  /** Asks for a fresh proof of who the person is; what they sent waits for it. */
  readonly confirmFirst: (refusal?: string) => Response
}

export type Handler = (here: Here) => Effect.Effect<Response, never, Needs>

type Path = "" | `/${string}`

export interface Desk {
  /** A page below `/desk`, for people who are signed in. */
  readonly get: (path: Path, handler: Handler) => Effect.Effect<void>
  /** What a form of such a page sends. It changes something, and is answered with a redirection. */
  readonly post: (path: Path, handler: Handler) => Effect.Effect<void>
  readonly router: HttpRouter.HttpRouter
  /** Asks the API in the name of a person whose session a handler has found anew. */
  readonly ask: Ask
  readonly publicUrl: string
  readonly sessions: Sessions["Service"]
  readonly hasProvider: boolean
}

/** In the language that the person chose, else in that of the browser. */
export const localeOf = (request: Pick<Request, "cookies" | "headers">) =>
  pageLocaleFor(languageOf(request), request.headers["accept-language"])

/** A page of the desk that says one thing. */
const said = (visit: Visit, { text, title }: Message, status: number): Response =>
  answer(deskPage(visit, { title, main: html`<p>${text}</p>` }), status)

export const shownPage = (visit: Visit, view: DeskView, status = 200): Response => answer(deskPage(visit, view), status)

export const missing = (visit: Visit): Response => said(visit, messagesOf(visit.pageLocale).refusals.notFound, 404)

/** What was to be done with something that has moved on. */
export const impossible = (visit: Visit): Response => said(visit, messagesOf(visit.pageLocale).action.impossible, 409)

/** Which roles may what needs this scope. */
const forbidden = ({ pageLocale }: Visit, scope: string): Message => {
  const texts = messagesOf(pageLocale)
  const able = roles.filter((role) => scopesOf(role, new Set([scope])).has(scope)).map((role) => texts.roles[role])
  return { ...texts.refusals.forbidden, text: texts.refusals.rolesThatMay(able.join(", ")) }
}

const messageOf = (visit: Visit, { json, status }: Pick<Answer, "json" | "status">): Message => {
  const { refusals } = messagesOf(visit.pageLocale)
  const [scope, wait, told] = [textAt(json, "details.required_scope"), valueAt(json, "details.retry_after"), textAt(json, "message")]
  switch (status) {
    case 401:
      return refusals.unauthorized
    case 403:
      return scope === "" ? { ...refusals.forbidden, text: told === "" ? refusals.forbidden.text : told } : forbidden(visit, scope)
    case 404:
      return refusals.notFound
    case 409:
      return { ...refusals.conflict, text: told === "" ? refusals.conflict.text : told }
    case 429:
      return typeof wait === "number" ? { ...refusals.limited, text: refusals.wait(wait) } : refusals.limited
    case 503:
      return refusals.unavailable
    default:
      return status >= 500 || told === "" ? refusals.broken : { ...refusals.conflict, text: told }
  }
}

/** A refusal of the API as a page. */
export const refused = (visit: Visit, refusal: Pick<Answer, "json" | "status">): Response =>
  said(visit, messageOf(visit, refusal), refusal.status)

/** What was done, and what comes next where something does. */
const saidOf = ({ endpoint, view }: Done, request: Request): string => {
  const [texts, words] = [messagesOf(localeOf(request)).action, wordsOf({ name: view }, localeOf(request))]
  const next = viewNamed(view)?.actions.find((action) => action.endpoint === endpoint)?.next
  return next === undefined ? texts.done(words.action(endpoint)) : `${texts.done(words.action(endpoint))} ${texts.next(words.action(next))}`
}

/** The page as a person sees it whose session has this secret. */
export const visitOf = (session: Session, { notice, public_url, request, secret }: {
  readonly secret: string
  readonly request: Request
  readonly public_url: string
  readonly notice?: Done | undefined
}): Visit => ({
  ...session,
  public_url,
  form_token: formTokenOf(secret),
  pageLocale: localeOf(request),
  notice: notice === undefined ? undefined : saidOf(notice, request),
  switcher: html`<a href="/desk/you">${messagesOf(localeOf(request)).signIn.you.link}</a>`
})

/** Somebody without a session: they sign in and come back to the page. */
const signInFirst = (request: Request): Response => {
  const [{ over, title }, path] = [messagesOf(localeOf(request)).signIn, pathOf(request)]
  if (request.method !== "GET") return answer(linkingPage(localeOf(request), over, signInPath(path), title), 401)
  // A link of another site brings no cookie along; what this page asks next does.
  return isFromElsewhere(request) ? answer(goingOnPage(localeOf(request), path)) : redirected(signInPath(path))
}

/** The longest form that waits for a proof. */
const MAX_WAITING = 16_000

/** A form with a file is sent anew. */
const waitingFor = (request: Request, { fields, file }: SentForm): Waiting => {
  const to = returnPath(pathOf(request))
  const text = JSON.stringify(fields)
  return request.method === "GET" || file !== undefined || text.length > MAX_WAITING ? { to } : { to, fields: text }
}

const needsConfirmation = ({ json, status }: Answer): boolean =>
  status === 403 && [json["error"], json["code"]].includes("confirmation_required")

export const makeDesk = Effect.fnUntraced(function*(router: HttpRouter.HttpRouter) {
  const [publicUrl, sessions, { isConfigured: hasProvider }] = [yield* PublicUrl, yield* Sessions, yield* Identities]
  const ask = asking(router)

  const at = (handler: Handler) =>
    Effect.gen(function*() {
      const request = yield* HttpServerRequest.HttpServerRequest
      const secret = sessionSecretOf(request, publicUrl)
      const session = secret === undefined ? undefined : yield* sessions.find(secret)
      if (secret === undefined || session === undefined) return signInFirst(request)
      const isForm = request.method !== "GET"
      const notice = isForm ? undefined : doneIn(request, publicUrl)
      const visit = visitOf(session, { secret, request, public_url: publicUrl, notice })
      // Of another site not a byte is read.
      if (isForm && !isOwn(request)) return said(visit, messagesOf(visit.pageLocale).stale, 403)
      const form = isForm ? yield* readSent(request) : noForm
      const { fields: sent, file, held } = form
      if (isForm && !isFormToken(sent["token"] ?? "", secret)) return said(visit, messagesOf(visit.pageLocale).stale, 403)
      const params = yield* HttpRouter.params
      const confirmFirst = (refusal?: string) => answer(confirmPage(visit, waitingFor(request, form), hasProvider, refusal), 403)
      let isUnproven = false
      const asked = (question: Question) =>
        Effect.tap(ask(visit.person, question), (given) => Effect.sync(() => isUnproven ||= needsConfirmation(given)))
      const here: Here = { visit, request, params, sent, file, held, ask: asked, confirmFirst }
      const response = yield* Effect.provideService(handler(here), Actor, { type: "person", id: visit.person.id })
      if (isUnproven) return confirmFirst()
      return notice !== undefined && isPage(response) ? withoutDone(response, publicUrl) : response
    })

  const desk: Desk = {
    get: (path, handler) => router.add("GET", `/desk${path}`, at(handler)),
    post: (path, handler) => router.add("POST", `/desk${path}`, at(handler)),
    router,
    ask,
    publicUrl,
    sessions,
    hasProvider
  }
  return desk
})
