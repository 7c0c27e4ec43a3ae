/** What this package promises. The SDK imports this and no implementation. */
import * as HttpApi from "effect/http-api/HttpApi"
import { EventsGroup } from "./events/api.ts"
import { WebhookEndpointGroup } from "./endpoints/api.ts"
import { DeliveriesGroup } from "./deliveries/api.ts"

export const contract = HttpApi.make("svc")
  .add(EventsGroup)
  .add(WebhookEndpointGroup)
  .add(DeliveriesGroup)
