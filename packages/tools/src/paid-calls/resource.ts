/** What calls that are paid when they are made bring to the service. */
import { nothing } from "@svc/kernel/part"
import { Effect, Layer } from "effect"
import * as Facilitators from "../payment/facilitator.ts"
import { House } from "./house.ts"
import { PaymentMethods } from "./methods.ts"
import { migrations } from "./migrations.ts"
import * as paywall from "./paywall.ts"
import { PaidCallRepository } from "./repository.ts"
import { Till } from "./till.ts"

const facilitator = Layer.unwrap(Effect.map(PaymentMethods, ({ facilitator: url }) => url === undefined ? Facilitators.simulated : Facilitators.remote(url)))

export const paidCalls = {
  ...nothing,
  services: paywall.layer.pipe(
    Layer.provide([House.layer, Till.layer, PaidCallRepository.layer, facilitator])
  ),
  migrations
}
