/** What gift cards bring to the service. */
import { contribute } from "@svc/kernel/contributions"
import { nothing } from "@svc/kernel/part"
import { FollowUps } from "@svc/kernel/road/follow-ups"
import { Layer } from "effect"
import { IntentRoad } from "../payment-intents/road.ts"
import * as http from "./http.ts"
import { giftCardFollowUps } from "./jobs.ts"
import { migrations } from "./migrations.ts"
import { GiftCardRepository } from "./repository.ts"
import { GiftCards } from "./service.ts"

export const giftCards = {
  ...nothing,
  services: contribute(FollowUps, giftCardFollowUps).pipe(Layer.provideMerge(GiftCards.layer), Layer.provide([GiftCardRepository.layer, IntentRoad.layer])),
  routes: http.layer,
  migrations
}
