/** What of gift cards happens without a request of their own. */
import { Effect } from "effect"
import { refundMade } from "../payment-intents/model.ts"
import { giftCardChanged } from "./model.ts"
import { GiftCards, onChange } from "./service.ts"

/** A payment writes the card that pays it in its own commit, and a refund of such a payment the card that gets it back. */
export const giftCardFollowUps = Effect.map(GiftCards, ({ onRefund }) => [giftCardChanged.follow(onChange), refundMade.follow(onRefund)])
