/** Where a project sells: routes that lead to a payment or speak of one, what is sold, and the facts of each step. */
import type { SignName } from "../facts/code/payment-signs.ts"
import type { AnyFact, Fact } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { callsBelow } from "../map/calls.ts"
import { memo } from "../map/memo.ts"
import { handlerOf, pathOf, routesOf, type SymbolFact } from "../map/uses.ts"
import { speaksOfMoney } from "../mcp/money.ts"
import { paymentImports } from "../readiness/checks.ts"
import { inSources } from "../readiness/places.ts"

export type PaymentSign = Fact<"payment-sign">

/** A route, the function that answers it, and the signs of payment in what is called below, in the order of the calls. */
export interface Sale {
  readonly route: Fact<"route">
  readonly handler: SymbolFact | undefined
  readonly signs: ReadonlyArray<PaymentSign>
}

export interface Commerce {
  readonly providers: ReadonlyArray<AnyFact>
  readonly sales: ReadonlyArray<Sale>
  readonly signs: (...names: ReadonlyArray<SignName>) => ReadonlyArray<PaymentSign>
  readonly items: ReadonlyArray<Fact<"catalog-item">>
  readonly products: ReadonlyArray<Fact<"schema">>
}

const PRODUCT = /(?:^|[a-z_])(?:product|item|sku|ticket|article|listing|offer|variant|plan|course|room|menu)s?$/iu
const PRICE = /^(?:unit_?)?price/iu
const AMOUNT = /^(?:unit_?)?(?:amount|cost)/iu
const NAMING = /^(?:id|sku|name|title|seat|slug|label|description)$/iu

/** A schema of what is sold: named for it, or with a name and a price. Requests and answers that carry one are none. */
const isProduct = ({ subject, value: { fields } }: Fact<"schema">): boolean => {
  const has = (pattern: RegExp) => fields.some(({ name }) => pattern.test(name))
  if (!has(NAMING)) return false
  if (PRODUCT.test(subject)) return has(PRICE) || has(AMOUNT)
  return has(PRICE) && !/request|response|payload|payment|order|invoice|refund/iu.test(subject)
}

const HOOK = /hook/iu

const signsWithin = (project: Project, { evidence: [{ end_line, path, start_line }] }: Fact): ReadonlyArray<PaymentSign> =>
  project.factsOf(path, "payment-sign").filter(({ evidence: [at] }) => at.start_line >= start_line && at.end_line <= end_line)

const saleOf = (project: Project) => (route: Fact<"route">): Sale => {
  const handler = handlerOf(project, route)
  const steps = callsBelow(project, handler ?? route)
  return { route, handler, signs: [...new Set(steps.flatMap(({ symbol }) => signsWithin(project, symbol)))] }
}

/** A test or a document tells of items, too; a catalogue in JSON is no code. */
const itemsOf = (project: Project): ReadonlyArray<Fact<"catalog-item">> => {
  const inCode = new Set(inSources(project, project.facts("catalog-item")))
  return project.facts("catalog-item").filter((item) =>
    inCode.has(item) || pathOf(item).endsWith(".json") && !/(?:^|\/)(?:tests?|__tests__|fixtures?|docs?|examples?)\//u.test(pathOf(item))
  )
}

export const commerceOf: (project: Project) => Commerce = memo((project) => {
  const signs = inSources(project, project.facts("payment-sign"))
  const sales = inSources(project, routesOf(project)).map(saleOf(project)).filter(({ handler, route, signs }) =>
    signs.length > 0 || speaksOfMoney(`${route.value.path} ${handler?.subject ?? ""}`) || HOOK.test(route.value.path)
  )
  return {
    providers: paymentImports(project),
    sales,
    signs: (...names) => signs.filter(({ subject }) => names.some((name) => name === subject)),
    items: itemsOf(project),
    products: inSources(project, project.facts("schema")).filter(isProduct)
  }
})

export const NO_SALES = "No payment provider's import, no call that pays, no route that sells, nothing with a price."

export const sells = ({ items, products, providers, sales, signs }: Commerce): boolean =>
  items.length + products.length + providers.length + sales.length +
      signs("payment call", "payment address", "spending limit", "mandate", "refund call").length > 0

/** Facts by their text, so that a name that is used in many places is told of once. */
export const byText = (facts: ReadonlyArray<PaymentSign>): ReadonlyArray<readonly [PaymentSign, ...ReadonlyArray<PaymentSign>]> =>
  Array.from(Map.groupBy(facts, ({ value }) => value.text).values()).flatMap(([first, ...rest]) =>
    first === undefined ? [] : [[first, ...rest] as const]
  )
