/**
 * ap2-interop-samples.json: open mandates of the Agent Payments Protocol 0.2 (github.com/google-agentic-commerce/AP2,
 * `code/sdk/schemas`) for things that the project itself sells.
 */
import { createHash } from "node:crypto"
import { cited, jsonLines, type Value } from "../claims/json.ts"
import type { Artifact } from "../claims/model.ts"
import type { Fact } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { nothingInJson } from "../mcp/none.ts"
import { commerceOf } from "./commerce.ts"
import { minorUnits } from "./prices.ts"

/** The example key of RFC 7517, appendix A.1. Whoever signs puts the agent's own key in its place. */
const cnf = {
  jwk: {
    kty: "EC",
    crv: "P-256",
    x: "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4",
    y: "4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM"
  }
} as const

const MOST = 5

const openCheckout = (merchant: string, { subject, value }: Fact<"catalog-item">) => ({
  vct: "mandate.checkout.open.1",
  constraints: [
    { type: "checkout.allowed_merchants", allowed: [{ id: merchant, name: merchant }] },
    {
      type: "checkout.line_items",
      items: [{ id: "line-1", acceptable_items: [{ id: subject, title: value.title ?? subject }], quantity: 1 }]
    }
  ],
  cnf
})

const openPayment = (merchant: string, digest: string, price: { readonly currency: string; readonly amount: number }) => ({
  vct: "mandate.payment.open.1",
  constraints: [
    { type: "payment.allowed_payees", allowed: [{ id: merchant, name: merchant }] },
    { type: "payment.amount_range", currency: price.currency, max: price.amount },
    { type: "payment.reference", conditional_transaction_id: digest }
  ],
  cnf
})

const samplesOf = (merchant: string) => (item: Fact<"catalog-item">): ReadonlyArray<Value> => {
  const checkout = openCheckout(merchant, item)
  const price = minorUnits(item)
  const digest = createHash("sha256").update(JSON.stringify(checkout)).digest("base64url")
  return [checkout, ...price === undefined ? [] : [openPayment(merchant, digest, price)]].map((mandate) => cited(mandate, item))
}

export const ap2Samples = (project: Project): Artifact => {
  const { items } = commerceOf(project)
  if (items.length === 0) return nothingInJson(project, "No item with an identifier and a price, so no sample.", { samples: [] })
  const merchant = project.description.project_name
  return jsonLines({
    protocol: "AP2 v0.2",
    merchant,
    key: "RFC 7517, appendix A.1: an example",
    samples: items.slice(0, MOST).flatMap(samplesOf(merchant))
  })
}
