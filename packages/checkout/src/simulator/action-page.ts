/** The simulator's bank: the page a customer sees for a sandbox payment that asks for a step, and what its two buttons do. */
import { AccountId } from "@svc/accounts/accounts/model"
import { Accounts } from "@svc/accounts/accounts/service"
import type { PaymentIntent } from "@svc/payments/payment-intents/model"
import { PaymentIntents } from "@svc/payments/payment-intents/service"
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { answer, languageOf, nobody, orBroken, redirected, tongueOf } from "../answers.ts"
import { brandOf } from "../brand.ts"
import { type CheckoutSession, ORIGIN } from "../checkout-sessions/model.ts"
import { CheckoutSessions } from "../checkout-sessions/service.ts"
import { badge, button, card, masthead, status } from "../design/components.ts"
import { html } from "../design/html.ts"
import type { Page } from "../design/page.ts"
import { pathOf, queryOf } from "../forms.ts"
import { isolated, money } from "../i18n/format.ts"
import type { Tongue } from "../i18n/locale.ts"
import { messagesOf } from "../i18n/messages.ts"
import type { Said } from "../i18n/said.ts"
import { wayBack } from "./way-back.ts"

const bankOf = (tongue: Tongue): Pick<Page, "language" | "brand" | "header"> => {
  const { action, common } = messagesOf(tongue)
  return { language: languageOf(tongue), brand: nobody, header: masthead({ ...nobody, name: action.bank }, badge(common.testMode)) }
}

const asks = (tongue: Tongue, { amount, currency }: PaymentIntent, merchant: string, url: string): Page => {
  const [path = "", query] = url.split("?")
  const to = (deed: "pass" | "fail") => `${path}/${deed}${query === undefined ? "" : `?${query}`}`
  const { confirm, question, refuse, title } = messagesOf(tongue).action
  const yes = button({ label: confirm, kind: "primary", wide: true, attributes: { formaction: to("pass") } })
  const no = button({ label: refuse, wide: true, attributes: { formaction: to("fail") } })
  return {
    ...bankOf(tongue),
    title,
    main: card(html`<h1>${title}</h1><p>${question(isolated(money(tongue, amount, currency)), isolated(merchant))}</p><form method="post" class="actions">${yes}${no}</form>`)
  }
}

const says = (tongue: Tongue, { text, title }: Said, sign: "good" | "bad" | "waiting"): Page => ({ ...bankOf(tongue), title, main: status({ title, text, sign }) })

export const layer = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const [accounts, intents, sessions] = [yield* Accounts, yield* PaymentIntents, yield* CheckoutSessions]

  /** The session that the payment is of, whose page the customer came from. */
  const sessionOf = ({ merchant_id, origin }: PaymentIntent): Effect.Effect<CheckoutSession | undefined> =>
    origin?.type === ORIGIN ? Effect.catch(sessions.get(merchant_id, origin.id), () => Effect.succeed(undefined)) : Effect.succeed(undefined)

  const over = (tongue: Tongue) => Effect.succeed(answer(says(tongue, messagesOf(tongue).action.over, "waiting"), 404))

  const show = Effect.gen(function*() {
    const request = yield* HttpServerRequest.HttpServerRequest
    const { key = "" } = yield* HttpRouter.params
    const shown = Effect.gen(function*() {
      const intent = yield* intents.waitingForAction(key)
      const account = yield* Effect.orDie(accounts.get(AccountId.make(intent.merchant_id)))
      const session = yield* sessionOf(intent)
      return answer(asks(tongueOf(request, queryOf(request, "lang") ?? session?.locale ?? null), intent, brandOf(account).name, request.url))
    })
    return yield* orBroken(tongueOf(request), Effect.catchTag(shown, "NotFound", () => over(tongueOf(request))))
  })

  /** Back to the page that the customer came from, or a word where there is none. */
  const decide = (passed: boolean) =>
    Effect.gen(function*() {
      const request = yield* HttpServerRequest.HttpServerRequest
      const { key = "" } = yield* HttpRouter.params
      const tongue = tongueOf(request, queryOf(request, "lang") ?? null)
      const { done, refused } = messagesOf(tongue).action
      const decided = Effect.gen(function*() {
        const session = yield* sessionOf(yield* intents.completeAction(key, passed))
        const back = wayBack(request.url) ?? (session === undefined ? undefined : `${pathOf(session.url)}/wait`)
        if (back !== undefined) return redirected(back)
        return answer(passed ? says(tongue, done, "good") : says(tongue, refused, "bad"))
      })
      // Where another click has decided, the page that the customer came from tells how.
      const late = Effect.suspend(() => {
        const back = wayBack(request.url)
        return back === undefined ? over(tongue) : Effect.succeed(redirected(back))
      })
      return yield* orBroken(tongue, Effect.catchTag(decided, "NotFound", () => late))
    })

  yield* router.add("GET", "/sim/actions/:key", show)
  yield* router.add("POST", "/sim/actions/:key/pass", decide(true))
  yield* router.add("POST", "/sim/actions/:key/fail", decide(false))
}))
