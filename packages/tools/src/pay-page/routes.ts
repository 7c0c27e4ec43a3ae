/** The page behind `payment_url` and `checkout_url`. Looking at it changes nothing; paying answers with a redirection, so that a reload or the back button pays nothing. */
import { Accounts } from "@svc/accounts/accounts/service"
import { accountTime } from "@svc/kernel/clocks/account-time"
import { now } from "@svc/kernel/time"
import { DateTime, Effect, Option } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse, UrlParams } from "effect/http"
import { CreditPurchases } from "../credit-purchases/service/purchases.ts"
import { NetworkLimit } from "../network-limit.ts"
import { House } from "../paid-calls/house.ts"
import { PaymentMethods } from "../paid-calls/methods.ts"
import { Site } from "../services/site.ts"
import { type Content, documentOf, POLICY } from "./html.ts"
import { type Offer, openOffer } from "./offer.ts"
import { cards, type CardName, isCardName, type Seen, unchosen, unknown, view } from "./views.ts"

const HEADERS = {
  "content-security-policy": POLICY,
  "cache-control": "no-store",
  // The address is all that somebody needs to pay, and to see what is paid.
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-robots-tag": "noindex",
  "cross-origin-opener-policy": "same-origin"
}

const answer = (content: Content, status = 200) => HttpServerResponse.text(documentOf(content), { status, contentType: "text/html; charset=utf-8", headers: HEADERS })

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
  const [accounts, house, methods, purchases] = [yield* Accounts, yield* House, yield* PaymentMethods, yield* CreditPurchases]
  const { tools_url } = yield* Site
  const { inTimeOf } = yield* accountTime

  const seenBy = Effect.fnUntraced(function*(offer: Owned): Effect.fn.Return<Seen> {
    const { sandbox, status } = yield* accounts.facts(offer.account)
    const purchase = Option.getOrUndefined(yield* Effect.option(purchases.get(offer.account, offer.purchase)))
    const held = purchase?.state !== "paid" && (yield* purchases.isHeldForEver(offer.account, offer.plan))
    const payable = sandbox && methods.of(sandbox).card !== undefined && status !== "closed" && status !== "suspended"
    return { offer, purchase, at: yield* now, payable, held, tools_url }
  })

  const show = Effect.fnUntraced(function*(offer: Offer) {
    const seen = hasOwner(offer) ? yield* inTimeOf(offer.account)(seenBy(offer)) : { offer, purchase: undefined, at: yield* now, payable: false, held: false, tools_url }
    const { content, status } = view(seen)
    return answer(content, status)
  })

  const pay = Effect.fnUntraced(function*(offer: Owned, card: CardName) {
    const { at, held, payable, purchase } = yield* seenBy(offer)
    if (held || !payable || (purchase === undefined && DateTime.isLessThanOrEqualTo(offer.expires_at, at))) return
    const { account: account_id, cents: amount, expires_at, pays_for, plan, purchase: id, tool } = offer
    const facts = yield* accounts.facts(account_id)
    // Undefined where somebody was faster, such as the first click of two: what became of that, the page shows.
    yield* purchases.charge(facts, { id, account_id, amount, plan, tool, pays_for, expires_at }, { kind: "card", token: cards[card].token }, false)
  })

  const offered = Effect.gen(function*() {
    const { offer = "" } = yield* HttpRouter.params
    return openOffer(yield* house.secret, offer)
  })

  return { offered, pay: (offer: Owned, card: CardName) => inTimeOf(offer.account)(pay(offer, card)), show }
})

const cardOf = Effect.fnUntraced(function*(request: HttpServerRequest.HttpServerRequest) {
  const length = Number(request.headers["content-length"] ?? Number.NaN)
  if (!(length <= MOST_BYTES)) return undefined
  const body = yield* Effect.option(request.urlParamsBody)
  const name = Option.flatMap(body, (params) => Option.fromNullishOr(Option.getOrUndefined(UrlParams.getFirst(params, "card"))))
  return Option.getOrUndefined(name)
})

export const layer = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const limit = yield* NetworkLimit
  const { offered, pay, show } = yield* makePage

  yield* router.add("GET", "/pay/:offer", Effect.flatMap(offered, (offer) => offer === undefined ? Effect.succeed(answer(unknown, 404)) : show(offer)))

  yield* router.add("POST", "/pay/:offer", Effect.gen(function*() {
    const request = yield* HttpServerRequest.HttpServerRequest
    const offer = yield* offered
    if (offer === undefined) return answer(unknown, 404)
    if (!hasOwner(offer)) return yield* show(offer)
    const card = yield* cardOf(request)
    if (!isCardName(card)) return answer(unchosen, 400)
    const tooMany = yield* Effect.flip(limit.take({ what: "Paying on a page", perHour: PER_HOUR }, request)).pipe(Effect.option)
    if (Option.isSome(tooMany)) return answer({ title: "Too many payments", body: "<p>Your network tries too many payments. Wait a while; nothing was charged.</p>" }, 429)
    // Who lost a race a hundred times sees how it stands, and may try again.
    yield* Effect.ignore(pay(offer, card), { log: "Warn" })
    return HttpServerResponse.empty({ status: 303, headers: { ...HEADERS, location: request.url } })
  }))
}))
