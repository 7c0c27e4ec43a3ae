/** What gift cards do when a payment by gift card is made or refunded. */
import { Effect } from "effect"
import { refundMade } from "../payment-intents/model.ts"
import { giftCardChanged } from "./model.ts"
import { GiftCards, onChange } from "./service.ts"

/** The commit of a payment by gift card writes the card; the commit of its refund writes the card that gets the money back. */
export const giftCardFollowUps = Effect.map(GiftCards, ({ onRefund }) => [giftCardChanged.follow(onChange), refundMade.follow(onRefund)])
