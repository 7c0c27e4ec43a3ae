/**
 * The page behind `payment_url` and `checkout_url`. Looking at it changes nothing; paying answers with a redirection, so that a reload or
 * the back button pays nothing.
 */
import { Accounts } from "@svc/accounts/accounts/service"
import { pageLocaleFor } from "@svc/design/locale"
import { documentOf, type Page } from "@svc/design/page"
import { accountTime } from "@svc/kernel/clocks/account-time"
import { now } from "@svc/kernel/values/time"
import { NetworkLimit } from "@svc/metering/rate-limits/network-limit"
import { publicPath, Site } from "@svc/tool-kit/services/site"
import { DateTime, Effect, Option } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse, UrlParams } from "effect/http"
import { type Offer, openOffer } from "../credit-purchases/offer.ts"
import { CreditPurchases } from "../credit-purchases/service/purchases.ts"
import { MerchantAccount } from "../merchant/merchant-account.ts"
import { PaymentMethods } from "../merchant/payment-methods.ts"
import { messagesOf } from "./messages.ts"
import { type CardName, cards, isCardName, messagePage, type Reading, type ShownOffer, view } from "./views.ts"

type Request = HttpServerRequest.HttpServerRequest

const answer = (page: Page, status = 200) => {
  const { headers, text } = documentOf(page)
  return HttpServerResponse.text(text, { status, contentType: "text/html; charset=utf-8", headers })
}

/** Of the form, which sends one short word. */
const MOST_BYTES = 1024

/** Payments that one network may try. */
const PER_HOUR = 120

/** An offer whose account is known. */
interface Owned extends Offer {
  readonly account: string
}

const hasOwner = (offer: Offer): offer is Owned => offer.account !== undefined

const makePage = Effect.gen(function*() {
  const [accounts, merchantAccount, methods, purchases] = [
    yield* Accounts,
    yield* MerchantAccount,
    yield* PaymentMethods,
    yield* CreditPurchases
  ]
  const { title: merchant, tools_url } = yield* Site
  const { inTimeOf } = yield* accountTime

  const readingOf = ({ headers }: Request): Reading => ({ merchant, pageLocale: pageLocaleFor(null, headers["accept-language"]) })

  const visitOf = Effect.fnUntraced(function*(offer: Owned, reading: Reading): Effect.fn.Return<ShownOffer> {
    const { sandbox, status } = yield* accounts.facts(offer.account)
    const purchase = Option.getOrUndefined(yield* Effect.option(purchases.get(offer.account, offer.purchase)))
    const held = purchase?.state !== "paid" && (yield* purchases.isHeldForEver(offer.account, offer.plan))
    const payable = sandbox && methods.of(sandbox).card !== undefined && status !== "closed" && status !== "suspended"
    return { ...reading, offer, purchase, at: yield* now, sandbox, payable, held, tools_url }
  })

  const show = Effect.fnUntraced(function*(offer: Offer, reading: Reading) {
    const { page, status } = view(
      hasOwner(offer)
        ? yield* inTimeOf(offer.account)(visitOf(offer, reading))
        : { ...reading, offer, purchase: undefined, at: yield* now, sandbox: false, payable: false, held: false, tools_url }
    )
    return answer(page, status)
  })

  const pay = Effect.fnUntraced(function*(offer: Owned, card: CardName, reading: Reading) {
    const { at, held, payable, purchase } = yield* visitOf(offer, reading)
    if (held || !payable || (purchase === undefined && DateTime.isLessThanOrEqualTo(offer.expires_at, at))) return
    const { account: account_id, cents: amount, expires_at, pays_for, plan, purchase: id, tool } = offer
    const facts = yield* accounts.facts(account_id)
    // Undefined where somebody was faster, such as the first click of two: what became of that, the page shows.
    yield* purchases.charge(
      facts,
      { id, account_id, amount, plan, tool, pays_for, expires_at },
      { kind: "card", token: cards[card] },
      false
    )
  })

  const offered = Effect.gen(function*() {
    const { offer = "" } = yield* HttpRouter.params
    return openOffer(yield* merchantAccount.secret, offer)
  })

  return {
    offered,
    pay: (offer: Owned, card: CardName, reading: Reading) => inTimeOf(offer.account)(pay(offer, card, reading)),
    readingOf,
    show
  }
})

const cardOf = Effect.fnUntraced(function*(request: Request) {
  const length = Number(request.headers["content-length"] ?? Number.NaN)
  if (!(length <= MOST_BYTES)) return undefined
  const body = yield* Effect.option(request.urlParamsBody)
  const name = Option.flatMap(body, (params) => Option.fromNullishOr(Option.getOrUndefined(UrlParams.getFirst(params, "card"))))
  return Option.getOrUndefined(name)
})

export const layer = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const [limit, site] = [yield* NetworkLimit, yield* Site]
  const { offered, pay, readingOf, show } = yield* makePage
  const unknown = (reading: Reading) => answer(messagePage(reading, messagesOf(reading.pageLocale).unknown), 404)

  yield* router.add(
    "GET",
    "/pay/:offer",
    Effect.gen(function*() {
      const reading = readingOf(yield* HttpServerRequest.HttpServerRequest)
      const offer = yield* offered
      return offer === undefined ? unknown(reading) : yield* show(offer, reading)
    })
  )

  yield* router.add(
    "POST",
    "/pay/:offer",
    Effect.gen(function*() {
      const request = yield* HttpServerRequest.HttpServerRequest
      const reading = readingOf(request)
      const messages = messagesOf(reading.pageLocale)
      const offer = yield* offered
      if (offer === undefined) return unknown(reading)
      if (!hasOwner(offer)) return yield* show(offer, reading)
      const card = yield* cardOf(request)
      if (!isCardName(card)) return answer(messagePage(reading, messages.unchosen), 400)
      const tooMany = yield* Effect.flip(limit.take({ what: "Paying on a page", perHour: PER_HOUR }, request)).pipe(Effect.option)
      if (Option.isSome(tooMany)) return answer(messagePage(reading, messages.tooMany), 429)
      // Who lost a race a hundred times sees how it stands, and may try again.
      yield* Effect.ignore(pay(offer, card, reading), { log: "Warn" })
      return HttpServerResponse.empty({
        status: 303,
        headers: { location: publicPath(site, request.url), "cache-control": "no-store", "referrer-policy": "no-referrer" }
      })
    })
  )
}))
