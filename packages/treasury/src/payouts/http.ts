/** The handlers of the payout routes. */
import { acting, creating, listing, retrieving, summing } from "@svc/accounts/access/service"
import { handlersOf } from "@svc/kernel/http/api-builder"
import { PayoutsGroup } from "./api.ts"
import { Payouts } from "./service.ts"

export const layer = handlersOf(PayoutsGroup, Payouts, (handlers, payouts) =>
  handlers.handleAll({
    create: creating("payout.create", payouts.create),
    list: listing(payouts.list),
    sums: summing(payouts.sums),
    get: retrieving(payouts.get),
    cancel: acting("payout.cancel", payouts.cancel)
  }))
