/** The routes of the portal, on the listener of the payments API. A GET changes nothing; the answer of a POST is a redirection. */
import { AccountId } from "@svc/accounts/accounts/model"
import { Accounts } from "@svc/accounts/accounts/service"
import { Customers } from "@svc/billing/customers/service"
import { accountTime } from "@svc/kernel/clocks/account-time"
import { now } from "@svc/kernel/values/time"
import { isOwn, pathOf } from "@svc/platform/pages/forms"
import { PageLimit } from "@svc/platform/pages/limits"
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { portalMessagesOf } from "../i18n/portal-messages.ts"
import type { PortalSession } from "../portal-sessions/model.ts"
import { isOpen } from "../portal-sessions/rules.ts"
import { PortalSessions } from "../portal-sessions/service.ts"
import { gone, orBroken, pageLocaleOf, redirected, tooMany } from "../routing/answers.ts"
import type { PortalVisit } from "./frame.ts"
import { makeCustomerPages } from "./routes/customer-pages.ts"
import { makeInvoicePages } from "./routes/invoice-pages.ts"
import { failurePage, type PortalHandler, type PortalRequest, refusal, sessionOverPage } from "./routes/request.ts"
import { makeSubscriptionPages } from "./routes/subscription-pages.ts"

export const layer = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const [accounts, customers, limit, sessions] = [yield* Accounts, yield* Customers, yield* PageLimit, yield* PortalSessions]
  const { inTimeOf } = yield* accountTime
  const pages = { ...(yield* makeCustomerPages), ...(yield* makeInvoicePages), ...(yield* makeSubscriptionPages) }

  const handle = Effect.fnUntraced(function*(session: PortalSession, request: HttpServerRequest.HttpServerRequest, handler: PortalHandler) {
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
    if (!isOpen(session, yield* now)) return sessionOverPage(visit)
    if (request.method !== "GET" && !isOwn(request)) return refusal(visit, portalMessagesOf(visit.pageLocale).notAllowed, 403)
    if (request.method !== "GET" && !(yield* limit.take(session.id, request))) return tooMany(visit.pageLocale)
    const params = yield* HttpRouter.params
    return yield* Effect.catch(
      handler({ visit, caller: { session, account: facts }, request, params }),
      (failure) => Effect.succeed(failurePage(visit, failure))
    )
  })

  const at = (handler: PortalHandler) =>
    Effect.gen(function*() {
      const request = yield* HttpServerRequest.HttpServerRequest
      const { id = "", secret = "" } = yield* HttpRouter.params
      const page = Effect.flatMap(sessions.at(id, secret), (session) => inTimeOf(session.account_id)(handle(session, request, handler)))
      return yield* orBroken(pageLocaleOf(request), Effect.catchTag(page, "NotFound", () => Effect.succeed(gone(pageLocaleOf(request)))))
    })

  const base = "/portal/:id/:secret"
  const get = (path: "" | `/${string}`, handler: PortalHandler) => router.add("GET", `${base}${path}`, at(handler))
  const post = (path: `/${string}`, handler: PortalHandler) => router.add("POST", `${base}${path}`, at(handler))
  const back = (to: (request: PortalRequest) => string): PortalHandler => (request) => Effect.succeed(redirected(to(request)))

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
  yield* get("/subscriptions/:sub/plan", pages.planChoice)
  yield* get("/subscriptions/:sub/plan/:plan", pages.planPreview)
  yield* post("/subscriptions/:sub/plan/:plan", pages.changePlan)
  yield* get("/subscriptions/:sub/changed/:plan", pages.planChanged)
  for (const verb of ["cancel", "pause", "resume"] as const) {
    yield* get(`/subscriptions/:sub/${verb}`, (request) => pages.confirm(request, verb))
    yield* post(`/subscriptions/:sub/${verb}`, (request) => pages.act(request, verb))
  }
  yield* post("/subscriptions/:sub/uncancel", (request) => pages.act(request, "uncancel"))
  yield* get("/subscriptions/:sub/uncancel", back(({ visit }) => visit.path))
  yield* get("/subscriptions/:sub/:done", pages.done)
}))
