/** The pages of the portal, on the listener of the payments API. Looking changes nothing; what is posted is answered with a redirection. */
import { AccountId } from "@svc/accounts/accounts/model"
import { Accounts } from "@svc/accounts/accounts/service"
import { Customers } from "@svc/billing/customers/service"
import { accountTime } from "@svc/kernel/clocks/account-time"
import { now } from "@svc/kernel/values/time"
import { isOwn, pathOf, queryOf, readFields, readForm } from "@svc/platform/pages/forms"
import { PageLimit } from "@svc/platform/pages/limits"
import { DateTime, Effect, Option } from "effect"
import { HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { isDeclineCode } from "../cycle-payments/model.ts"
import type { Message } from "../i18n/messages/shape.ts"
import { portalMessagesOf } from "../i18n/portal-messages.ts"
import { CardFieldsUrl } from "../pages/card-fields-url.ts"
import { fieldsFor, isToken } from "../pages/card-frame.ts"
import type { PortalSession } from "../portal-sessions/model.ts"
import { isOpen } from "../portal-sessions/rules.ts"
import { PortalSessions } from "../portal-sessions/service.ts"
import { answer, gone, orBroken, pageLocaleOf, redirected, tooMany } from "../routing/answers.ts"
import { confirmPage, donePage, type DonePath, donePaths } from "./change-views.ts"
import { detailsOf, detailsPage, readDetails } from "./details-views.ts"
import { closedPage, merchantOf, portalPage, type PortalVisit, statusView } from "./frame.ts"
import { invoiceListPage, invoicePaidPage, payInvoicePage } from "./invoice-views.ts"
import { cardSavedPage, cardSavedPath, methodListPage } from "./method-views.ts"
import { overviewPage } from "./overview.ts"
import { planChangedPage, planChoicePage, planPreviewPage } from "./plan-views.ts"
import type { PortalCaller } from "./service/access.ts"
import { Portal } from "./service/portal.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

/** One request to a page of the portal. */
interface PortalRequest {
  readonly visit: PortalVisit
  readonly caller: PortalCaller
  readonly request: Request
  readonly params: Readonly<Record<string, string | undefined>>
}

/** The largest number of cycles in an address: a page shows as many subscriptions. */
const MOST_CYCLES = 50

/** A page that says why nothing was changed. */
const refusal = (visit: PortalVisit, message: Message, status: number): Response =>
  answer(portalPage(visit, { title: message.title, main: statusView(visit, { ...message, sign: "bad" }) }), status)

const over = (visit: PortalVisit): Response => {
  const { expired, revoked } = portalMessagesOf(visit.pageLocale)
  const { text, title } = visit.session.status === "revoked" ? revoked : expired
  return answer(closedPage(visit, { title, text: text(merchantOf(visit)), sign: "waiting" }), 410)
}

const isDonePath = (text: string): text is DonePath => Object.values(donePaths).some((path) => path === text)

const makePages = Effect.gen(function*() {
  const portal = yield* Portal
  const providerUrl = yield* CardFieldsUrl
  const id = ({ params }: PortalRequest) => params["sub"] ?? ""
  const place = ({ params, visit }: PortalRequest) => `${visit.path}/subscriptions/${params["sub"] ?? ""}`

  const declinedAt = (here: PortalRequest, plan: string, code: string) => `${place(here)}/plan/${plan}?declined=${encodeURIComponent(code)}`

  const methodPage = Effect.fnUntraced(function*({ caller, visit }: PortalRequest, unusable = false) {
    const fields = fieldsFor(visit.account, visit.pageLocale, visit.path, providerUrl)
    return answer(methodListPage(visit, { ...(yield* portal.storedMethods(caller)), fields }, unusable), unusable ? 400 : 200)
  })

  const verbs = {
    cancel: { page: (here: PortalRequest) => ask(here, "cancel"), post: (here: PortalRequest) => act(here, "cancel") },
    pause: { page: (here: PortalRequest) => ask(here, "pause"), post: (here: PortalRequest) => act(here, "pause") },
    resume: { page: (here: PortalRequest) => ask(here, "resume"), post: (here: PortalRequest) => act(here, "resume") }
  }

  const ask = Effect.fnUntraced(function*({ caller, params, visit }: PortalRequest, verb: keyof typeof verbs) {
    return answer(confirmPage(visit, yield* portal.forVerb(caller, params["sub"] ?? "", verb), verb, yield* now))
  })

  const act = Effect.fnUntraced(function*(here: PortalRequest, verb: keyof typeof donePaths) {
    yield* portal.act(here.caller, id(here), verb)
    return redirected(`${place(here)}/${donePaths[verb]}`)
  })

  return {
    verbs,
    act,
    home: Effect.fnUntraced(function*({ caller, visit }: PortalRequest) {
      return answer(overviewPage(visit, yield* portal.subscriptions(caller)))
    }),
    done: Effect.fnUntraced(function*(here: PortalRequest) {
      const path = here.params["done"] ?? ""
      if (!isDonePath(path)) return gone(here.visit.pageLocale)
      const page = donePage(here.visit, yield* portal.subscription(here.caller, id(here)), path)
      return page === undefined ? redirected(here.visit.path) : answer(page)
    }),
    choose: Effect.fnUntraced(function*(here: PortalRequest) {
      const plan = queryOf(here.request, "plan")
      if (plan !== undefined && /^plan_[0-9A-Z]{26}$/u.test(plan)) return redirected(`${place(here)}/plan/${plan}`)
      const { details, plans } = yield* portal.choices(here.caller, id(here))
      const unchosen = here.request.url.includes("?")
      return answer(planChoicePage(here.visit, details, plans, unchosen), unchosen ? 400 : 200)
    }),
    preview: Effect.fnUntraced(function*(here: PortalRequest) {
      const change = yield* portal.preview(here.caller, id(here), here.params["plan"] ?? "")
      const declined = queryOf(here.request, "declined")
      return answer(planPreviewPage(here.visit, change, declined === undefined || isDeclineCode(declined) ? declined : "declined"))
    }),
    changePlan: Effect.fnUntraced(function*(here: PortalRequest) {
      const form = yield* readForm(here.request)
      const at = DateTime.make(form("proration_at"))
      const version = Number(form("version"))
      const plan = here.params["plan"] ?? ""
      if (Option.isNone(at) || !Number.isSafeInteger(version)) return redirected(`${place(here)}/plan/${plan}`)
      const result = yield* portal.changePlan(here.caller, id(here), { plan_id: plan, proration_at: DateTime.toUtc(at.value), version })
      return redirected(result === "accepted" ? `${place(here)}/changed/${plan}` : declinedAt(here, plan, result.declined))
    }),
    changed: Effect.fnUntraced(function*(here: PortalRequest) {
      const details = yield* portal.subscription(here.caller, id(here))
      const plan = here.params["plan"] ?? ""
      const to = [details.plan, details.pending].find((candidate) => candidate?.id === plan)
      const payment = yield* portal.chargeOfChange(here.caller, id(here), plan)
      if (to !== undefined) return answer(planChangedPage(here.visit, details, to, payment?.intent))
      return redirected(
        payment?.cycle.status === "voided"
          ? declinedAt(here, plan, payment.cycle.attempts.at(-1)?.decline_code ?? "")
          : `${place(here)}/plan`
      )
    }),
    invoices: Effect.fnUntraced(function*({ caller, request, visit }: PortalRequest) {
      const after = queryOf(request, "after")
      return answer(
        invoiceListPage(
          visit,
          yield* portal.invoicePage(caller, after !== undefined && /^inv_[0-9A-Z]{26}$/u.test(after) ? after : undefined)
        )
      )
    }),
    pdf: Effect.fnUntraced(function*({ caller, params, visit }: PortalRequest) {
      const { invoice } = yield* portal.invoice(caller, params["invoice"] ?? "")
      return invoice.hosted_url === null ? gone(visit.pageLocale) : redirected(`${invoice.hosted_url}/pdf`)
    }),
    payPage: Effect.fnUntraced(function*({ caller, params, visit }: PortalRequest) {
      const { method, ...details } = yield* portal.invoice(caller, params["invoice"] ?? "")
      return details.isPayable ? answer(payInvoicePage(visit, details, method)) : redirected(`${visit.path}/invoices`)
    }),
    pay: Effect.fnUntraced(function*({ caller, params, visit }: PortalRequest) {
      yield* portal.pay(caller, params["invoice"] ?? "")
      return redirected(`${visit.path}/invoices/${params["invoice"] ?? ""}/paid`)
    }),
    paid: Effect.fnUntraced(function*({ caller, params, visit }: PortalRequest) {
      const { payment } = yield* portal.invoice(caller, params["invoice"] ?? "")
      return payment === undefined || payment.cycle.attempts.length === 0
        ? redirected(`${visit.path}/invoices`)
        : answer(invoicePaidPage(visit, payment))
    }),
    details: ({ caller, visit }: PortalRequest) => Effect.as(portal.checkDetails(caller), answer(detailsPage(visit))),
    saveDetails: Effect.fnUntraced(function*({ caller, request, visit }: PortalRequest) {
      const form = readDetails(yield* readFields(request))
      if (form.emailProblem !== undefined || form.nameProblem !== undefined) return answer(detailsPage(visit, form), 400)
      yield* portal.saveDetails(caller, detailsOf(form))
      return redirected(visit.path)
    }),
    methods: (here: PortalRequest) => methodPage(here),
    saveCard: Effect.fnUntraced(function*(here: PortalRequest) {
      const token = (yield* readForm(here.request))("token")
      if (here.caller.account.settings.portal_settings.actions.includes("update_payment_method") && !isToken(here.visit.account, token)) {
        return yield* methodPage(here, true)
      }
      const cycles = yield* portal.saveCard(here.caller, token).pipe(Effect.catchTag("UnusableCard", () => Effect.succeed(null)))
      if (cycles === null) return yield* methodPage(here, true)
      return redirected(cardSavedPath(here.visit, cycles))
    }),
    saved: Effect.fnUntraced(function*({ caller, params, visit }: PortalRequest) {
      const cycles = params["cycles"]?.split(".").slice(0, MOST_CYCLES) ?? []
      return answer(cardSavedPage(visit, yield* portal.charges(caller, cycles)))
    })
  }
})

export const layer = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const [accounts, customers, limit, sessions] = [yield* Accounts, yield* Customers, yield* PageLimit, yield* PortalSessions]
  const { inTimeOf } = yield* accountTime
  const pages = yield* makePages

  type Handler = (here: PortalRequest) => Effect.Effect<Response, { readonly _tag: string }>

  /** The page that says why a request failed, with its status. */
  const failurePage = (visit: PortalVisit) => ({ _tag }: { readonly _tag: string }): Response => {
    const { changedMeanwhile, notAllowed, notPossible } = portalMessagesOf(visit.pageLocale)
    switch (_tag) {
      case "NotFound":
        return gone(visit.pageLocale)
      case "Forbidden":
        return refusal(visit, notAllowed, 403)
      case "FormTooLong":
        return refusal(visit, notAllowed, 413)
      case "NotAForm":
        return refusal(visit, notAllowed, 415)
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

  const handle = Effect.fnUntraced(function*(session: PortalSession, request: Request, handler: Handler) {
    const account = yield* Effect.orDie(accounts.get(AccountId.make(session.account_id)))
    const facts = yield* accounts.facts(session.account_id)
    const customer = yield* customers.find(session.account_id, session.customer_id)
    const visit: PortalVisit = {
      session,
      account,
      customer,
      pageLocale: pageLocaleOf(request, session.locale ?? customer?.locale ?? null),
      path: pathOf(session.url)
    }
    if (!isOpen(session, yield* now)) return over(visit)
    if (request.method !== "GET" && !isOwn(request)) return refusal(visit, portalMessagesOf(visit.pageLocale).notAllowed, 403)
    if (request.method !== "GET" && !(yield* limit.take(session.id, request))) return tooMany(visit.pageLocale)
    const params = yield* HttpRouter.params
    return yield* Effect.catch(
      handler({ visit, caller: { session, account: facts }, request, params }),
      (failure) => Effect.succeed(failurePage(visit)(failure))
    )
  })

  const at = (handler: Handler) =>
    Effect.gen(function*() {
      const request = yield* HttpServerRequest.HttpServerRequest
      const { id = "", secret = "" } = yield* HttpRouter.params
      const page = Effect.flatMap(sessions.at(id, secret), (session) => inTimeOf(session.account_id)(handle(session, request, handler)))
      return yield* orBroken(pageLocaleOf(request), Effect.catchTag(page, "NotFound", () => Effect.succeed(gone(pageLocaleOf(request)))))
    })

  const base = "/portal/:id/:secret"
  const get = (path: "" | `/${string}`, handler: Handler) => router.add("GET", `${base}${path}`, at(handler))
  const post = (path: `/${string}`, handler: Handler) => router.add("POST", `${base}${path}`, at(handler))
  const back = (to: (here: PortalRequest) => string): Handler => (here) => Effect.succeed(redirected(to(here)))

  yield* get("", pages.home)
  yield* get("/invoices", pages.invoices)
  yield* get("/invoices/:invoice/pdf", pages.pdf)
  yield* get("/invoices/:invoice/pay", pages.payPage)
  yield* post("/invoices/:invoice/pay", pages.pay)
  yield* get("/invoices/:invoice/paid", pages.paid)
  yield* get("/details", pages.details)
  yield* post("/details", pages.saveDetails)
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
  yield* get("/subscriptions/:sub/:done", pages.done)
}))
