/** The routes of this package. The client imports this file, and no implementation. */
import * as HttpApi from "effect/http-api/HttpApi"
import { CheckoutSessionsGroup } from "./checkout-sessions/api.ts"
import { PortalSessionsGroup } from "./portal-sessions/api.ts"

export const contract = HttpApi.make("svc")
  .add(CheckoutSessionsGroup)
  .add(PortalSessionsGroup)
