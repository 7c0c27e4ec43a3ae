/** Conversions in Postgres. Every method takes the account first. */
import { type Reader, readerOf } from "@svc/kernel/resource/reader"
import { Context, Layer } from "effect"
import { type Conversion, type ConversionFilter, conversionFilters, conversions } from "./model.ts"

export class ConversionRepository
  extends Context.Service<ConversionRepository, Reader<Conversion, ConversionFilter>>()("@svc/payments/ConversionRepository")
{
  static readonly layer = Layer.effect(
    ConversionRepository,
    readerOf(conversions, { name: "conversion", prefix: "cnv", filters: conversionFilters })
  )
}
