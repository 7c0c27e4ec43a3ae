/** The routes of this package. The client imports this file, and no implementation. */
import * as HttpApi from "effect/http-api/HttpApi"
import { DeliveriesGroup } from "./deliveries/api.ts"
import { WebhookEndpointGroup } from "./endpoints/api.ts"
import { EventsGroup } from "./events/api.ts"

export const contract = HttpApi.make("svc")
  .add(EventsGroup)
  .add(WebhookEndpointGroup)
  .add(DeliveriesGroup)
