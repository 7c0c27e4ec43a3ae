/** The page of a checkout session, on the listener of the payments API. Looking at it pays nothing; paying answers with a redirection. */
import { Accounts } from "@svc/accounts/accounts/service"
import { Plans } from "@svc/billing/plans/service"
import { accountTime } from "@svc/kernel/clocks/account-time"
import { InBackground } from "@svc/kernel/road/committer"
import { PaymentIntents } from "@svc/payments/payment-intents/service"
import { Effect, FiberSet, Option, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { answer, gone, orBroken, redirected, tongueOf, tooMany } from "../answers.ts"
import { type CheckoutSession, Email } from "../checkout-sessions/model.ts"
import { CheckoutSessions } from "../checkout-sessions/service.ts"
import { CardFieldsUrl } from "../card-fields.ts"
import { fieldsFor, isToken } from "../card-frame.ts"
import { pathOf, readForm } from "../forms.ts"
import { PageLimit } from "../limits.ts"
import { done, expired, payment, type Seen, stateOf, waiting } from "./views.ts"

type Request = HttpServerRequest.HttpServerRequest

const isEmail = Schema.is(Email)

/** What the customer sent. */
interface Sent {
  readonly number: number
  readonly payWith: string
  readonly token: string
  readonly email: string
}

const sentIn = Effect.fnUntraced(function*(request: Request) {
  const form = yield* readForm(request)
  const sent: Sent = { number: Number(form("try")), payWith: form("pay_with"), token: form("token"), email: form("email") }
  return sent
})

const makePage = Effect.gen(function*() {
  const [accounts, intents, plans, sessions] = [yield* Accounts, yield* PaymentIntents, yield* Plans, yield* CheckoutSessions]
  const providerUrl = yield* CardFieldsUrl
  const visits = yield* FiberSet.make()

  const noted = (session: CheckoutSession) =>
    sessions.visit(session).pipe(
      Effect.catchCause((cause) => Effect.logWarning(`it is not noted that somebody looked at ${session.id}`, cause)),
      Effect.provideService(InBackground, true)
    )

  const seenBy = Effect.fnUntraced(function*(session: CheckoutSession, request: Request): Effect.fn.Return<Seen> {
    const { account_id, payment_intent_id, plan_id } = session
    const account = yield* Effect.orDie(accounts.get(account_id))
    const plan = plan_id === null ? undefined : yield* Effect.orDie(plans.get(account_id, plan_id))
    const intent = session.payment_status === "processing" && payment_intent_id !== null ? yield* Effect.orDie(intents.get(account_id, payment_intent_id)) : undefined
    const seen = { session, account, plan, intent, tongue: tongueOf(request, session.locale), path: pathOf(session.url) }
    return { ...seen, fields: fieldsFor(account, seen.tongue, seen.path, providerUrl) }
  })

  const show = Effect.fnUntraced(function*(session: CheckoutSession, request: Request) {
    if (session.status === "open" && session.payment_status === "processing") return redirected(`${pathOf(session.url)}/wait`)
    const seen = yield* seenBy(session, request)
    if (session.status === "complete") return answer(done(seen, false))
    if (session.status === "expired") return answer(expired(seen), 410)
    // Nobody waits for what only says when somebody was here last.
    yield* FiberSet.run(visits, noted(session))
    return answer(payment(seen))
  })

  const wait = Effect.fnUntraced(function*(found: CheckoutSession, request: Request) {
    const session = yield* sessions.look(found)
    if (session.status === "expired" || (session.status === "open" && session.payment_status === "unpaid")) return redirected(pathOf(session.url))
    const seen = yield* seenBy(session, request)
    return answer(session.status === "complete" ? done(seen, true) : waiting(seen, request.url.endsWith("?go")))
  })

  const status = Effect.fnUntraced(function*(found: CheckoutSession, request: Request) {
    const session = yield* sessions.look(found)
    const { intent } = yield* seenBy(session, request)
    return HttpServerResponse.jsonUnsafe({ state: stateOf(session, intent) })
  })

  const pay = Effect.fnUntraced(function*(session: CheckoutSession, request: Request) {
    const sent = yield* sentIn(request)
    const home = pathOf(session.url)
    // Another tab has paid it, or is about to: this one goes on to the merchant with it.
    if (session.status === "complete" || session.payment_status !== "unpaid") return redirected(`${home}/wait?go`)
    if (session.status !== "open" || sent.number !== session.tries + 1) return redirected(home)
    const seen = yield* seenBy(session, request)
    const customer_email = session.customer_email === null ? sent.email : undefined
    if (customer_email !== undefined && !isEmail(customer_email)) return answer(payment(seen, { email: sent.email, emailInvalid: true }), 400)
    const payment_method_id = sent.payWith === "usdc" && session.currency === "USD" && seen.account.sandbox ? "tok_usdc" : sent.token
    if (!isToken(seen.account, payment_method_id)) {
      return answer(payment(seen, { card: true, ...(customer_email === undefined ? {} : { email: customer_email }) }), 400)
    }
    // Whoever was slower, or sent a page that is old, sees what holds now.
    const paid = yield* Effect.option(sessions.pay(session, { number: sent.number, payment_method_id, customer_email }))
    return redirected(Option.isSome(paid) && paid.value.payment_status === "unpaid" ? home : `${home}/wait?go`)
  })

  return { pay, show, status, wait }
})

export const layer = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const sessions = yield* CheckoutSessions
  const limit = yield* PageLimit
  const { inTimeOf } = yield* accountTime
  const page = yield* makePage

  type Shown = (session: CheckoutSession, request: Request) => Effect.Effect<HttpServerResponse.HttpServerResponse>

  const at = (shown: Shown) =>
    Effect.gen(function*() {
      const request = yield* HttpServerRequest.HttpServerRequest
      const { id = "", secret = "" } = yield* HttpRouter.params
      const found = Effect.flatMap(sessions.at(id, secret), (session) => inTimeOf(session.account_id)(shown(session, request)))
      return yield* orBroken(tongueOf(request), Effect.catchTag(found, "NotFound", () => Effect.succeed(gone(tongueOf(request)))))
    })

  const limited = (shown: Shown): Shown => (session, request) =>
    Effect.flatMap(limit.take(session.id, request), (may) => may ? shown(session, request) : Effect.succeed(tooMany(tongueOf(request, session.locale))))

  yield* router.add("GET", "/checkout/:id/:secret", at(page.show))
  yield* router.add("GET", "/checkout/:id/:secret/wait", at(page.wait))
  yield* router.add("GET", "/checkout/:id/:secret/status", at(page.status))
  yield* router.add("POST", "/checkout/:id/:secret/pay", at(limited(page.pay)))
  // A form that was sent is found again by its address.
  yield* router.add("GET", "/checkout/:id/:secret/pay", at((session) => Effect.succeed(redirected(pathOf(session.url)))))
  yield* router.add("GET", "/checkout/:id", Effect.map(HttpServerRequest.HttpServerRequest, (request) => gone(tongueOf(request))))
}))
