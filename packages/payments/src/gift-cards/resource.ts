/** The services, routes and tables of gift cards. */
import { contribute } from "@svc/kernel/parts/contributions"
import { nothing } from "@svc/kernel/parts/part"
import { FollowUps } from "@svc/kernel/road/follow-ups"
import { stateCheck } from "@svc/ledger/state-checks"
import { Layer } from "effect"
import { IntentRoad } from "../payment-intents/road.ts"
import * as http from "./http.ts"
import { giftCardFollowUps } from "./jobs.ts"
import { migrations } from "./migrations.ts"
import { GiftCards } from "./service.ts"

/** The balance of a card is the money that was loaded and not redeemed. The entries of payments by gift card name the payment. */
const books = stateCheck(`SELECT g.id, l.last FROM gift_cards g
  LEFT JOIN (
    SELECT CASE e.resource_type WHEN 'payment_intent' THEN p.payment_method_id ELSE e.resource_id END AS card, max(e.sequence_id) AS last,
      sum(CASE e.event_type WHEN 'gift_card_loaded' THEN e.amount ELSE -e.amount END) AS held
    FROM financial_events e LEFT JOIN payment_intents p ON p.merchant_id = e.merchant_id AND p.id = e.resource_id
    WHERE e.merchant_id = $1 AND e.event_type IN ('gift_card_loaded', 'gift_card_redeemed') GROUP BY 1
  ) l ON l.card = g.id
  WHERE g.merchant_id = $1 AND g.balance <> COALESCE(l.held, 0) ORDER BY l.last NULLS FIRST, g.id LIMIT 1`)

export const giftCards = {
  ...nothing,
  services: Layer.merge(books, contribute(FollowUps, giftCardFollowUps)).pipe(
    Layer.provideMerge(GiftCards.layer),
    Layer.provide(IntentRoad.layer)
  ),
  routes: http.layer,
  migrations
}
