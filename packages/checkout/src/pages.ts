/** The pages as a part: plain routes beside those of the contract, on the listener of the payments API. */
import { nothing } from "@svc/kernel/part"
import { Layer } from "effect"
import * as hostedInvoice from "./hosted-invoice/routes.ts"
import * as hostedPage from "./hosted-page/routes.ts"
import * as actionPage from "./simulator/action-page.ts"
import * as cardFields from "./simulator/card-fields.ts"

export const pages = { ...nothing, routes: Layer.mergeAll(hostedPage.layer, hostedInvoice.layer, actionPage.layer, cardFields.layer) }
