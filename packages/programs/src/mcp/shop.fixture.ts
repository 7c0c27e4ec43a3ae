/** A shop with three routes, as facts. */
import { type AnyFact, fact, type FileFacts, type Span } from "../facts/model.ts"

const at = (path: string, start_line: number, end_line = start_line): Span => ({ path, start_line, end_line })
const file = (path: string, role: "source" | "test" | "configuration", lines: number): AnyFact =>
  fact("file", path, { language: path.endsWith(".ts") ? "TypeScript" : "JSON", role, lines, bytes: lines * 30 }, at(path, 1, lines))

const symbol = (path: string, subject: string, lines: readonly [number, number], doc: string | null): AnyFact =>
  fact(
    "symbol",
    subject,
    { kind: "function", exported: true, container: null, signature: `export function ${subject}(id: string)`, doc },
    at(path, ...lines)
  )

const route = (method: string, path: string, handler: string, line: number): AnyFact =>
  fact("route", `${method} ${path}`, { method, path, handler, framework: "express" }, at("src/orders.ts", line))

export const shop: ReadonlyArray<FileFacts> = [
  {
    path: "package.json",
    facts: [
      file("package.json", "configuration", 20),
      fact("manifest", "shop", {
        ecosystem: "npm",
        version: "1.2.0",
        description: "Sells bicycles.",
        license: "MIT",
        private: false,
        entries: [{ name: "main", target: "src/orders.ts" }, { name: "bin.shop", target: "src/cli.ts" }],
        workspaces: [],
        requires: ["node >=20"]
      }, at("package.json", 2)),
      fact("script", "build", { runner: "npm", command: "tsc -b" }, at("package.json", 6)),
      fact("dependency", "stripe", { ecosystem: "npm", range: "^19.0.0", scope: "runtime" }, at("package.json", 10)),
      fact("dependency", "@modelcontextprotocol/sdk", { ecosystem: "npm", range: "^1.32.0", scope: "runtime" }, at("package.json", 11))
    ]
  },
  {
    path: "tsconfig.json",
    facts: [fact("setting", "typescript", { name: "compilerOptions.strict", value: "true" }, at("tsconfig.json", 3))]
  },
  {
    path: "src/orders.ts",
    facts: [
      file("src/orders.ts", "source", 40),
      symbol("src/orders.ts", "listOrders", [5, 8], "Lists the orders of the signed-in customer."),
      symbol("src/orders.ts", "refundOrder", [10, 20], null),
      route("GET", "/orders", "listOrders", 30),
      route("POST", "/orders/:id/refund", "refundOrder", 31),
      route("DELETE", "/orders/{id}", "removeOrder", 32),
      fact("error", "OrderNotFound", { style: "throw", message: "no order of that id", within: "refundOrder" }, at("src/orders.ts", 12)),
      fact("environment", "STRIPE_API_KEY", { fallback: null, required: true }, at("src/orders.ts", 3)),
      fact("schema", "Order", {
        style: "zod",
        fields: [
          { name: "amount", type: "number", required: true },
          { name: "note", type: "string", required: false },
          { name: "kebab-name", type: "Map<string, X>", required: true }
        ]
      }, at("src/orders.ts", 22, 27)),
      fact("import", "stripe", { names: ["Stripe"], style: "static" }, at("src/orders.ts", 1))
    ]
  },
  {
    path: "src/orders.test.ts",
    facts: [
      file("src/orders.test.ts", "test", 10),
      fact("import", "./orders.ts", { names: ["listOrders"], style: "static" }, at("src/orders.test.ts", 1)),
      fact("test", "lists orders", { suite: null, framework: "node:test" }, at("src/orders.test.ts", 3)),
      fact(
        "route",
        "GET /only-of-a-test",
        { method: "GET", path: "/only-of-a-test", handler: null, framework: "express" },
        at("src/orders.test.ts", 5)
      )
    ]
  }
]
