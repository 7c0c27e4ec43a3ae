/** The portal's pages: plain routes on the listener of the payments API. */
import { nothing } from "@svc/kernel/parts/part"
import * as routes from "./routes.ts"
import { Portal } from "./service/portal.ts"

export const portal = { ...nothing, services: Portal.layer, routes: routes.layer }
