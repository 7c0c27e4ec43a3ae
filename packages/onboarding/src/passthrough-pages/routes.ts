/** The pages of passthrough sessions, on the listener of the payments API. Looking changes nothing; a form is answered by redirection. */
import { may } from "@svc/accounts/access/permits"
import { AccountId } from "@svc/accounts/accounts/model"
import { Accounts } from "@svc/accounts/accounts/service"
import { sameHash } from "@svc/accounts/api-keys/secret"
import { isolated } from "@svc/design/format"
import { type PageLocale, pageLocaleFor } from "@svc/design/locale"
import { documentOf, type Page } from "@svc/design/page"
import { accountTime } from "@svc/kernel/clocks/account-time"
import { isUnreachable } from "@svc/kernel/database/unreachable"
import { realNow } from "@svc/kernel/values/time"
import { isOwn, readForm } from "@svc/platform/pages/forms"
import { PageLimit } from "@svc/platform/pages/limits"
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { hash } from "node:crypto"
import { messagesOf } from "../i18n/messages.ts"
import type { FlowKind, PassthroughSession } from "../passthrough-sessions/model.ts"
import { isOpen } from "../passthrough-sessions/rules/session.ts"
import { PassthroughSessions } from "../passthrough-sessions/service.ts"
import { bankPage, bankRequest, readBank, refusedBank } from "./bank-form.ts"
import { businessPage, readBusiness } from "./business-form.ts"
import { messagePage, type PassthroughVisit, type ReadField } from "./frame.ts"
import { makePassthroughActs } from "./service.ts"

type Response = HttpServerResponse.HttpServerResponse
type Request = HttpServerRequest.HttpServerRequest

/** The longest form: addresses in any script. */
const MAX_BYTES = 16 * 1024

const answer = (page: Page, status = 200): Response => {
  const { headers, text } = documentOf(page)
  return HttpServerResponse.text(text, { status, contentType: "text/html; charset=utf-8", headers })
}

/** What the form of a page carries: whoever does not know the page's address cannot know it. */
const formTokenOf = (secret: string): string => hash("sha256", `passthrough.form:${secret}`, "hex")

/** The same page again, by GET: a reload sends nothing again. The address is relative, for a path may stand before it. */
const again = (secret: string): Response =>
  HttpServerResponse.empty({ status: 303, headers: { location: secret, "cache-control": "no-store", "referrer-policy": "no-referrer" } })

const gone = (pageLocale: PageLocale): Response => answer(messagePage(pageLocale, messagesOf(pageLocale).gone), 404)

/** One flow: its page, what its form does, and what is shown afterwards. */
interface FlowPages {
  readonly form: (visit: PassthroughVisit) => Effect.Effect<Response>
  /** Undefined where the page is to be shown again as it then is. */
  readonly send: (visit: PassthroughVisit, field: ReadField) => Effect.Effect<Response | undefined, { readonly _tag: string }>
  readonly done: (visit: PassthroughVisit) => Effect.Effect<Page, { readonly _tag: string }>
}

const makeFlows = Effect.gen(function*() {
  const accounts = yield* Accounts
  const acts = yield* makePassthroughActs

  const flows: Readonly<Record<FlowKind, FlowPages>> = {
    payout_bank: {
      form: (visit) => Effect.succeed(answer(bankPage(visit))),
      send: Effect.fnUntraced(function*(visit, field) {
        const { pageLocale, session } = visit
        const form = readBank(pageLocale, field)
        if (Object.keys(form.problems).length > 0) return answer(bankPage(visit, form), 400)
        return yield* acts.saveBank(session, yield* accounts.facts(session.account_id), bankRequest(form.values)).pipe(
          Effect.as(undefined),
          Effect.catchTag(
            "ValidationError",
            ({ code }) => Effect.succeed(answer(bankPage(visit, refusedBank(pageLocale, form, code)), 400))
          )
        )
      }),
      done: Effect.fnUntraced(function*({ account, pageLocale, session }) {
        const { last4 } = yield* acts.instrumentOf(session)
        const { text, title } = messagesOf(pageLocale).bank.done
        return messagePage(pageLocale, { title, text: text(isolated(last4)) }, "good", account)
      })
    },
    business_verify: {
      form: Effect.fnUntraced(function*(visit) {
        return answer(businessPage(visit, yield* acts.askedEntity(visit.session)))
      }),
      send: Effect.fnUntraced(function*(visit, field) {
        const { pageLocale, session } = visit
        const [sentEntity, entity] = [field("entity"), yield* acts.askedEntity(session)]
        // What is asked for changed since the page was shown.
        if (sentEntity !== (entity?.id ?? "")) {
          yield* acts.wasSubmitted(session, sentEntity)
          return undefined
        }
        const form = readBusiness(pageLocale, field, entity)
        if (Object.keys(form.problems).length > 0) return answer(businessPage(visit, entity, form), 400)
        yield* entity === undefined
          ? acts.makeBusiness(session, yield* accounts.facts(session.account_id), form)
          : acts.changeBusiness(session, entity, form, Number(field("version")))
        return undefined
      }),
      done: Effect.fnUntraced(function*({ account, pageLocale, session }) {
        const { verification_status } = yield* acts.entityOf(session)
        const sign = ({ pending: "waiting", requires_info: "waiting", verified: "good", failed: "bad" } as const)[verification_status]
        const page = messagePage(pageLocale, messagesOf(pageLocale).business.outcomes[verification_status], sign, account)
        return verification_status === "pending" ? { ...page, refresh: { seconds: 3 } } : page
      })
    }
  }
  return flows
})

export const layer = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const [accounts, limit, sessions] = [yield* Accounts, yield* PageLimit, yield* PassthroughSessions]
  const { inTimeOf } = yield* accountTime
  const [acts, flows] = [yield* makePassthroughActs, yield* makeFlows]

  const send = Effect.fnUntraced(function*(visit: PassthroughVisit, request: Request, secret: string) {
    const { formToken, pageLocale, session } = visit
    const { notOwn, tooMany } = messagesOf(pageLocale)
    const refused = (status: number) => answer(messagePage(pageLocale, status === 403 ? notOwn : tooMany, "waiting"), status)
    if (!isOwn(request)) return refused(403)
    if (!(yield* limit.take(session.id, request))) return refused(429)
    const field = yield* readForm(request, MAX_BYTES)
    if (!sameHash(formToken, field("form"))) return refused(403)
    const response = yield* flows[session.flow_kind].send(visit, field).pipe(
      // Somebody else was faster, or the same form is under way: the page shows how it stands.
      Effect.catch(() => Effect.undefined)
    )
    return response ?? again(secret)
  })

  const handle = Effect.fnUntraced(function*(session: PassthroughSession, secret: string, request: Request) {
    const pageLocale = pageLocaleFor(null, request.headers["accept-language"])
    const account = yield* Effect.orDie(accounts.get(AccountId.make(session.account_id)))
    const visit: PassthroughVisit = { session, account, pageLocale, formToken: formTokenOf(secret) }
    const isSent = request.method === "POST"
    if (session.status === "completed") return isSent ? again(secret) : answer(yield* flows[session.flow_kind].done(visit))
    if (!isOpen(session, yield* realNow)) return answer(messagePage(pageLocale, messagesOf(pageLocale).expired, "waiting", account), 410)
    // What cannot be done by hand any more cannot be done here.
    if (!may("manage", account) || !(yield* acts.makerMay(session))) return gone(pageLocale)
    return yield* isSent ? send(visit, request, secret) : flows[session.flow_kind].form(visit)
  })

  const page = Effect.gen(function*() {
    const request = yield* HttpServerRequest.HttpServerRequest
    const { secret = "" } = yield* HttpRouter.params
    const pageLocale = pageLocaleFor(null, request.headers["accept-language"])
    return yield* Effect.flatMap(sessions.at(secret), (session) => inTimeOf(session.account_id)(handle(session, secret, request))).pipe(
      Effect.catch(() => Effect.succeed(gone(pageLocale))),
      Effect.catchDefect((defect) =>
        Effect.as(
          Effect.logError("a passthrough page could not be shown", defect),
          answer(messagePage(pageLocale, messagesOf(pageLocale).broken), isUnreachable(defect) ? 503 : 500)
        )
      )
    )
  })

  yield* router.add("GET", "/pass/:secret", page)
  yield* router.add("POST", "/pass/:secret", page)
}))
