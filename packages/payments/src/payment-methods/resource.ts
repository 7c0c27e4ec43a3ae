/** What payment methods bring to the service. */
import { nothing } from "@svc/kernel/parts/part"
import { logged } from "@svc/webhooks/log/logged"
import { Layer } from "effect"
import * as http from "./http.ts"
import { migrations } from "./migrations.ts"
import { PaymentMethodJson, paymentMethods as table } from "./model.ts"
import { PaymentMethods } from "./service.ts"

const log = logged({ table, resource_type: "payment_method", shown: PaymentMethodJson })

export const paymentMethods = {
  ...nothing,
  services: Layer.merge(PaymentMethods.layer, log),
  routes: http.layer,
  migrations
}
