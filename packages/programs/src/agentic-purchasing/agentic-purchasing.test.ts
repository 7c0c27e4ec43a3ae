import { assert, describe, it } from "@effect/vitest"
import { parseJson } from "@svc/kernel/values/json"
import { Ajv2020 } from "ajv/dist/2020.js"
import { bicycles, boaster, concerts } from "../readiness/stores.fixture.ts"
import { citesWhatItSays, differs, givesTheSameBytes, saysWhatWasSearched } from "../testing/bars.ts"
import type { Texts } from "../testing/measures.ts"
import { factsIn, projectIn } from "../testing/repository.ts"
import schemas from "./ap2-schemas.fixture.json" with { type: "json" }
import { agenticPurchasing } from "./program.ts"

const made = async (texts: Texts) => {
  const project = await projectIn(texts, "bicycles")
  return new Map(agenticPurchasing.artifacts.map(({ make, path }) => [path, make(project)]))
}
const textOf = async (texts: Texts, path: string) => (await made(texts)).get(path)?.text ?? ""

const ap2 = () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  for (const [name, schema] of Object.entries(schemas)) if (name.endsWith(".json")) ajv.addSchema(schema as object)
  return {
    "mandate.checkout.open.1": ajv.getSchema("https://ap2-protocol.org/schemas/open_checkout_mandate"),
    "mandate.payment.open.1": ajv.getSchema("https://ap2-protocol.org/schemas/payment_mandate_open.json")
  }
}

interface Samples {
  readonly samples: ReadonlyArray<{ readonly vct: "mandate.checkout.open.1" | "mandate.payment.open.1" }>
}

describe("purchases by agents", () => {
  it("keep what every program keeps", async () => {
    saysWhatWasSearched(agenticPurchasing)
    givesTheSameBytes(agenticPurchasing, await factsIn(bicycles))
    for (const shop of [bicycles, concerts]) await citesWhatItSays(agenticPurchasing, shop)
    await differs(agenticPurchasing, bicycles, concerts)
  })

  it("are nothing for who only speaks of them", async () => {
    for (const [path, { evidence }] of await made(boaster)) assert.deepStrictEqual([path, evidence], [path, "none"])
  })

  it("lead from the route to the payment and the event", async () => {
    const flow = await textOf(bicycles, "checkout-flow.md")
    const at = [
      "## `POST /bicycles/:sku/buy`",
      "`buy`: `MAX_ORDER_CENTS`",
      "`stripe.paymentIntents.create` (`src/pay.ts:13`)",
      "## Events",
      "\n- `charge.dispute.created`"
    ]
      .map((text) => flow.indexOf(text))
    assert.deepStrictEqual(at, at.toSorted((one, other) => one - other))
    assert.isAbove(at[0] ?? -1, 0)
  })

  it("tell limits and discounts with their values, and ask for the rest", async () => {
    const rules = await textOf(bicycles, "negotiation-rules.md")
    assert.match(rules, /## Limits that amounts are compared with\n\n- `const MAX_ORDER_CENTS = 250000` in `buy` \(`src\/pay.ts:6`/)
    assert.include(rules, "`const BULK_DISCOUNT_PERCENT = 7`")
    assert.notInclude(rules, "Which discount")
    assert.include(await textOf(concerts, "negotiation-rules.md"), "Question: Which discount")
  })

  it("describe the product by its own fields in valid JSON Schema", async () => {
    const schema = parseJson(await textOf(bicycles, "product-schema.json")) as object
    const validate = new Ajv2020({ strict: false }).compile(schema)
    assert.isTrue(validate({ sku: "bike-1", name: "City bike", price_cents: 49900, currency: "EUR" }), JSON.stringify(validate.errors))
    assert.isFalse(validate({ sku: "bike-1", name: "City bike", price_cents: "much", currency: "EUR" }))
    assert.nestedPropertyVal(schema, "$defs.Product.properties.price_cents.x-schema-org", "price")
  })

  it("hold samples that AP2's own schemas accept, of items that are sold", async () => {
    const validators = ap2()
    const { samples } = parseJson(await textOf(bicycles, "ap2-interop-samples.json")) as Samples
    assert.deepStrictEqual(samples.map(({ vct }) => vct), [
      "mandate.checkout.open.1",
      "mandate.payment.open.1",
      "mandate.checkout.open.1",
      "mandate.payment.open.1"
    ])
    for (const sample of samples) {
      const validate = validators[sample.vct]
      assert.isTrue(validate?.(sample), JSON.stringify(validate?.errors))
      assert.isFalse(validate?.({ ...sample, constraints: [] }))
    }
    assert.include(JSON.stringify(samples), `"id":"bike-1","title":"City bike"`)
    // A price that is not said to be in minor units becomes none.
    const tickets = parseJson(await textOf(concerts, "ap2-interop-samples.json")) as Samples
    assert.deepStrictEqual(tickets.samples.map(({ vct }) => vct), ["mandate.checkout.open.1"])
  })

  it("quote names of strangers as data", async () => {
    const nasty = "x`|$(rm -rf ~) --> */ ]]>"
    const texts = {
      "src/catalog.json": JSON.stringify({ products: [{ sku: nasty, name: `${nasty}\n# heading`, price: 1 }] }),
      "src/server.ts": `import Stripe from "stripe"\napp.post("/pay/${nasty}", () => stripe.paymentIntents.create())\n`
    }
    for (const [path, { text }] of await made(texts)) {
      if (path.endsWith(".json")) assert.doesNotThrow(() => parseJson(text), path)
      else assert.isFalse(/^# heading/mu.test(text), path)
    }
  })
})
