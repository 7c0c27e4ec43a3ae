import { assert, describe, it } from "@effect/vitest"
import { plain, plainJson } from "./plain.ts"
import { tableLines } from "./table.ts"

const ESCAPE = /[\p{Cc}\u202e\u2066]/u

describe("plain", () => {
  it.each(["\u001b[31m", "\u009b2J", "a\rb", "\u202egnp.exe", "\u2066x", "\u0007", "\u007f", "\u2028"])("shows %j as text", (text) => {
    assert.notMatch(plain(text), ESCAPE)
    assert.strictEqual(
      plain(text).replaceAll(/\\u([0-9a-f]{4})/gu, (_, number: string) => String.fromCharCode(Number.parseInt(number, 16))),
      text
    )
  })

  it("leaves names of all languages alone", () => {
    for (const text of ["Zoë", "山田 太郎", "محمد", "👩‍🚀"]) assert.strictEqual(plain(text), text)
  })

  it("leaves JSON the value that it was, in one line", () => {
    const value = { name: "\u009b2J \u202e\u001b \n", amount: 1 }
    const text = plainJson(JSON.stringify(value, null, 2))
    assert.notMatch(text, ESCAPE)
    assert.deepStrictEqual(JSON.parse(text), value)
  })
})

describe("a table", () => {
  const table = {
    titles: ["id", "name", "amount"],
    rows: [["pi_1", "山田", "5.00 USD"], ["pi_2", "x".repeat(60), "1250.00 USD"]],
    right: [false, false, true]
  }

  it("is never cut where no terminal is, and has no colours there", () => {
    const { head, lines } = tableLines(table, { columns: undefined, canColor: false })
    assert.deepStrictEqual([head, ...lines], [
      `id    name${" ".repeat(56)}       amount`,
      `pi_1  山田${" ".repeat(56)}     5.00 USD`,
      `pi_2  ${"x".repeat(60)}  1250.00 USD`
    ])
  })

  it("fits a terminal", () => {
    const { head, lines } = tableLines(table, { columns: 40, canColor: true })
    assert.strictEqual(head, `\u001b[1mid    name${" ".repeat(29)}…\u001b[22m`)
    assert.deepStrictEqual(lines, [`pi_1  山田${" ".repeat(29)}…`, `pi_2  ${"x".repeat(33)}…`])
  })
})
