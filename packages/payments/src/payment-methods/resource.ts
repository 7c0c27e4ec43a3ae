/** What payment methods bring to the service. */
import { nothing } from "@svc/kernel/part"
import { Layer } from "effect"
import * as http from "./http.ts"
import { migrations } from "./migrations.ts"
import { PaymentMethodRepository } from "./repository.ts"
import { PaymentMethods } from "./service.ts"

export const paymentMethods = {
  ...nothing,
  services: PaymentMethods.layer.pipe(Layer.provideMerge(PaymentMethodRepository.layer)),
  routes: http.layer,
  migrations
}
