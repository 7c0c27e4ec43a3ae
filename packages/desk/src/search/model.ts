/** A search: a text, as what it was understood, and what it found. Nothing of it is stored. */
import { EXAMPLE_TIME, exampleId } from "@svc/kernel/resource/examples"
import { Currency } from "@svc/kernel/values/currency"
import { SafeAmount } from "@svc/kernel/values/money"
import { oneLine } from "@svc/kernel/values/text"
import { Timestamp } from "@svc/kernel/values/time"
import { Schema } from "effect"
import { type SearchKind, searchKinds } from "./model/kinds.ts"

/** The longest text. An address of e-mail has 254 characters. */
export const LONGEST = 254
/** Hits of an answer. */
export const MOST_HITS = 20

/** As what a text can be understood, the most plausible first: so many characters are not the same by chance. */
export const matches = [
  "id",
  "invoice_number",
  "email",
  "customer_reference",
  "provider_reference",
  "order_reference",
  "name",
  "last_four",
  "date",
  "amount",
  "id_beginning"
] as const
export const SearchMatch = Schema.Literals(matches).annotate({ identifier: "SearchMatch" })
export type SearchMatch = typeof SearchMatch.Type

/** What names one thing, where it finds one alone. */
export const namesOne: ReadonlySet<SearchMatch> = new Set([
  "id",
  "invoice_number",
  "email",
  "customer_reference",
  "provider_reference",
  "order_reference"
])

/** Ids from and to, both of them among it. */
interface IdRange {
  readonly kind: SearchKind
  readonly from: string
  readonly to: string
}

/** An amount in minor units, and the currencies that it may be in. */
export interface AmountReading {
  readonly amount: number
  readonly currencies: ReadonlyArray<string>
}

/** Unix milliseconds; `to` is not among them. */
export interface TimeReading {
  readonly from: number
  readonly to: number
}

/** One way to understand a text. */
export type Reading =
  | { readonly by: "id"; readonly kind: SearchKind; readonly id: string }
  | { readonly by: "id_beginning"; readonly ids: IdRange }
  | { readonly by: "name"; readonly words: ReadonlyArray<string> }
  | { readonly by: "last_four"; readonly digits: string }
  | { readonly by: "date"; readonly times: ReadonlyArray<TimeReading> }
  | { readonly by: "amount"; readonly amounts: ReadonlyArray<AmountReading> }
  | { readonly by: "invoice_number"; readonly texts: ReadonlyArray<string> }
  | { readonly by: "email" | "customer_reference" | "provider_reference" | "order_reference"; readonly text: string }

export const SearchHit = Schema.Struct({
  matched: SearchMatch.annotate({ description: "As what the text was understood when this was found" }),
  kind: Schema.Literals(searchKinds).annotate({ identifier: "SearchKind" }),
  id: Schema.String,
  title: Schema.NullOr(Schema.String).annotate({ description: "What people call it besides its id, such as the number of an invoice" }),
  amount: Schema.NullOr(SafeAmount),
  currency: Schema.NullOr(Currency),
  state: Schema.NullOr(Schema.String),
  created_at: Timestamp,
  path: Schema.String.annotate({ description: "Its page in the desk" })
}).annotate({ identifier: "SearchHit" })
export type SearchHit = typeof SearchHit.Type

export const SearchQuery = {
  q: Schema.optionalKey(
    oneLine(LONGEST).annotate({
      description: "An id or its beginning, an e-mail address, a name or the beginning of its words, " +
        "your own reference of a customer or order, an invoice's number, " +
        "a provider's reference, the last four digits of a card or bank account, an amount such as `$12.50`, a day or a month. " +
        "Without it nothing is found"
    })
  )
}

export const SearchAnswer = Schema.Struct({
  data: Schema.Array(SearchHit),
  understood_as: Schema.Array(SearchMatch).annotate({ description: "What was looked for, the most plausible first" }),
  unfinished: Schema.Array(SearchMatch).annotate({ description: "What of it took too long: there may be more than is shown" })
}).annotate({ identifier: "SearchAnswer" }).pipe(Schema.annotateEncoded({
  examples: [{
    data: [{
      matched: "invoice_number",
      kind: "invoice",
      id: exampleId("inv"),
      title: "ACME-000042",
      amount: 1999,
      currency: "USD",
      state: "paid",
      created_at: EXAMPLE_TIME,
      path: `/desk/invoices/${exampleId("inv")}`
    }],
    understood_as: ["invoice_number", "customer_reference", "provider_reference", "order_reference"],
    unfinished: []
  }]
}))
export type SearchAnswer = typeof SearchAnswer.Type
