/** What tools there are, for those who tell others of them. */
import { Context, type Effect, type JsonSchema, Schema } from "effect"
import { modes } from "../call.ts"
import { may } from "../fields.ts"

export const categories = [
  "analysis",
  "snapshots",
  "purchasing",
  "compliance",
  "discovery",
  "account",
  "payments",
  "service",
  "planned"
] as const
export const Category = Schema.Literals(categories)
export type Category = typeof Category.Type

/** US cents by mode: the most that a call costs, but for a tool whose price goes by its arguments, such as by page. */
export const PriceCents = Schema.Struct({ standard: Schema.Natural, lite: Schema.Natural, engineer: Schema.Natural })

export const Entry = Schema.Struct({
  name: Schema.String,
  title: Schema.String,
  description: Schema.String,
  category: Category,
  auth: Schema.Literals(["none", "key", "scoped", "agent"]),
  price_cents: PriceCents,
  /** `not_configured`: this installation lacks what it needs. `planned`: none has it yet. */
  status: Schema.Literals(["available", "not_configured", "planned"]),
  also: Schema.Array(Schema.String),
  /** What would make a tool available that is not, or better that is: for the operator of this server. */
  mend: may(Schema.String)
}).annotate({ identifier: "ToolEntry" })
export type Entry = typeof Entry.Type

/** With the schema of its arguments, for documents that show it. */
export interface Described extends Entry {
  /** Work that the free plan leaves out, where it costs something. */
  readonly serviceWork: boolean
  readonly inputSchema: JsonSchema.JsonSchema
}

/** In plain words, such as `$0.05` or `free`, with what other modes cost where that differs. */
export const priceText = ({ price_cents }: Pick<Entry, "price_cents">): string => {
  const dollars = (cents: number): string => cents === 0 ? "free" : `$${(cents / 100).toFixed(2)}`
  const others = modes.filter((mode) => mode !== "standard" && price_cents[mode] !== price_cents.standard)
  return [dollars(price_cents.standard), ...others.map((mode) => `${mode} ${dollars(price_cents[mode])}`)].join(", ")
}

export class Directory extends Context.Service<Directory, {
  /** The tools that every caller sees, in the order in which they are listed. */
  readonly tools: Effect.Effect<ReadonlyArray<Described>>
}>()("@svc/tool-kit/Directory") {}
