import { assert, describe, it } from "@effect/vitest"
import { linesOf } from "./testing.ts"

describe("TypeScript and JavaScript", () => {
  it("give their symbols, with containers, signatures and comments", async () => {
    const text = `/**
 * Adds one. The rest is not said.
 */
export const addOne = (n: number): number => n + 1
const limit = 3
export class Store<T> extends Base {
  load = async () => { this.save() }
  static save(): void {}
}
export interface Order { id: string }
type Id = string
enum Color { Red }
export default function main() { function inner() {} }
const handlers = { open() {}, close: () => 1 }
export { limit }
`
    assert.deepStrictEqual(await linesOf("src/a.ts", text, "symbol", "kind", "exported", "container", "doc"), [
      "addOne function true null Adds one. @4",
      "limit constant true null null @5",
      "Store class true null null @6-9",
      "load method false Store null @7",
      "save method false Store null @8",
      "Order interface true null null @10",
      "Id type false null null @11",
      "Color enum false null null @12",
      "main function true null null @13",
      "inner function false main null @13",
      "handlers constant false null null @14",
      "open method false handlers null @14",
      "close method false handlers null @14"
    ])
    assert.deepStrictEqual((await linesOf("src/a.ts", text, "symbol", "signature")).slice(0, 3), [
      "addOne export const addOne = (n: number): number @4",
      "limit const limit = 3 @5",
      "Store export class Store<T> extends Base @6-9"
    ])
  })

  it("give what CommonJS exports", async () => {
    const text = "function a() {}\nfunction b() {}\nfunction c() {}\nexports.d = () => 1\nmodule.exports = { a }\nmodule.exports.b = b\n"
    assert.deepStrictEqual(await linesOf("a.cjs", text, "symbol", "exported"), ["a true @1", "b true @2", "c false @3", "d true @4"])
  })

  it("give imports of every style", async () => {
    const text = `import express, { type Router } from "express"
import * as z from 'zod'
import type { Order } from "./order.js"
import "./side-effect"
export * from "./other.js"
export { a, b as c } from "./third"
const { join, dirname: up } = require("node:path")
const lazy = await import("./lazy.ts")
import fs = require("fs")
import(name)
`
    assert.deepStrictEqual(await linesOf("a.ts", text, "import", "style", "names"), [
      "express static express,Router @1",
      "zod static * as z @2",
      "./order.js type Order @3",
      "./side-effect static [] @4",
      "./other.js reexport * @5",
      "./third reexport a,b @6",
      "node:path static join,dirname @7",
      "./lazy.ts dynamic lazy @8",
      "fs static [] @9"
    ])
  })

  it("give calls with their callers", async () => {
    const text = `class Shop { pay() { this.rails.charge<Card>(1); return new Receipt() } }
const run = () => helper?.()
items.map((one) => format(one))
curried(1)(2)
`
    assert.deepStrictEqual(await linesOf("a.ts", text, "call", "callee", "caller"), [
      "charge this.rails.charge pay @1",
      "Receipt Receipt pay @1",
      "helper helper run @2",
      "map items.map null @3",
      "format format null @3",
      "curried curried(1) null @4",
      "curried curried null @4"
    ])
  })

  it("give routes of Express with the prefixes of their routers", async () => {
    const text = `import express from "express"
const app = express()
const api = express.Router()
app.get("/orders/:id", authenticate, getOrder)
app.use("/api", api)
api.post("/orders", async (req, res) => {
  res.end()
})
axios.get("/elsewhere", options)
app.get("view engine")
`
    assert.deepStrictEqual(await linesOf("app.js", text, "route", "handler", "framework"), [
      "GET /orders/:id getOrder express @4",
      "POST /api/orders null express @6-8"
    ])
  })

  it.each([
    ["Fastify", `import fastify from "fastify"\nfastify().route({ method: "PUT", url: "/a", handler: put })\n`, ["PUT /a put fastify @2"]],
    ["Hono", `import { Hono } from "hono"\nexport default new Hono().get("/a", list).post("/b", add)\n`, [
      "POST /b add hono @2",
      "GET /a list hono @2"
    ]],
    ["Koa", `import Router from "@koa/router"\nconst router = new Router()\nrouter.del("/a", remove)\n`, ["DELETE /a remove koa @3"]],
    ["Effect", `import { HttpApiEndpoint } from "effect"\nHttpApiEndpoint.get("getOrder", "/orders/:id", {})\n`, [
      "GET /orders/:id getOrder effect @2"
    ]],
    [
      "NestJS",
      `import { Controller, Get } from "@nestjs/common"
@Controller("cats")
export class Cats {
  @Get(":id")
  one() {}
  @Post()
  add() {}
}
`,
      ["GET /cats/:id one nestjs @4", "POST /cats add nestjs @6"]
    ]
  ])("give routes of %s", async (_, text, expected) => {
    assert.deepStrictEqual(await linesOf("app.ts", text, "route", "handler", "framework"), expected)
  })

  it.each([
    ["src/app/(shop)/orders/[id]/route.ts", "export async function GET() {}\nfunction POST() {}\n", ["GET /orders/[id] GET @1"]],
    ["app/page.tsx", "export default function Home() { return <p /> }\n", ["GET / Home @1"]],
    ["pages/api/orders/index.js", "export default handler\n", ["ANY /api/orders handler @1"]]
  ])("give routes of Next.js by the path %s", async (path, text, expected) => {
    assert.deepStrictEqual(await linesOf(path, text, "route", "handler"), expected)
  })

  it("give components with their properties", async () => {
    const text = `import React from "react"
interface Props { title: string; size?: number }
export function Card({ title, size = 2 }: Props) {
  return <div onClick={() => go(title)}>{title}</div>
}
export const Row = ({ id }) => <tr>{id}</tr>
const notOne = () => 1
class Old extends React.Component { render() { return <p /> } }
`
    assert.deepStrictEqual(await linesOf("card.tsx", text, "component", "props"), [
      `Card [{"name":"title","type":"string","required":true},{"name":"size","type":"number","required":false}] @3-5`,
      `Row [{"name":"id","type":"unknown","required":true}] @6`,
      "Old [] @8"
    ])
  })

  it("give tests with their suites", async () => {
    const text = `import { describe, it } from "vitest"
describe("orders", () => {
  describe("new ones", () => {
    it("are counted", () => {})
    it.each([[1], [2]])("are %s", () => {})
  })
  it.skip('wait', () => {})
})
test("alone", () => {})
`
    assert.deepStrictEqual(await linesOf("a.test.ts", text, "test", "suite", "framework"), [
      "are counted new ones vitest @4",
      "are %s new ones vitest @5",
      "wait orders vitest @7",
      "alone null vitest @9"
    ])
  })

  it.each(["ava", "tap", "tape", "uvu"])("give tests of %s by its own name", async (framework) => {
    const text = `const test = require("${framework}")\ntest("adds", () => {})\n`
    assert.deepStrictEqual(await linesOf("a.test.js", text, "test", "framework"), [`adds ${framework} @2`])
  })

  it("give reads of the environment, and what stands in where it is empty", async () => {
    const text = `const port = process.env.PORT ?? 3000
const key = process.env["KEY"]!
const { A, B = "x" } = process.env
const url = yield* Config.string("URL")
// process.env.COMMENTED
const mode = import.meta.env.MODE || 'dev'
`
    assert.deepStrictEqual(await linesOf("a.ts", text, "environment", "fallback", "required"), [
      "PORT 3000 false @1",
      "KEY null true @2",
      "A null false @3",
      `B "x" false @3`,
      "URL null true @4",
      "MODE 'dev' false @6"
    ])
  })

  it("give errors that are thrown, returned and caught, and what is logged", async () => {
    const text = `function pay() {
  try { charge() } catch (error) { console.error("no charge", error) }
  throw new HttpError(400, \`bad \${id}\`)
}
const fail = () => Effect.fail(new NotFound({ message: "no order" }))
logger.warn({ id }, 'slow')
`
    assert.deepStrictEqual(await linesOf("a.ts", text, "error", "style", "message", "within"), [
      "error catch null pay @2",
      "HttpError throw bad ${id} pay @3",
      "NotFound return no order fail @5"
    ])
    assert.deepStrictEqual(await linesOf("a.ts", text, "log", "level", "message", "within"), [
      "console error no charge pay @2",
      "logger warn slow null @6"
    ])
  })

  it("give SQL, and no English that begins like it", async () => {
    const text = `db.query("select * from orders where id = $1")
const q = sql\`
  INSERT INTO logs (a) SELECT b FROM audit.rows
\`
const label = "Select a plan from the list"
const other = "select a plan from the list"
`
    assert.deepStrictEqual(await linesOf("a.ts", text, "sql", "tables", "writes"), [
      "SELECT orders [] @1",
      "INSERT logs,audit.rows logs @2-4"
    ])
  })

  it.each<readonly [statement: string, expected: string]>([
    ["WITH due AS MATERIALIZED (SELECT * FROM jobs FOR UPDATE OF jobs SKIP LOCKED) UPDATE runs r SET a = 1 FROM due", "jobs,runs runs"],
    ["WITH RECURSIVE tree(id, up) AS (SELECT id, up FROM parts) SELECT * FROM tree JOIN unnest($1) u ON true", "parts []"],
    ["INSERT INTO totals(a) SELECT a FROM jsonb_to_recordset($1) ON CONFLICT DO UPDATE SET a = 1", "totals totals"],
    ["DELETE FROM ONLY old USING fresh", "old old"],
    ["TRUNCATE TABLE logs", "logs logs"],
    ["CREATE TABLE totals AS (SELECT a FROM orders)", "totals,orders []"]
  ])("tell the tables of %s, and which are written", async (statement, expected) => {
    const [line = ""] = await linesOf("a.ts", `const q = sql\`${statement}\`\n`, "sql", "tables", "writes")
    assert.strictEqual(line.split(" ").slice(1, -1).join(" "), expected)
  })

  it("give calls of models", async () => {
    const text = `import OpenAI from "openai"
import { generateText } from "ai"
const ask = () => client.chat.completions.create({ model: "gpt-4o", messages: [] })
const other = () => generateText({ model: openai("gpt-5"), prompt })
`
    assert.deepStrictEqual(await linesOf("a.ts", text, "model-call", "model", "call", "within"), [
      "openai gpt-4o client.chat.completions.create ask @3",
      "ai-sdk gpt-5 generateText other @4"
    ])
  })

  it.each([
    ["zod", "z.string()", "z.string().optional()", "export const Order = z.object({ id: z.string(), note: z.string().optional() })\n"],
    [
      "effect",
      "Schema.String",
      "Schema.optionalKey(Schema.String)",
      "const Order = Schema.Struct({ id: Schema.String, note: Schema.optionalKey(Schema.String) })\n"
    ],
    [
      "typebox",
      "Type.String()",
      "Type.Optional(Type.String())",
      "const Order = Type.Object({ id: Type.String(), note: Type.Optional(Type.String()) })\n"
    ],
    ["interface", "string", "string", "export interface Order {\n  readonly id: string // a comment, with a comma\n  note?: string\n}\n"],
    ["type", "string", "string", "export type Order = { id: string; note?: string }\n"]
  ])("give schemas of %s", async (style, id, note, text) => {
    const [line = ""] = await linesOf("a.ts", text, "schema", "style", "fields")
    const fields = [{ name: "id", type: id, required: true }, { name: "note", type: note, required: false }]
    assert.strictEqual(line.replace(/ @.*$/u, ""), `Order ${style} ${JSON.stringify(fields)}`)
  })

  it("give commands and what is left to do", async () => {
    const text = `import { Command } from "commander"
// TODO: more of them
new Command().command("deploy <env>").description("Deploys it").action(deploy)
`
    assert.deepStrictEqual(await linesOf("a.ts", text, "command", "description"), ["deploy <env> Deploys it @3"])
    assert.deepStrictEqual(await linesOf("a.ts", text, "todo", "text"), ["TODO TODO: more of them @2"])
  })
})
