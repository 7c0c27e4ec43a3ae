/** What this package brings: the pages that a merchant's customers see. */
import { and, nothing } from "@svc/kernel/parts/part"
import { PageLimit } from "@svc/platform/pages/limits"
import { Layer, pipe } from "effect"
import { checkoutSessions } from "./checkout-sessions/resource.ts"
import * as hostedCheckout from "./hosted-checkout/routes.ts"
import * as hostedInvoice from "./hosted-invoice/routes.ts"
import { CardFieldsUrl } from "./pages/card-fields-url.ts"
import { portalSessions } from "./portal-sessions/resource.ts"
import { portal } from "./portal/resource.ts"
import * as simulator from "./simulator/routes.ts"

/** Pages without a resource: plain routes beside those of the contract, on the listener of the payments API. */
const pages = { ...nothing, routes: Layer.mergeAll(hostedCheckout.layer, hostedInvoice.layer, simulator.layer) }

export const checkout = pipe(checkoutSessions, and(portalSessions), and(portal), and(pages))

/** The settings of the installation that this package uses. */
export const installed = ({ card_fields_url }: { readonly card_fields_url: string | undefined }) =>
  Layer.merge(PageLimit.layer, Layer.succeed(CardFieldsUrl, card_fields_url))
