/** A shop with two routes, a circle of imports, and a fault of each kind that maps tell of. */
import type { Texts } from "./measures.ts"

const lines = (...texts: ReadonlyArray<string>): string => `${texts.join("\n")}\n`

export const orders: Texts = {
  "package.json": lines(
    "{",
    "  \"name\": \"orders\",",
    "  \"version\": \"1.2.0\",",
    "  \"description\": \"Takes orders of bicycles.\",",
    "  \"license\": \"MIT\",",
    "  \"main\": \"./src/server.ts\",",
    "  \"scripts\": {",
    "    \"test\": \"vitest run\"",
    "  },",
    "  \"dependencies\": {",
    "    \"express\": \"^5.1.0\",",
    "    \"left-pad\": \"^1.3.0\"",
    "  },",
    "  \"devDependencies\": {",
    "    \"vitest\": \"^5.0.0\"",
    "  }",
    "}"
  ),
  "src/server.ts": lines(
    "import express from \"express\"",
    "import { listOrders, refundOrder } from \"./orders/handlers.ts\"",
    "",
    "/** Serves the shop's routes. */",
    "export const app = express()",
    "",
    "app.get(\"/orders\", listOrders)",
    "app.post(\"/orders/:id/refund\", refundOrder)"
  ),
  "src/orders/handlers.ts": lines(
    "import { findOrders } from \"../store/orders.ts\"",
    "import { format } from \"../money/format.ts\"",
    "",
    "/** Lists the orders of a customer. */",
    "export function listOrders(request, response) {",
    "  response.json(findOrders(request.query.customer).map((order) => format(order.total)))",
    "}",
    "",
    "export function refundOrder(request, response) {",
    "  if (request.params.id === \"\") throw new RangeError(\"an order has an id\")",
    "  response.json(findOrders(request.params.id))",
    "}"
  ),
  "src/store/orders.ts": lines(
    "import pg from \"pg\"",
    "import { listOrders } from \"../orders/handlers.ts\"",
    "",
    "const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL })",
    "",
    "// TODO page through long lists",
    "export function findOrders(customer) {",
    "  return pool.query(\"SELECT * FROM orders WHERE customer = $1\", [customer])",
    "}",
    "",
    "export const again = listOrders"
  ),
  "src/money/format.ts": lines(
    "/** Formats cents as euros. */",
    "export function format(cents: number): string {",
    "  return `${cents / 100} EUR`",
    "}"
  ),
  "src/money/format.test.ts": lines(
    "import { expect, it } from \"vitest\"",
    "import { format } from \"./format.ts\"",
    "",
    "it(\"formats cents\", () => {",
    "  expect(format(250)).toBe(\"2.5 EUR\")",
    "})"
  ),
  "src/legacy.ts": lines("export function oldTotal(orders: ReadonlyArray<number>): number {", "  return orders.length", "}")
}
