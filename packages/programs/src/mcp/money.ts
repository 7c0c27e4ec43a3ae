/** Where a repository moves money: packages of payment providers, routes and schemas whose words are those of payments. */
import { type Evidence, evidenceOf } from "../claims/model.ts"
import type { Fact } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { type Operation, operationsOf } from "./operations.ts"

const PROVIDERS: ReadonlySet<string> = new Set(
  "stripe paypalrestsdk adyen square braintree razorpay plaid mppx x402 x402-express x402-fetch x402-next stripe-go stripe-java".split(" ")
)
/** Providers that publish below a name of their own. */
const SCOPES: ReadonlySet<string> = new Set(["@stripe", "@paypal", "@adyen", "@mollie", "@lemonsqueezy", "@paddle", "@x402"])

const isProvider = (name: string): boolean => PROVIDERS.has(name.toLowerCase()) || SCOPES.has(name.split("/")[0] ?? "")

const WORDS: ReadonlySet<string> = new Set(
  "payment checkout invoice refund charge subscription payout ledger transfer dispute billing order cart price".split(" ")
)
const FIELDS = /^(?:amount|price|total|subtotal|balance|fee|tax|currency|cents|amount_?cents|unit_?amount|amount_?minor)$/iu

/** `orderTotals` and `order_total` speak of orders. */
export const speaksOfMoney = (text: string): boolean =>
  text.replaceAll(/([a-z])([A-Z])/gu, "$1 $2").toLowerCase().split(/[^a-z]+/u).some((word) => WORDS.has(word.replace(/s$/u, "")))

export interface MoneySurface {
  readonly providers: ReadonlyArray<Fact<"dependency">>
  readonly operations: ReadonlyArray<Operation>
  /** With the fields that hold money. */
  readonly schemas: ReadonlyArray<{ readonly schema: Fact<"schema">; readonly fields: Fact<"schema">["value"]["fields"] }>
  readonly evidence: Evidence | undefined
}

export const moneySurface = (project: Project): MoneySurface => {
  const providers = project.facts("dependency").filter(({ subject }) => isProvider(subject))
  const schemas = project.facts("schema").map((schema) => ({ schema, fields: schema.value.fields.filter(({ name }) => FIELDS.test(name)) }))
    .filter(({ fields }) => fields.length > 0)
  const operations = operationsOf(project).filter(({ name }) => speaksOfMoney(name))
  return {
    providers,
    operations,
    schemas,
    evidence: evidenceOf([...providers, ...operations.flatMap(({ evidence }) => evidence), ...schemas.map(({ schema }) => schema)])
  }
}

export const NO_MONEY = "No package of a payment provider, no route or command named for payments, no schema with an amount."
