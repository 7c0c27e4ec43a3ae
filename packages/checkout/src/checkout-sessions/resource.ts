/** What checkout sessions bring to the service. */
import { contribute } from "@svc/kernel/parts/contributions"
import { nothing } from "@svc/kernel/parts/part"
import { FollowUps } from "@svc/kernel/road/follow-ups"
import { logged } from "@svc/webhooks/log/logged"
import { Effect, Layer } from "effect"
import { sealAddresses } from "../addresses/seal-addresses.ts"
import * as http from "./http.ts"
import { checkoutSessionFollowUps, checkoutSessionJobs } from "./jobs.ts"
import { migrations } from "./migrations.ts"
import { CheckoutSessionJson, checkoutSessions as table } from "./model.ts"
import { CheckoutSessionRepository } from "./repository.ts"
import { CheckoutSessions } from "./service/sessions.ts"

// The row holds the address without its secret, and earlier events hold it whole: the log does not answer for it.
const { url: _url, ...fields } = CheckoutSessionJson.fields
const log = logged({ table, resource_type: "checkout.session", shown: { fields } })

export const checkoutSessions = {
  ...nothing,
  services: Layer.merge(contribute(FollowUps, checkoutSessionFollowUps), log).pipe(
    Layer.provideMerge(CheckoutSessions.layer),
    Layer.provideMerge(CheckoutSessionRepository.layer)
  ),
  routes: http.layer,
  timers: checkoutSessionJobs,
  workers: Layer.effectDiscard(Effect.forkScoped(sealAddresses("checkout_sessions"))),
  migrations
}
