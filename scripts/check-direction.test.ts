import { assert, describe, it } from "@effect/vitest"
import { existsSync, globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach } from "vitest"
import { check } from "./check-direction.ts"
import { circles } from "./direction/graph.ts"
import { OWN_ROLES } from "./direction/own-roles.ts"
import { FLOORS, isKnown, roleOf, ROLES } from "./direction/rules.ts"
import { readSource } from "./direction/source.ts"

const folders: Array<string> = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

/** Checks a repository of these files, by path below `packages/`. */
const checkTree = (files: Readonly<Record<string, string>>) => {
  const root = mkdtempSync(join(tmpdir(), "svc-direction-"))
  folders.push(root)
  for (const [path, text] of Object.entries(files)) {
    const file = join(root, "packages", path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  return check(root)
}

const money = { "kernel/src/values/money.ts": "export const zero = 0\n" }

describe("CONTRIBUTING.md", () => {
  const rows = readFileSync(new URL("../CONTRIBUTING.md", import.meta.url), "utf8").split("\n").filter((line) => line.startsWith("| ")).map(
    (line) => line.split("|").map((cell) => cell.trim()).slice(1, -1)
  )
  const words = (cell: string | undefined) => cell?.replaceAll("`", "").split(", ") ?? []

  it("shows the packages that there are on their floors", () => {
    const shown = Object.fromEntries(
      rows.filter(([floor = ""]) => /^\d+½?$/.test(floor)).flatMap(([floor = "", names]) =>
        words(names).map((name) => [name, Number(floor.replace("½", ".5"))])
      )
    )
    const packages = readdirSync(new URL("../packages", import.meta.url))
    assert.deepStrictEqual(packages.filter((name) => !isKnown(name)), [])
    assert.deepStrictEqual(shown, Object.fromEntries(packages.flatMap((name) => FLOORS[name] === undefined ? [] : [[name, FLOORS[name]]])))
  })

  it("shows what each role may import", () => {
    const shown = rows.flatMap(([file = "", , imports]) => {
      const role = /^`(\w+)(?:\.ts|\/)`$/.exec(file)?.[1]
      return role === undefined || imports === undefined ? [] : [[role, words(imports)] as const]
    })
    const { resource: _all, ...roles } = ROLES
    assert.deepStrictEqual(Object.fromEntries(shown), roles)
  })

  it("shows the roles of packages that have their own", () => {
    const shown = rows.flatMap(([name = "", role = "", , imports]) => {
      const own = OWN_ROLES[words(name)[0] ?? ""]
      if (own === undefined || imports === undefined || !/^`\w+`$/.test(role)) return []
      return [[`${words(name)[0]} ${words(role)[0]}`, imports === "–" ? [] : words(imports)] as const]
    })
    const own = Object.entries(OWN_ROLES).flatMap(([name, { holds, imports }]) =>
      Object.keys(holds).filter((role) => ROLES[role] === undefined).map((role) => [`${name} ${role}`, imports[role]] as const)
    )
    assert.deepStrictEqual(Object.fromEntries(shown), Object.fromEntries(own))
  })
})

describe("the roles of packages that have their own", () => {
  it("name files and folders that there are", () => {
    const src = (name: string) => new URL(`../packages/${name}/src/`, import.meta.url)
    const missing = Object.entries(OWN_ROLES).flatMap(([name, { holds }]) =>
      Object.values(holds).flat()
        .filter((path) => [path, `${path}.ts`].every((one) => !existsSync(new URL(one, src(name)))))
        .map((path) => `${name}/${path}`)
    )
    assert.deepStrictEqual(missing, [])
  })

  it("and those of resources judge at least four fifths of the lines below the server", () => {
    const judged = { all: 0, some: 0 }
    const packages = new URL("../packages/", import.meta.url)
    for (const name of readdirSync(packages).filter((one) => (FLOORS[one] ?? 99) < (FLOORS["server"] ?? 0))) {
      const sources = globSync("**/*.ts", { cwd: new URL(`${name}/src/`, packages) })
      for (const path of sources.filter((one) => !/\.test\.ts$|fixture/.test(one))) {
        const lines = readFileSync(new URL(`${name}/src/${path}`, packages), "utf8").split("\n").length - 1
        judged.all += lines
        if (roleOf({ package: name, path }) !== undefined) judged.some += lines
      }
    }
    assert.isAtLeast(judged.some / judged.all, 0.8)
  })
})

describe("what passes", () => {
  it("imports of lower floors, of neighbours in a folder, and of the test kit in tests", () => {
    const report = checkTree({
      ...money,
      "payments/src/quotes/model.ts": "import { zero } from \"@svc/kernel/values/money\"\nexport const model = zero\n",
      "payments/src/quotes/rules.ts":
        "import { model } from \"./model.ts\"\nimport { Effect } from \"effect\"\nexport const rules = [model, Effect]\n",
      "payments/src/quotes/rules.test.ts": "import \"./rules.ts\"\nimport \"@svc/testkit/generators\"\nconst now = Date.now()\n",
      "testkit/src/generators.ts": "import \"@svc/payments/quotes/rules\"\n",
      "client/src/client.ts": "import \"@svc/payments/quotes/model\"\nimport \"@svc/kernel/values/money\"\n",
      "cli/src/main.ts": "import \"@svc/client/client\"\n"
    })
    assert.deepStrictEqual(report, { files: 7, imports: 9, problems: [] })
  })

  it("an engine that knows models, and resources that ask it", () => {
    const report = checkTree({
      ...money,
      "billing/src/invoices/model.ts": "import \"../engine/calendar/period.ts\"\n",
      "billing/src/engine/calendar/period.ts": "import \"@svc/kernel/values/money\"\n",
      "billing/src/engine/invoices/invoices.ts": "import \"../../invoices/model.ts\"\nimport \"@svc/payments/quotes/model\"\n",
      "billing/src/engine/road/steps.ts": "import \"../invoices/invoices.ts\"\n",
      "billing/src/invoices/service.ts": "import \"../engine/road/steps.ts\"\n",
      "payments/src/quotes/model.ts": ""
    })
    assert.deepStrictEqual(report.problems, [])
  })

  it("nouns of the business in comments and tests of the kernel, where the list allows them, and above the kernel", () => {
    const report = checkTree({
      "kernel/src/parts/span.ts":
        "/** Such as a payment. */\n// refund\nimport \"../values/card-numbers.ts\"\nexport const column = \"merchant_id\"\nexport const discard = \"in_progress\"\n",
      "kernel/src/a.test.ts": "const payment = \"pi_1\"\n",
      "kernel/src/road/road-fixture.ts": "export const captured = 1\n",
      "kernel/src/values/card-numbers.ts": "export const findCardNumber = 1\n",
      "payments/src/a.ts": "export const payment = 1\n"
    })
    assert.deepStrictEqual(report.problems, [])
  })

  it("tables of lower floors that are read, and those of migrations, tests and English", () => {
    const report = checkTree({
      "accounts/src/accounts/migrations.ts": "export const made = `CREATE TABLE accounts (id text)`\n",
      "payments/src/migrations.ts": "export const made = `CREATE TABLE entries (id text); INSERT INTO accounts VALUES ('a')`\n",
      "payments/src/a.ts": "export const read = `SELECT 1 FROM entries JOIN accounts ON true`\n",
      "accounts/src/a.ts": "export const said = \"Removes entries from entries\"\n",
      "accounts/src/a.test.ts": "export const looked = `SELECT 1 FROM entries`\n"
    })
    assert.deepStrictEqual(report.problems, [])
  })

  it("a role that has become a folder, calls to the outside, and names that have no role", () => {
    const report = checkTree({
      "payments/src/quotes/model.ts": "",
      "payments/src/quotes/machine.ts": "import \"./model.ts\"\n",
      "payments/src/quotes/api.ts": "import \"./machine.ts\"\n",
      "payments/src/quotes/rules/accept.ts": "import \"../machine.ts\"\nimport \"./refusals.ts\"\n",
      "payments/src/quotes/rules/refusals.ts": "import \"../model.ts\"\n",
      "payments/src/quotes/rules/accept.test.ts": "import \"../fixture.ts\"\n",
      "payments/src/quotes/repository.ts": "",
      "payments/src/quotes/road.ts": "import \"./rules/accept.ts\"\n",
      "payments/src/quotes/provider/ask.ts": "import \"../road.ts\"\nimport \"../repository.ts\"\nimport \"../rules/accept.ts\"\n",
      "payments/src/quotes/service.ts": "import \"./provider/ask.ts\"\nimport \"./road.ts\"\nimport \"./rules/refusals.ts\"\n",
      "payments/src/quotes/fixture.ts": "import \"./rules/accept.ts\"\nimport \"./provider/ask.ts\"\n",
      "payments/src/rates/anything.ts": "import \"../quotes/service.ts\"\n",
      "payments/src/layer.ts": ""
    })
    assert.deepStrictEqual(report, { files: 13, imports: 16, problems: [] })
  })
})

describe("what fails", () => {
  const cases: ReadonlyArray<readonly [string, Readonly<Record<string, string>>, string]> = [
    ["an upward import", {
      "kernel/src/parts/span.ts": "import { b } from \"@svc/design/b\"\n",
      "design/src/b.ts": "export const b = 1\n"
    }, "packages/kernel/src/parts/span.ts:1: @svc/design/b: upward: design is on floor 2, kernel on floor 1"],
    ["an upward import of a type only, in passing", {
      "kernel/src/parts/span.ts": "\nexport type B = import(\"@svc/design/b\").B\n",
      "design/src/b.ts": "export type B = 1\n"
    }, "packages/kernel/src/parts/span.ts:2: @svc/design/b: upward: design is on floor 2, kernel on floor 1"],
    ["an upward re-export", {
      "kernel/src/parts/span.ts": "export * from \"@svc/design/b\"\n",
      "design/src/b.ts": "export const b = 1\n"
    }, "packages/kernel/src/parts/span.ts:1: @svc/design/b: upward: design is on floor 2, kernel on floor 1"],
    ["an upward import made when the program runs", {
      "kernel/src/parts/span.ts": "export const b = import(\"@svc/design/b\")\n",
      "design/src/b.ts": "export const b = 1\n"
    }, "packages/kernel/src/parts/span.ts:1: @svc/design/b: upward: design is on floor 2, kernel on floor 1"],
    ["an upward import in a test", {
      "kernel/src/a.test.ts": "import \"@svc/design/b\"\n",
      "design/src/b.ts": "export const b = 1\n"
    }, "packages/kernel/src/a.test.ts:1: @svc/design/b: upward: design is on floor 2, kernel on floor 1"],
    ["a neighbour on the same floor", {
      "design/src/a.ts": "import \"@svc/programs/facts/colour\"\n",
      "programs/src/facts/colour.ts": ""
    }, "packages/design/src/a.ts:1: @svc/programs/facts/colour: programs stands on the same floor (2) as design"],
    ["the test kit in code", {
      "design/src/a.ts": "import \"@svc/testkit/b\"\n",
      "testkit/src/b.ts": ""
    }, "packages/design/src/a.ts:1: @svc/testkit/b: testkit is for tests; only *.test.ts may import it"],
    ["an implementation in the client", {
      "client/src/a.ts": "import \"@svc/ledger/payouts/service\"\n",
      "ledger/src/payouts/service.ts": ""
    }, "packages/client/src/a.ts:1: @svc/ledger/payouts/service: client imports contracts only: api, model and the kernel"],
    [
      "an implementation behind a contract of the client",
      {
        "client/src/a.ts": "import \"@svc/design/api\"\n",
        "design/src/api.ts": "import \"./payouts/api.ts\"\n",
        "design/src/payouts/api.ts": "import \"./pdf.ts\"\n",
        "design/src/payouts/pdf.ts": "import \"./service.ts\"\n",
        "design/src/payouts/service.ts": ""
      },
      "the SDK loads an implementation: packages/client/src/a.ts -> packages/design/src/api.ts -> packages/design/src/payouts/api.ts -> packages/design/src/payouts/pdf.ts -> packages/design/src/payouts/service.ts"
    ],
    ["a role that reaches too far", {
      "ledger/src/payouts/rules.ts": "import \"./repository.ts\"\n",
      "ledger/src/payouts/repository.ts": ""
    }, "packages/ledger/src/payouts/rules.ts:1: ./repository.ts: rules may not import repository"],
    ["a role that reaches too far from its folder", {
      "ledger/src/payouts/rules/refund.ts": "import \"../road.ts\"\n",
      "ledger/src/payouts/road.ts": ""
    }, "packages/ledger/src/payouts/rules/refund.ts:1: ../road.ts: rules may not import road"],
    ["a role that reaches too far into a folder", {
      "ledger/src/payouts/http.ts": "import \"./provider/call.ts\"\n",
      "ledger/src/payouts/provider/call.ts": ""
    }, "packages/ledger/src/payouts/http.ts:1: ./provider/call.ts: http may not import provider"],
    ["a call to the outside that uses a service", {
      "ledger/src/payouts/provider/call.ts": "import \"../service.ts\"\n",
      "ledger/src/payouts/service.ts": ""
    }, "packages/ledger/src/payouts/provider/call.ts:1: ../service.ts: provider may not import service"],
    ["a table of moves that asks the rules", {
      "ledger/src/payouts/machine.ts": "import \"./rules.ts\"\n",
      "ledger/src/payouts/rules.ts": ""
    }, "packages/ledger/src/payouts/machine.ts:1: ./rules.ts: model may not import rules"],
    [
      "a file without a role in the folder of a resource",
      {
        "design/src/payouts/api.ts": "",
        "design/src/payouts/helpers.ts": ""
      },
      "packages/design/src/payouts/helpers.ts: helpers is no role of a resource: move what it holds to the role it has " +
      "(model, rules, api, repository, road, provider, service, http, jobs, desk, resource, as a file or a folder), or add the name to scripts/direction/rules.ts"
    ],
    ["a value of the kernel that reads the database", {
      "kernel/src/values/ids.ts": "import \"../database/rows.ts\"\n",
      "kernel/src/database/rows.ts": ""
    }, "packages/kernel/src/values/ids.ts:1: ../database/rows.ts: value may not import database"],
    ["a door's protocol that knows of sessions", {
      "doors/src/mcp/json-rpc.ts": "import \"./session.ts\"\n",
      "doors/src/mcp/session.ts": ""
    }, "packages/doors/src/mcp/json-rpc.ts:1: ./session.ts: protocol may not import session"],
    ["a protocol of payment that asks a service", {
      "paywall/src/payment/mpp.ts": "import \"@svc/payments/quotes/service\"\n",
      "payments/src/quotes/service.ts": ""
    }, "packages/paywall/src/payment/mpp.ts:1: @svc/payments/quotes/service: protocol may not import service"],
    ["a model that imports what its package builds on it", {
      "paywall/src/usage/model.ts": "import \"../gate/gate.ts\"\n",
      "paywall/src/gate/gate.ts": ""
    }, "packages/paywall/src/usage/model.ts:1: ../gate/gate.ts: model may not import gate"],
    ["a route that imports another of its folder", {
      "paywall/src/usage/http.ts": "import \"./http/more.ts\"\n",
      "paywall/src/usage/http/more.ts": ""
    }, "packages/paywall/src/usage/http.ts:1: ./http/more.ts: http may not import http"],
    ["a file without a role in a package that names one for each", {
      "kernel/src/helpers.ts": ""
    }, "packages/kernel/src/helpers.ts: has no role in kernel: name it in scripts/direction/own-roles.ts"],
    [
      "a file that does not exist",
      { "kernel/src/parts/span.ts": "import \"./b.ts\"\n" },
      "packages/kernel/src/parts/span.ts:1: ./b.ts: there is no such file"
    ],
    ["a path into another package", {
      "payments/src/a.ts": "import \"../../kernel/src/values/money.ts\"\n"
    }, "packages/payments/src/a.ts:1: ../../kernel/src/values/money.ts: another package is imported by its name"],
    ["its own package by name", {
      "kernel/src/parts/span.ts": "import \"@svc/kernel/values/money\"\n"
    }, "packages/kernel/src/parts/span.ts:1: @svc/kernel/values/money: a package imports its own files by relative path"],
    ["a computed import", {
      "kernel/src/parts/span.ts": "export const load = (name: string) => import(name)\n"
    }, "packages/kernel/src/parts/span.ts:1: the target of this import is computed, so nobody can check it"],
    [
      "a package that nobody has placed",
      { "attic/src/a.ts": "" },
      "packages/attic/src/a.ts: package attic stands on no floor; add it to scripts/direction/rules.ts"
    ],
    ["the machine's clock", {
      "kernel/src/parts/span.ts": "export const now = new Date()\n"
    }, "packages/kernel/src/parts/span.ts:1: new Date(); take time from Clock and randomness from a service"],
    ["a noun of the business in a name of the kernel's code", {
      "kernel/src/parts/span.ts": "\nexport const openPayouts = 0\n"
    }, "packages/kernel/src/parts/span.ts:2: payout, a noun of the business: it belongs to the package that owns it"],
    ["a noun of the business in a text of the kernel", {
      "kernel/src/parts/span.ts": "export const type = \"settlement_completed\"\n"
    }, "packages/kernel/src/parts/span.ts:1: settlement, a noun of the business: it belongs to the package that owns it"],
    ["a noun of the business between values of a text", {
      "kernel/src/parts/span.ts": "export const say = (n: number) => `the refund of ${n}`\n"
    }, "packages/kernel/src/parts/span.ts:1: refund, a noun of the business: it belongs to the package that owns it"],
    ["an id of the business in the kernel", {
      "kernel/src/parts/span.ts": "export const id = \"pi_1\"\n"
    }, "packages/kernel/src/parts/span.ts:1: pi_1, a noun of the business: it belongs to the package that owns it"],
    ["a noun of the business in the name of a file of the kernel", {
      "kernel/src/http/invoices/a.ts": ""
    }, "packages/kernel/src/http/invoices/a.ts: the name says invoice, a noun of the business: it belongs to the package that owns it"],
    ["an allowance that nothing needs any more", {
      "kernel/src/resource/errors.ts": "export const said = [\"card\", \"captured\"]\n"
    }, "packages/kernel/src/resource/errors.ts: need not be allowed refund any more; see scripts/direction/nouns.ts"],
    [
      "the world's time where an account's may be meant",
      {
        "kernel/src/parts/span.ts": "import { Clock } from \"effect\"\nexport const now = Clock.currentTimeMillis\n",
        "payments/src/a.ts": "import { DateTime } from \"effect\"\nexport const now = DateTime.now\n"
      },
      "packages/payments/src/a.ts:2: DateTime.now; take now of @svc/kernel/time, for an account may have a clock of its own, or realNow where the world's time is meant"
    ],
    ["an engine that reads a database", {
      "billing/src/engine/subscriptions/renew.ts": "import \"../../plans/repository.ts\"\n",
      "billing/src/plans/repository.ts": ""
    }, "packages/billing/src/engine/subscriptions/renew.ts:1: ../../plans/repository.ts: the engine imports models and the kernel alone"],
    ["rules beside the engine that has them", {
      "billing/src/invoices/api.ts": "",
      "billing/src/invoices/rules.ts": ""
    }, "packages/billing/src/invoices/rules.ts: the rules of invoices stand in engine/"],
    ["a handler above the services that reads a database", {
      "billing/src/invoices/resource/http.ts": "import \"../repository.ts\"\n",
      "billing/src/invoices/repository.ts": ""
    }, "packages/billing/src/invoices/resource/http.ts:1: ../repository.ts: http may not import repository"],
    ["a value of the engine that asks its rules", {
      "billing/src/engine/proration/prorate.ts": "import \"../subscriptions/worth.ts\"\n",
      "billing/src/engine/subscriptions/worth.ts": ""
    }, "packages/billing/src/engine/proration/prorate.ts:1: ../subscriptions/worth.ts: model may not import rules"],
    [
      "a table of a higher floor",
      {
        "accounts/src/accounts/repository.ts": "export const url = `\n(SELECT e.url FROM webhook_endpoints e)`\n",
        "webhooks/src/endpoints/migrations.ts": "export const made = `CREATE TABLE webhook_endpoints (url text)`\n"
      },
      "packages/accounts/src/accounts/repository.ts:1: table webhook_endpoints: upward: webhooks is on floor 3, accounts on floor 2; " +
      "let webhooks contribute what accounts needs to know"
    ],
    [
      "a table of a higher floor in a list",
      {
        "accounts/src/a.ts": "export const list = { table: \"webhook_endpoints\" }\n",
        "webhooks/src/endpoints/migrations.ts": "export const made = `CREATE TABLE webhook_endpoints (url text)`\n"
      },
      "packages/accounts/src/a.ts:1: table webhook_endpoints: upward: webhooks is on floor 3, accounts on floor 2; " +
      "let webhooks contribute what accounts needs to know"
    ],
    ["a table of the same floor", {
      "design/src/a.ts": "export const both = `SELECT 1 FROM entries x, events y`\n",
      "accounts/src/events/migrations.ts": "export const made = `CREATE TABLE events (id text)`\n"
    }, "packages/design/src/a.ts:1: table events: accounts stands on the same floor (2) as design"],
    ["a row that another package writes", {
      "billing/src/a.ts": "export const paid = `UPDATE payment_intents SET state = 'captured'`\n",
      "payments/src/payment-intents/migrations.ts": "export const made = `CREATE TABLE payment_intents (state text)`\n"
    }, "packages/billing/src/a.ts:1: table payment_intents: only payments writes its rows; call a service of payments"],
    [
      "an allowance to write that nothing needs any more",
      {
        "reconciliation/src/reports/repository/comparison.ts": "export const read = `SELECT 1 FROM financial_events`\n",
        "ledger/src/financial-events/migrations.ts": "export const made = `CREATE TABLE financial_events (id text)`\n"
      },
      "packages/reconciliation/src/reports/repository/comparison.ts: need not write financial_events any more; " +
      "see scripts/direction/tables.ts"
    ],
    ["a circle of two", {
      "kernel/src/values/ids.ts": "import \"../parts/span.ts\"\n",
      "kernel/src/parts/span.ts": "import \"../values/ids.ts\"\n"
    }, "circle: packages/kernel/src/parts/span.ts -> packages/kernel/src/values/ids.ts -> packages/kernel/src/parts/span.ts"]
  ]
  it.each(cases)("%s", (_, files, problem) => {
    assert.deepStrictEqual(
      checkTree({ ...money, ...files }).problems.filter((line) => line.startsWith("circle") === problem.startsWith("circle")),
      [problem]
    )
  })

  it("an empty tree, which would prove nothing", () => {
    const root = mkdtempSync(join(tmpdir(), "svc-direction-"))
    folders.push(root)
    mkdirSync(join(root, "packages"))
    assert.deepStrictEqual(check(root).problems, ["there is not a single file under packages/"])
  })
})

describe("circles", () => {
  const graph = (edges: Readonly<Record<string, string>>) => new Map(Object.entries(edges).map(([node, next]) => [node, [...next]]))

  it.each([
    ["none in a chain", graph({ a: "b", b: "c", c: "" }), []],
    ["none in a diamond", graph({ a: "bc", b: "d", c: "d", d: "" }), []],
    ["a file that imports itself", graph({ a: "a" }), ["aa"]],
    ["the shortest way round", graph({ a: "bd", b: "c", c: "a", d: "a" }), ["ada"]],
    ["two apart", graph({ a: "b", b: "ac", c: "d", d: "c" }), ["cdc", "aba"]]
  ])("%s", (_, edges, expected) => {
    assert.deepStrictEqual(circles(edges).map((path) => path.join("")), expected)
  })
})

describe("reading a source", () => {
  it("finds every form of import, and none in comments and strings", () => {
    const { imports } = readSource(
      "a.ts",
      [
        "import type { A } from \"type\"",
        "import * as b from \"namespace\"",
        "export { c } from \"named\"",
        "export * from \"all\"",
        "const d = await import(\"dynamic\")",
        "type E = import(\"typeof\").E",
        "// import \"comment\"",
        "const f = 'import \"string\"'",
        "export const g = `import(\"template\")`"
      ].join("\n")
    )
    assert.deepStrictEqual(
      imports.map(({ line, text }) => [line, text]),
      [[1, "type"], [2, "namespace"], [3, "named"], [4, "all"], [5, "dynamic"], [6, "typeof"]]
    )
  })

  it("knows the clock from a date that somebody gave", () => {
    const uses = readSource("a.ts", "new Date(); new Date(0); Date.now(); Date.parse(\"\"); Math.random(); Math.floor(1)").ambient
    assert.deepStrictEqual(uses.map((use) => use.text), ["new Date()", "Date.now", "Math.random"])
    const worldly =
      readSource("a.ts", "Clock.currentTimeMillis; Clock.Clock; DateTime.now; DateTime.makeUnsafe(0); DateTime.nowUnsafe()").worldly
    assert.deepStrictEqual(worldly.map((use) => use.text), ["Clock.currentTimeMillis", "DateTime.now", "DateTime.nowUnsafe"])
  })
})
