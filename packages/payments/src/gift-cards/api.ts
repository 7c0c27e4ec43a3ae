/** The routes of gift cards. */
import { Does, forMerchants, RequiredScope } from "@svc/accounts/access/api"
import { endpointsOf } from "@svc/accounts/routes/api"
import { AnswersSecret } from "@svc/kernel/http/kept-answers"
import { described } from "@svc/kernel/resource/api"
import { InsufficientBalance } from "@svc/ledger/balances/model"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { PaymentInFlight } from "../payment-intents/errors.ts"
import { giftCardMachine } from "./machine.ts"
import { giftCardFilters, GiftCardJson, IssuedGiftCard, IssueGiftCardRequest, LoadGiftCardRequest, RedeemGiftCardRequest } from "./model.ts"

const card = endpointsOf({ scope: "gift_cards", prefix: "gc", schema: GiftCardJson, list: "GiftCardList" })
const load = card.act(LoadGiftCardRequest)
const redeem = card.act(RedeemGiftCardRequest)

export class GiftCardsGroup extends HttpApiGroup.make("gift_cards").add(
  HttpApiEndpoint.post("issue", "/gift_cards", { payload: IssueGiftCardRequest, success: IssuedGiftCard.pipe(HttpApiSchema.status(201)) })
    .annotate(RequiredScope, "gift_cards:write").annotate(Does, "record").annotate(AnswersSecret, true)
    .annotateMerge(
      described(
        "Issue a gift card",
        "Answers with its code, once: only a hash of it is kept. Without an `Idempotency-Key`, repeating the request issues another " +
          "card; nothing is on one until it is loaded."
      )
    ),
  HttpApiEndpoint.get("list", "/gift_cards", card.list(giftCardFilters))
    .annotateMerge(card.reads("List gift cards", "Newest first, of one status or currency, or of all.")),
  HttpApiEndpoint.get("get", "/gift_cards/:id", card.get)
    .annotateMerge(card.reads("Retrieve a gift card", "What it still has.")),
  HttpApiEndpoint.post("load", "/gift_cards/:id/load", { ...load, error: [...load.error, InsufficientBalance] })
    .annotateMerge(card.changes(
      "charge",
      "Load a gift card",
      "Holds money that is available to you for the card: what its customer paid you for it, or a gift of yours. More than is " +
        "available is refused."
    )),
  HttpApiEndpoint.post("redeem", "/gift_cards/:id/redeem", { ...redeem, error: [...redeem.error, InsufficientBalance, PaymentInFlight] })
    .annotateMerge(card.changes(
      "charge",
      "Redeem a gift card",
      "Takes money from the card with the customer's code. With `payment_intent_id` it pays that payment, which is captured at once, " +
        "without a fee; what is refunded of it goes back to the card. " +
        "After 5 wrong codes the card is not tried for 15 minutes: 429."
    ))
).pipe(
  forMerchants({ title: "Gift cards", description: "Money that is held for whoever knows the code of a card.", machine: giftCardMachine })
) {}
