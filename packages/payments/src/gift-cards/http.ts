/** The handlers of the gift card routes. */
import { Caller } from "@svc/accounts/access/model"
import { acting, listing, retrieving } from "@svc/accounts/access/service"
import { handlersOf } from "@svc/kernel/http/api-builder"
import { Effect } from "effect"
import { GiftCardsGroup } from "./api.ts"
import { GiftCards } from "./service.ts"

export const layer = handlersOf(GiftCardsGroup, GiftCards, (handlers, cards) =>
  handlers.handleAll({
    issue: ({ payload }) => Effect.flatMap(Caller, ({ account }) => cards.issue(account.id, payload)),
    get: retrieving(cards.get),
    list: listing(cards.list),
    load: acting("gift_card.load", cards.load),
    redeem: acting("gift_card.redeem", cards.redeem)
  }))
