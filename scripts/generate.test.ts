import { assert, describe, it } from "@effect/vitest"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { generate } from "./generate.ts"
import { withRoutes } from "./generators/ledger-routes.ts"

describe("generate", () => {
  it("writes what is out of date, names it, and then finds nothing to do", async () => {
    const root = await mkdtemp(join(tmpdir(), "svc-generate-"))
    const list = [
      { file: "fresh.txt", content: async () => "same\n" },
      { file: "stale.txt", content: async (current: string) => `${current}more\n`.replace("more\nmore", "more") }
    ]
    try {
      await writeFile(join(root, "fresh.txt"), "same\n")
      assert.deepStrictEqual(await generate(root, list, true), ["stale.txt"])
      assert.isUndefined(await readFile(join(root, "stale.txt"), "utf8").catch(() => undefined), "a check writes nothing")
      assert.deepStrictEqual(await generate(root, list, false), ["stale.txt"])
      assert.deepStrictEqual(await generate(root, list, true), [])
    } finally {
      await rm(root, { recursive: true })
    }
  })
})

describe("the table of routes", () => {
  const [begin, end] = ["<!-- Routes: written by npm run generate. -->", "<!-- End of the routes. -->"]

  it("stands between its marks, one line a route, and the rest of the page stays", () => {
    const page = withRoutes(`before\n${begin}\n| an old line |\n${end}\nafter\n`)
    assert.match(page, /^before\n<!-- Routes[^\n]*\n\| Event /)
    assert.match(page, /\|\n<!-- End[^\n]*\nafter\n$/)
    assert.notInclude(page, "old line")
    const lines = [
      "| quote_generated | credit | memo |  |  |  |",
      "| fee_charged | debit | available or pending → P.fees | −A or 0 | 0 or −A |  |",
      "| fee_charged (credits) | debit | memo |  |  |  |",
      "| payment_refunded | debit | available, pending → P.rail_clearing | −(A − p) | −p |  |",
      "| conversion_executed (source) | debit | pending → P.fx |  | −A |  |",
      "| conversion_executed (target) | credit | P.fx → pending |  | +A |  |",
      "| conversion_executed (given_back) | credit | P.fx → available or pending | +A or 0 | 0 or +A |  |",
      "| dispute_won | credit | reserved → available | +A |  | −A |",
      "| payout_returned | credit | P.bank → available | +A |  |  |"
    ]
    for (const line of lines) assert.include(page.split("\n"), line)
    assert.lengthOf(page.split("\n").filter((line) => line.startsWith("| ")), 35)
    assert.strictEqual(withRoutes(page), page)
  })

  it.each(["no marks", begin, `${end} ${begin}`])("is not put into a page without its place: %s", (page) => {
    assert.throws(() => withRoutes(page), "no place for its routes")
  })
})
