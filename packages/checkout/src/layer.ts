/** What this package brings: the pages that a merchant's customers see. */
import { and } from "@svc/kernel/part"
import { Layer, pipe } from "effect"
import { CardFieldsUrl } from "./card-fields.ts"
import { checkoutSessions } from "./checkout-sessions/resource.ts"
import { PageLimit } from "./limits.ts"
import { pages } from "./pages.ts"
import { portal } from "./portal/resource.ts"
import { portalSessions } from "./portal-sessions/resource.ts"

export const checkout = pipe(checkoutSessions, and(portalSessions), and(portal), and(pages))

/** What this package is told of the installation. */
export const installed = ({ card_fields_url }: { readonly card_fields_url: string | undefined }) =>
  Layer.merge(PageLimit.layer, Layer.succeed(CardFieldsUrl, card_fields_url))
