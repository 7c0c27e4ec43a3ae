/** The page of a checkout session, on the listener of the payments API. Looking at it pays nothing; paying answers with a redirection. */
import { Accounts } from "@svc/accounts/accounts/service"
import { Locale } from "@svc/billing/customers/model"
import { Plans } from "@svc/billing/plans/service"
import { Subscriptions } from "@svc/billing/subscriptions/service/subscriptions"
import type { PageLocale } from "@svc/design/locale"
import { accountTime } from "@svc/kernel/clocks/account-time"
import { InBackground } from "@svc/kernel/road/committer"
import { isEmailAddress } from "@svc/kernel/values/email-address"
import { now } from "@svc/kernel/values/time"
import { PaymentIntents } from "@svc/payments/payment-intents/service"
import { Rails } from "@svc/payments/rails/rail"
import { pathOf, readForm } from "@svc/platform/pages/forms"
import { PageLimit } from "@svc/platform/pages/limits"
import { Effect, FiberSet, Option, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { CheckoutSession } from "../checkout-sessions/model.ts"
import { CheckoutSessions } from "../checkout-sessions/service/sessions.ts"
import { CardFieldsUrl } from "../pages/card-fields-url.ts"
import { fieldsFor, isToken } from "../pages/card-frame.ts"
import { answer, gone, orBroken, pageLocaleOf, redirected, tooMany } from "../routing/answers.ts"
import type { CheckoutVisit } from "./offer-views.ts"
import { transfersFor, transferToken } from "./rules.ts"
import { donePage, expiredPage, paymentPage, stateOf, waitingPage } from "./views.ts"

type Request = HttpServerRequest.HttpServerRequest

const isLocale = Schema.is(Locale)

/** The language of the page as customers have it: with its region, where that is one. */
const languageOf = ({ locale, tag }: PageLocale): string => isLocale(tag) ? tag : locale

const readPayForm = Effect.fnUntraced(function*(request: Request) {
  const field = yield* readForm(request)
  return { number: Number(field("try")), payWith: field("pay_with"), token: field("token"), email: field("email").trim() }
})

const makePages = Effect.gen(function*() {
  const [accounts, intents, plans, sessions] = [yield* Accounts, yield* PaymentIntents, yield* Plans, yield* CheckoutSessions]
  const [{ all: rails }, subscriptions] = [yield* Rails, yield* Subscriptions]
  const providerUrl = yield* CardFieldsUrl
  const background = yield* FiberSet.make()

  const noteVisit = (session: CheckoutSession) =>
    sessions.visit(session).pipe(
      Effect.catchCause((cause) => Effect.logWarning(`the visit of ${session.id} is not noted`, cause)),
      Effect.provideService(InBackground, true)
    )

  const visitOf = Effect.fnUntraced(function*(session: CheckoutSession, request: Request): Effect.fn.Return<CheckoutVisit> {
    const { account_id, payment_intent_id, plan_id, subscription_id } = session
    const account = yield* Effect.orDie(accounts.get(account_id))
    const plan = plan_id === null ? undefined : yield* Effect.orDie(plans.get(account_id, plan_id))
    const intent = session.payment_status === "processing" && payment_intent_id !== null
      ? yield* Effect.orDie(intents.get(account_id, payment_intent_id))
      : undefined
    const subscription = session.status === "complete" && subscription_id !== null
      ? yield* Effect.orDie(subscriptions.get(account_id, subscription_id))
      : undefined
    const [pageLocale, path] = [pageLocaleOf(request, session.locale), pathOf(session.url)]
    return {
      session,
      account,
      plan,
      subscription,
      intent,
      pageLocale,
      path,
      fields: fieldsFor(account, pageLocale, path, providerUrl),
      transfers: transfersFor(session, account, rails),
      at: yield* now
    }
  })

  const show = Effect.fnUntraced(function*(session: CheckoutSession, request: Request) {
    if (session.status === "open" && session.payment_status === "processing") return redirected(`${pathOf(session.url)}/wait`)
    const visit = yield* visitOf(session, request)
    if (session.status === "complete") return answer(donePage(visit, false))
    if (session.status === "expired") return answer(expiredPage(visit), 410)
    // The page does not wait for the note that its customer was there.
    yield* FiberSet.run(background, noteVisit(session))
    return answer(paymentPage(visit))
  })

  const wait = Effect.fnUntraced(function*(requested: CheckoutSession, request: Request) {
    const session = yield* sessions.look(requested)
    if (session.status === "expired" || (session.status === "open" && session.payment_status === "unpaid")) {
      return redirected(pathOf(session.url))
    }
    const visit = yield* visitOf(session, request)
    return answer(session.status === "complete" ? donePage(visit, true) : waitingPage(visit, request.url.endsWith("?go")))
  })

  const status = Effect.fnUntraced(function*(requested: CheckoutSession, request: Request) {
    const session = yield* sessions.look(requested)
    const { intent } = yield* visitOf(session, request)
    return HttpServerResponse.jsonUnsafe({ state: stateOf(session, intent) })
  })

  const pay = Effect.fnUntraced(function*(session: CheckoutSession, request: Request) {
    const form = yield* readPayForm(request)
    const home = pathOf(session.url)
    // Another tab has paid the session, or is about to: this one follows that payment.
    if (session.status === "complete" || session.payment_status !== "unpaid") return redirected(`${home}/wait?go`)
    if (session.status !== "open" || form.number !== session.tries + 1) return redirected(home)
    const visit = yield* visitOf(session, request)
    const customer_email = session.customer_email === null ? form.email : undefined
    if (customer_email !== undefined && !isEmailAddress(customer_email)) {
      return answer(paymentPage(visit, { email: form.email, emailInvalid: true }), 400)
    }
    const payment_method_id = transferToken(visit.transfers, form.payWith) ?? form.token
    if (!isToken(visit.account, payment_method_id)) {
      return answer(paymentPage(visit, { card: true, ...(customer_email === undefined ? {} : { email: customer_email }) }), 400)
    }
    // A tab that was slower, or a page that is old, leads to what holds now.
    const paid = yield* Effect.option(
      sessions.pay(session, { number: form.number, payment_method_id, customer_email, locale: languageOf(visit.pageLocale) })
    )
    return redirected(Option.isSome(paid) && paid.value.payment_status === "unpaid" ? home : `${home}/wait?go`)
  })

  return { pay, show, status, wait }
})

export const layer = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const sessions = yield* CheckoutSessions
  const limit = yield* PageLimit
  const { inTimeOf } = yield* accountTime
  const pages = yield* makePages

  type Handler = (session: CheckoutSession, request: Request) => Effect.Effect<HttpServerResponse.HttpServerResponse>

  const at = (handler: Handler) =>
    Effect.gen(function*() {
      const request = yield* HttpServerRequest.HttpServerRequest
      const { id = "", secret = "" } = yield* HttpRouter.params
      const page = Effect.flatMap(sessions.at(id, secret), (session) => inTimeOf(session.account_id)(handler(session, request)))
      return yield* orBroken(pageLocaleOf(request), Effect.catchTag(page, "NotFound", () => Effect.succeed(gone(pageLocaleOf(request)))))
    })

  const limited = (handler: Handler): Handler => (session, request) =>
    Effect.flatMap(
      limit.take(session.id, request),
      (isWithin) => isWithin ? handler(session, request) : Effect.succeed(tooMany(pageLocaleOf(request, session.locale)))
    )

  yield* router.add("GET", "/checkout/:id/:secret", at(pages.show))
  yield* router.add("GET", "/checkout/:id/:secret/wait", at(pages.wait))
  yield* router.add("GET", "/checkout/:id/:secret/status", at(pages.status))
  yield* router.add("POST", "/checkout/:id/:secret/pay", at(limited(pages.pay)))
  // A form that was sent is found again by its address.
  yield* router.add("GET", "/checkout/:id/:secret/pay", at((session) => Effect.succeed(redirected(pathOf(session.url)))))
  yield* router.add("GET", "/checkout/:id", Effect.map(HttpServerRequest.HttpServerRequest, (request) => gone(pageLocaleOf(request))))
}))
