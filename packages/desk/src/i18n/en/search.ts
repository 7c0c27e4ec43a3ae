/** Words of the search. */
import type { SearchTexts } from "../shapes/search.ts"

export const search: SearchTexts = {
  title: "Search",
  label: "Search everything",
  placeholder: "Search",
  button: "Search",
  found: (text) => `Search for “${text}”`,
  empty: "Look for an id, an e-mail address, a customer, a name or the beginning of its words, an order, " +
    "the number of an invoice, the last four digits of a card, " +
    "a reference of a provider, an amount such as $12.50, a day or a month.",
  none: "Nothing was found.",
  refused: "This cannot be searched",
  unfinished: "Some of the search took too long. There may be more than is shown.",
  understoodAs: (readings) => `Searched as: ${readings}.`,
  columns: { name: "Name", amount: "Amount", state: "Status", created: "Created", matched: "Found by" },
  matches: {
    id: "id",
    invoice_number: "invoice number",
    email: "e-mail address",
    customer_reference: "customer reference",
    provider_reference: "provider reference",
    order_reference: "order",
    name: "name",
    last_four: "last four digits",
    date: "date",
    amount: "amount",
    id_beginning: "beginning of an id"
  }
}
