/** The portal's pages as a part: plain routes beside those of the contract, on the listener of the payments API. */
import { nothing } from "@svc/kernel/part"
import * as routes from "./routes.ts"
import { Portal } from "./service.ts"

export const portal = { ...nothing, services: Portal.layer, routes: routes.layer }
