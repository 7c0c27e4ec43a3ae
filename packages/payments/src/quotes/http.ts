/** The handlers of the quote routes. */
import { creatingAnyhow, listing, retrieving } from "@svc/accounts/access/service"
import { handlersOf } from "@svc/kernel/http/api-builder"
import { mapPage } from "@svc/kernel/resource/listing"
import { Effect, flow } from "effect"
import { QuotesGroup } from "./api.ts"
import { shownOf } from "./model.ts"
import { Quotes } from "./service.ts"

export const layer = handlersOf(QuotesGroup, Quotes, (handlers, quotes) =>
  handlers.handleAll({
    create: creatingAnyhow("quote.create", quotes.create),
    get: flow(retrieving(quotes.get), Effect.map(shownOf)),
    list: flow(listing(quotes.list), Effect.map((page) => mapPage(page, shownOf)))
  }))
