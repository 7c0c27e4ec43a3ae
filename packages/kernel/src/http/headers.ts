/** Headers as the documentation tells them: declared beside what sends or reads them, and found there by reflection. */
import { Context, type Schema } from "effect"

export interface Header {
  /** As people write it, such as `Retry-After`. */
  readonly name: string
  /** What it says; the description of the schema tells what for. */
  readonly value: Schema.Top
  /** Whether a request without it is refused. */
  readonly required?: true
  /** Tells headers of one name apart that say different things, in the name of their component. */
  readonly variant?: string
}

/** Annotates an API, or a way to authenticate, with headers of every answer. */
export class SendsHeaders extends Context.Service<SendsHeaders, ReadonlyArray<Header>>()("@svc/kernel/SendsHeaders") {}

/** Annotates an API with headers that every request may have. */
export class ReadsHeaders extends Context.Service<ReadsHeaders, ReadonlyArray<Header>>()("@svc/kernel/ReadsHeaders") {}
