/** The handlers of the bank link routes. */
import { Caller } from "@svc/accounts/access/model"
import { acting, creating, listing, retrieving } from "@svc/accounts/access/service"
import { handlersOf } from "@svc/kernel/http/api-builder"
import { Effect } from "effect"
import { BankLinksGroup } from "./api.ts"
import { BankLinks } from "./service.ts"

export const layer = handlersOf(BankLinksGroup, BankLinks, (handlers, links) =>
  handlers.handleAll({
    create: creating("bank_link.create", links.create),
    list: listing(links.list),
    get: retrieving(links.get),
    simulate: ({ params, payload }) => Effect.flatMap(Caller, ({ account }) => links.simulate(account, params.id, payload)),
    exchange: creating("bank_link.exchange", links.exchange),
    verify_payout: acting("bank_link.verify_payout", links.verifyPayout),
    processor_token: ({ params, payload }) => Effect.flatMap(Caller, ({ account }) => links.processorToken(account, params.id, payload))
  }))
