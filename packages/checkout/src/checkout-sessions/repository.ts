/** Checkout sessions in Postgres. Every method takes the account first, except the one that finds a session by its address. */
import { Context, Layer } from "effect"
import { type AddressReader, addressReaderOf } from "../addresses/reader.ts"
import { type CheckoutSession, type CheckoutSessionFilter, checkoutSessionFilters, checkoutSessions } from "./model.ts"

export class CheckoutSessionRepository
  extends Context.Service<CheckoutSessionRepository, AddressReader<CheckoutSession, CheckoutSessionFilter>>()(
    "@svc/checkout/CheckoutSessionRepository"
  )
{
  static readonly layer = Layer.effect(
    CheckoutSessionRepository,
    addressReaderOf(checkoutSessions, { name: "checkout session", prefix: "cs", filters: checkoutSessionFilters })
  )
}
