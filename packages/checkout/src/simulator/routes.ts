/** The simulator's pages: the card fields of the sandbox, and the bank that asks for a step, with what its two buttons do. */
import { AccountId } from "@svc/accounts/accounts/model"
import { Accounts } from "@svc/accounts/accounts/service"
import type { PageLocale } from "@svc/design/locale"
import type { PaymentIntent } from "@svc/payments/payment-intents/model"
import { PaymentIntents } from "@svc/payments/payment-intents/service"
import { pathOf, queryOf } from "@svc/platform/pages/forms"
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { type CheckoutSession, ORIGIN } from "../checkout-sessions/model.ts"
import { CheckoutSessions } from "../checkout-sessions/service/sessions.ts"
import { messagesOf } from "../i18n/messages.ts"
import { brandOf } from "../pages/brand.ts"
import { answer, orBroken, pageLocaleOf, redirected } from "../routing/answers.ts"
import { questionPage, resultPage } from "./action-views.ts"
import { cardFieldsPage } from "./card-fields-view.ts"
import { returnPathOf } from "./return-path.ts"

export const layer = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const [accounts, intents, sessions] = [yield* Accounts, yield* PaymentIntents, yield* CheckoutSessions]

  /** The checkout session of the payment: the customer came from its page. */
  const sessionOf = ({ merchant_id, origin }: PaymentIntent): Effect.Effect<CheckoutSession | undefined> =>
    origin?.type === ORIGIN
      ? Effect.catch(sessions.get(merchant_id, origin.id), () => Effect.succeed(undefined))
      : Effect.succeed(undefined)

  const over = (pageLocale: PageLocale) =>
    Effect.succeed(answer(resultPage(pageLocale, messagesOf(pageLocale).action.over, "waiting"), 404))

  const showQuestion = Effect.gen(function*() {
    const request = yield* HttpServerRequest.HttpServerRequest
    const { key = "" } = yield* HttpRouter.params
    const shown = Effect.gen(function*() {
      const intent = yield* intents.waitingForAction(key)
      const account = yield* Effect.orDie(accounts.get(AccountId.make(intent.merchant_id)))
      const session = yield* sessionOf(intent)
      return answer(
        questionPage(pageLocaleOf(request, queryOf(request, "lang") ?? session?.locale ?? null), intent, brandOf(account).name, request.url)
      )
    })
    return yield* orBroken(pageLocaleOf(request), Effect.catchTag(shown, "NotFound", () => over(pageLocaleOf(request))))
  })

  /** Leads back to the page that the customer came from, and says how the step ended where there is none. */
  const decide = (passed: boolean) =>
    Effect.gen(function*() {
      const request = yield* HttpServerRequest.HttpServerRequest
      const { key = "" } = yield* HttpRouter.params
      const pageLocale = pageLocaleOf(request, queryOf(request, "lang") ?? null)
      const { done, refused } = messagesOf(pageLocale).action
      const decision = Effect.gen(function*() {
        const session = yield* sessionOf(yield* intents.completeAction(key, passed))
        const back = returnPathOf(request.url) ?? (session === undefined ? undefined : `${pathOf(session.url)}/wait`)
        if (back !== undefined) return redirected(back)
        return answer(passed ? resultPage(pageLocale, done, "good") : resultPage(pageLocale, refused, "bad"))
      })
      // Where another click has decided, the page that the customer came from tells how.
      const late = Effect.suspend(() => {
        const back = returnPathOf(request.url)
        return back === undefined ? over(pageLocale) : Effect.succeed(redirected(back))
      })
      return yield* orBroken(pageLocale, Effect.catchTag(decision, "NotFound", () => late))
    })

  yield* router.add("GET", "/sim/fields", Effect.map(HttpServerRequest.HttpServerRequest, ({ url }) => answer(cardFieldsPage(url))))
  yield* router.add("GET", "/sim/actions/:key", showQuestion)
  yield* router.add("POST", "/sim/actions/:key/pass", decide(true))
  yield* router.add("POST", "/sim/actions/:key/fail", decide(false))
}))
