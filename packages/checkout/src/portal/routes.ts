/** The pages of the portal, on the listener of the payments API. Looking changes nothing; what is posted is answered with a redirection. */
import { AccountId } from "@svc/accounts/accounts/model"
import { Accounts } from "@svc/accounts/accounts/service"
import { accountTime } from "@svc/kernel/clocks/account-time"
import { now } from "@svc/kernel/time"
import { DateTime, Effect, Option } from "effect"
import { HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { answer, gone, orBroken, redirected, tongueOf, tooMany } from "../answers.ts"
import { CardFieldsUrl } from "../card-fields.ts"
import { fieldsFor, isToken } from "../card-frame.ts"
import type { Page } from "../design/page.ts"
import { isOwn, pathOf, queryOf, readForm } from "../forms.ts"
import type { Said } from "../i18n/said.ts"
import { PageLimit } from "../limits.ts"
import { isDeclineCode } from "../owed/model.ts"
import type { PortalSession } from "../portal-sessions/model.ts"
import { isOpen } from "../portal-sessions/rules.ts"
import { PortalSessions } from "../portal-sessions/service.ts"
import { asking, done, type Done, places } from "./deed-views.ts"
import { closed, framed, merchantOf, told } from "./frame.ts"
import { portalMessagesOf } from "./messages.ts"
import type { Visit } from "./model.ts"
import { invoiceList, methodList, paid, paying, saved, savedAt } from "./money-views.ts"
import { overview } from "./overview.ts"
import { changed, choosing, previewing } from "./plan-views.ts"
import { type Guest, Portal } from "./service.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

/** What a handler works with. */
interface Here {
  readonly visit: Visit
  readonly guest: Guest
  readonly request: Request
  readonly params: Readonly<Record<string, string | undefined>>
}

/** As many as a customer has subscriptions on a page. */
const MOST_CYCLES = 50

/** A page that says why nothing was done. */
const refusal = (visit: Visit, said: Said, status: number): Response =>
  answer(framed(visit, { title: said.title, main: told(visit, { ...said, sign: "bad" }) }), status)

const over = (visit: Visit): Response => {
  const { expired, revoked } = portalMessagesOf(visit.tongue)
  const { text, title } = visit.session.status === "revoked" ? revoked : expired
  return answer(closed(visit, { title, text: text(merchantOf(visit)), sign: "waiting" }), 410)
}

const isDone = (text: string): text is Done => Object.values(places).some((place) => place === text)

const makePages = Effect.gen(function*() {
  const portal = yield* Portal
  const providerUrl = yield* CardFieldsUrl
  const show = (page: Page, status = 200) => answer(page, status)
  const id = ({ params }: Here) => params["sub"] ?? ""
  const place = ({ params, visit }: Here) => `${visit.path}/subscriptions/${params["sub"] ?? ""}`

  const declinedAt = (here: Here, plan: string, code: string) => `${place(here)}/plan/${plan}?declined=${encodeURIComponent(code)}`

  const methodPage = Effect.fnUntraced(function*({ guest, visit }: Here, wrong = false) {
    const fields = fieldsFor(visit.account, visit.tongue, visit.path, providerUrl)
    return show(methodList(visit, { ...(yield* portal.kept(guest)), fields }, wrong), wrong ? 400 : 200)
  })

  const verbs = {
    cancel: { page: (here: Here) => ask(here, "cancel"), post: (here: Here) => act(here, "cancel") },
    pause: { page: (here: Here) => ask(here, "pause"), post: (here: Here) => act(here, "pause") },
    resume: { page: (here: Here) => ask(here, "resume"), post: (here: Here) => act(here, "resume") }
  }

  const ask = Effect.fnUntraced(function*({ guest, params, visit }: Here, verb: keyof typeof verbs) {
    return show(asking(visit, yield* portal.asking(guest, params["sub"] ?? "", verb), verb, yield* now))
  })

  const act = Effect.fnUntraced(function*(here: Here, verb: keyof typeof places) {
    yield* portal.act(here.guest, id(here), verb)
    return redirected(`${place(here)}/${places[verb]}`)
  })

  return {
    verbs,
    act,
    home: Effect.fnUntraced(function*({ guest, visit }: Here) {
      return show(overview(visit, yield* portal.all(guest)))
    }),
    told: Effect.fnUntraced(function*(here: Here) {
      const what = here.params["what"] ?? ""
      if (!isDone(what)) return gone(here.visit.tongue)
      const page = done(here.visit, yield* portal.subscription(here.guest, id(here)), what)
      return page === undefined ? redirected(here.visit.path) : show(page)
    }),
    choose: Effect.fnUntraced(function*(here: Here) {
      const wanted = queryOf(here.request, "plan")
      if (wanted !== undefined && /^plan_[0-9A-Z]{26}$/u.test(wanted)) return redirected(`${place(here)}/plan/${wanted}`)
      const { held, plans } = yield* portal.choices(here.guest, id(here))
      const unchosen = here.request.url.includes("?")
      return show(choosing(here.visit, held, plans, unchosen), unchosen ? 400 : 200)
    }),
    preview: Effect.fnUntraced(function*(here: Here) {
      const previewed = yield* portal.preview(here.guest, id(here), here.params["plan"] ?? "")
      const declined = queryOf(here.request, "declined")
      return show(previewing(here.visit, previewed, declined === undefined || isDeclineCode(declined) ? declined : "declined"))
    }),
    changePlan: Effect.fnUntraced(function*(here: Here) {
      const form = yield* readForm(here.request)
      const at = DateTime.make(form("proration_at"))
      const version = Number(form("version"))
      const plan = here.params["plan"] ?? ""
      if (Option.isNone(at) || !Number.isSafeInteger(version)) return redirected(`${place(here)}/plan/${plan}`)
      const came = yield* portal.changePlan(here.guest, id(here), { plan_id: plan, proration_at: DateTime.toUtc(at.value), version })
      return redirected(came === "accepted" ? `${place(here)}/changed/${plan}` : declinedAt(here, plan, came.declined))
    }),
    changed: Effect.fnUntraced(function*(here: Here) {
      const held = yield* portal.subscription(here.guest, id(here))
      const plan = here.params["plan"] ?? ""
      const to = [held.plan, held.pending].find((one) => one?.id === plan)
      const owed = yield* portal.chargeOfChange(here.guest, id(here), plan)
      if (to !== undefined) return show(changed(here.visit, held, to, owed?.intent))
      return redirected(owed?.cycle.status === "voided" ? declinedAt(here, plan, owed.cycle.attempts.at(-1)?.decline_code ?? "") : `${place(here)}/plan`)
    }),
    invoices: Effect.fnUntraced(function*({ guest, request, visit }: Here) {
      const after = queryOf(request, "after")
      return show(invoiceList(visit, yield* portal.invoicePage(guest, after !== undefined && /^inv_[0-9A-Z]{26}$/u.test(after) ? after : undefined)))
    }),
    pdf: Effect.fnUntraced(function*({ guest, params, visit }: Here) {
      const { invoice } = yield* portal.invoice(guest, params["invoice"] ?? "")
      return invoice.hosted_url === null ? gone(visit.tongue) : redirected(`${invoice.hosted_url}/pdf`)
    }),
    payPage: Effect.fnUntraced(function*({ guest, params, visit }: Here) {
      const { method, ...billed } = yield* portal.invoice(guest, params["invoice"] ?? "")
      return billed.payable ? show(paying(visit, billed, method)) : redirected(`${visit.path}/invoices`)
    }),
    pay: Effect.fnUntraced(function*({ guest, params, visit }: Here) {
      yield* portal.pay(guest, params["invoice"] ?? "")
      return redirected(`${visit.path}/invoices/${params["invoice"] ?? ""}/paid`)
    }),
    paid: Effect.fnUntraced(function*({ guest, params, visit }: Here) {
      const { owed } = yield* portal.invoice(guest, params["invoice"] ?? "")
      return owed === undefined || owed.cycle.attempts.length === 0 ? redirected(`${visit.path}/invoices`) : show(paid(visit, owed))
    }),
    methods: (here: Here) => methodPage(here),
    saveCard: Effect.fnUntraced(function*(here: Here) {
      const token = (yield* readForm(here.request))("token")
      if (here.guest.account.settings.portal_settings.actions.includes("update_payment_method") && !isToken(here.visit.account, token)) return yield* methodPage(here, true)
      const cycles = yield* portal.saveCard(here.guest, token).pipe(Effect.catchTag("Unusable", () => Effect.succeed(null)))
      if (cycles === null) return yield* methodPage(here, true)
      return redirected(savedAt(here.visit, cycles))
    }),
    saved: Effect.fnUntraced(function*({ guest, params, visit }: Here) {
      const cycles = params["cycles"]?.split(".").slice(0, MOST_CYCLES) ?? []
      return show(saved(visit, yield* Effect.forEach(cycles, (cycle) => portal.standing(guest, cycle))))
    })
  }
})

export const layer = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const [accounts, limit, sessions] = [yield* Accounts, yield* PageLimit, yield* PortalSessions]
  const { inTimeOf } = yield* accountTime
  const pages = yield* makePages

  type Shown = (here: Here) => Effect.Effect<Response, { readonly _tag: string }>

  /** What went wrong, as a page and a status. */
  const explained = (visit: Visit) => ({ _tag }: { readonly _tag: string }): Response => {
    const { changedMeanwhile, notAllowed, notPossible } = portalMessagesOf(visit.tongue)
    switch (_tag) {
      case "NotFound":
        return gone(visit.tongue)
      case "Forbidden":
        return refusal(visit, notAllowed, 403)
      case "SessionOver":
        return over(visit)
      case "VersionConflict":
      case "ValidationError":
      case "IdempotencyKeyReused":
        return refusal(visit, changedMeanwhile, 409)
      default:
        return refusal(visit, notPossible, 409)
    }
  }

  const visited = Effect.fnUntraced(function*(session: PortalSession, request: Request, shown: Shown) {
    const account = yield* Effect.orDie(accounts.get(AccountId.make(session.account_id)))
    const facts = yield* accounts.facts(session.account_id)
    const visit: Visit = { session, account, tongue: tongueOf(request, session.locale), path: pathOf(session.url), allowed: account.settings.portal_settings.actions }
    if (!isOpen(session, yield* now)) return over(visit)
    if (request.method !== "GET" && !isOwn(request)) return refusal(visit, portalMessagesOf(visit.tongue).notAllowed, 403)
    if (request.method !== "GET" && !(yield* limit.take(session.id, request))) return tooMany(visit.tongue)
    const params = yield* HttpRouter.params
    return yield* Effect.catch(shown({ visit, guest: { session, account: facts }, request, params }), (failure) => Effect.succeed(explained(visit)(failure)))
  })

  const at = (shown: Shown) =>
    Effect.gen(function*() {
      const request = yield* HttpServerRequest.HttpServerRequest
      const { id = "", secret = "" } = yield* HttpRouter.params
      const found = Effect.flatMap(sessions.at(id, secret), (session) => inTimeOf(session.account_id)(visited(session, request, shown)))
      return yield* orBroken(tongueOf(request), Effect.catchTag(found, "NotFound", () => Effect.succeed(gone(tongueOf(request)))))
    })

  const base = "/portal/:id/:secret"
  const get = (path: "" | `/${string}`, shown: Shown) => router.add("GET", `${base}${path}`, at(shown))
  const post = (path: `/${string}`, shown: Shown) => router.add("POST", `${base}${path}`, at(shown))
  const back = (to: (here: Here) => string): Shown => (here) => Effect.succeed(redirected(to(here)))

  yield* get("", pages.home)
  yield* get("/invoices", pages.invoices)
  yield* get("/invoices/:invoice/pdf", pages.pdf)
  yield* get("/invoices/:invoice/pay", pages.payPage)
  yield* post("/invoices/:invoice/pay", pages.pay)
  yield* get("/invoices/:invoice/paid", pages.paid)
  yield* get("/payment-methods", pages.methods)
  yield* post("/payment-methods", pages.saveCard)
  yield* get("/payment-methods/saved", pages.saved)
  yield* get("/payment-methods/saved/:cycles", pages.saved)
  yield* get("/subscriptions/:sub/plan", pages.choose)
  yield* get("/subscriptions/:sub/plan/:plan", pages.preview)
  yield* post("/subscriptions/:sub/plan/:plan", pages.changePlan)
  yield* get("/subscriptions/:sub/changed/:plan", pages.changed)
  for (const verb of ["cancel", "pause", "resume"] as const) {
    yield* get(`/subscriptions/:sub/${verb}`, pages.verbs[verb].page)
    yield* post(`/subscriptions/:sub/${verb}`, pages.verbs[verb].post)
  }
  yield* post("/subscriptions/:sub/uncancel", (here) => pages.act(here, "uncancel"))
  yield* get("/subscriptions/:sub/uncancel", back(({ visit }) => visit.path))
  yield* get("/subscriptions/:sub/:what", pages.told)
}))
