import { assert, describe, it } from "@effect/vitest"
import { linesOf } from "./code/testing.ts"

const itemsOf = (path: string, text: string) => linesOf(path, text, "catalog-item", "title", "price", "currency")

describe("things that are sold", () => {
  it("are read of literals in code", async () => {
    const text = `// { sku: "old", price: 1 }
export const products = [
  { sku: "bike-1", name: "City bike", price_cents: 49_900, currency: "eur" },
  { sku: "bell-1", price: 15.5 },
  { sku: "free", name: "No price" }
]
`
    assert.deepStrictEqual(await itemsOf("src/products.ts", text), [
      `bike-1 City bike {"name":"price_cents","value":"49900"} EUR @3`,
      `bell-1 null {"name":"price","value":"15.5"} null @4`
    ])
    assert.deepStrictEqual(await itemsOf("a.py", "A = [{\"id\": \"a-1\",\n \"title\": \"Seat\", \"price\": 20}]\n"), [
      `a-1 Seat {"name":"price","value":"20"} null @1-2`
    ])
  })

  it("are read of catalogues in JSON, and of no other JSON", async () => {
    const text = `{ "products": [\n  { "id": "p1", "title": "Tea", "unit_amount": 500, "currency": "USD" }\n] }\n`
    const expected = [`p1 Tea {"name":"unit_amount","value":"500"} USD @2`]
    assert.deepStrictEqual(await itemsOf("data/products.json", text), expected)
    assert.deepStrictEqual(await itemsOf("tsconfig.json", text), [])
  })
})
