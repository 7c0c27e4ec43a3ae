/** The routes of gift cards. */
import { Does, forMerchants, RequiredScope } from "@svc/accounts/access/api"
import { Currency } from "@svc/kernel/currency"
import { IdempotencyInProgress, IdempotencyKeyReused, InvalidState, NotFound, VersionConflict } from "@svc/kernel/errors"
import { ReadsIfMatch } from "@svc/kernel/http/if-match"
import { AnswersSecret } from "@svc/kernel/http/kept-answers"
import { ReadsIdempotencyKey } from "@svc/kernel/http/keyed"
import { PaginatedList, pageQueryOf } from "@svc/kernel/pages"
import { Machine } from "@svc/kernel/state-machine"
import { InsufficientBalance } from "@svc/ledger/balances/model"
import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { PaymentInFlight } from "../payment-intents/errors.ts"
import { giftCardMachine } from "./machine.ts"
import { GiftCardJson, GiftCardStatus, IssuedGiftCard, IssueGiftCardRequest, LoadGiftCardRequest, RedeemGiftCardRequest } from "./model.ts"

const id = { params: { id: Schema.String } }

const described = (summary: string, description: string) => OpenApi.annotations({ summary, description })

const keyed = [IdempotencyKeyReused, IdempotencyInProgress, VersionConflict] as const
const changes = [...keyed, NotFound, InvalidState, InsufficientBalance] as const

export class GiftCardsGroup extends HttpApiGroup.make("gift_cards").add(
  HttpApiEndpoint.post("issue", "/gift_cards", { payload: IssueGiftCardRequest, success: IssuedGiftCard.pipe(HttpApiSchema.status(201)) })
    .annotate(RequiredScope, "gift_cards:write").annotate(Does, "record").annotate(AnswersSecret, true)
    .annotateMerge(described("Issue a gift card", "Answers with its code, once: only a hash of it is kept. Without an `Idempotency-Key`, repeating the request issues another card; nothing is on one until it is loaded.")),
  HttpApiEndpoint.get("list", "/gift_cards", {
    query: { ...pageQueryOf("gc"), status: Schema.optionalKey(GiftCardStatus), currency: Schema.optionalKey(Currency) },
    success: PaginatedList(GiftCardJson, "GiftCardList")
  }).annotate(RequiredScope, "gift_cards:read")
    .annotateMerge(described("List gift cards", "Newest first, of one status or currency, or of all.")),
  HttpApiEndpoint.get("get", "/gift_cards/:id", { ...id, success: GiftCardJson, error: NotFound })
    .annotate(RequiredScope, "gift_cards:read")
    .annotateMerge(described("Retrieve a gift card", "What it still has.")),
  HttpApiEndpoint.post("load", "/gift_cards/:id/load", { ...id, payload: LoadGiftCardRequest, success: GiftCardJson, error: changes })
    .annotate(RequiredScope, "gift_cards:write").annotate(Does, "charge").annotate(ReadsIdempotencyKey, true).annotate(ReadsIfMatch, true)
    .annotateMerge(described("Load a gift card", "Holds money that is available to you for the card: what its customer paid you for it, or a gift of yours. More than is available is refused.")),
  HttpApiEndpoint.post("redeem", "/gift_cards/:id/redeem", { ...id, payload: RedeemGiftCardRequest, success: GiftCardJson, error: [...changes, PaymentInFlight] })
    .annotate(RequiredScope, "gift_cards:write").annotate(Does, "charge").annotate(ReadsIdempotencyKey, true).annotate(ReadsIfMatch, true)
    .annotateMerge(described(
      "Redeem a gift card",
      "Takes money from the card with the customer's code. With `payment_intent_id` it pays that payment, which is captured at once, without a fee; what is refunded of it goes back to the card. " +
        "After 5 wrong codes the card is not tried for 15 minutes: 429."
    ))
).pipe(forMerchants({ title: "Gift cards", description: "Money that is held for whoever knows the code of a card." }))
  .annotate(Machine, giftCardMachine) {}
