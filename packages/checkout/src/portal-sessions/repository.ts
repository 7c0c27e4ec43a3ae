/** Portal sessions in Postgres. Every method takes the account first, except the one that finds a session by its address. */
import { Context, Layer } from "effect"
import { type AddressReader, addressReaderOf } from "../addresses/reader.ts"
import { type PortalSession, type PortalSessionFilter, portalSessionFilters, portalSessions } from "./model.ts"

export class PortalSessionRepository extends Context.Service<PortalSessionRepository, AddressReader<PortalSession, PortalSessionFilter>>()(
  "@svc/checkout/PortalSessionRepository"
) {
  static readonly layer = Layer.effect(
    PortalSessionRepository,
    addressReaderOf(portalSessions, { name: "customer portal session", prefix: "cps", filters: portalSessionFilters })
  )
}
