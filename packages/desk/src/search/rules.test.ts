/** What texts are understood as: a table of what people type. */
import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import { LONGEST, MOST_HITS, type Reading, type SearchHit } from "./model.ts"
import { kindOf, searchKinds } from "./model/kinds.ts"
import { readingsOf, shownOf } from "./rules.ts"

const AT = DateTime.makeUnsafe("2026-05-10T12:30:00Z")
const references = ["invoice_number", "customer_reference", "provider_reference", "order_reference"]

const readAs = (text: string): ReadonlyArray<string> => readingsOf(text, AT).map(({ by }) => by)

const reading = <By extends Reading["by"]>(text: string, by: By): Reading & { readonly by: By } | undefined =>
  readingsOf(text, AT).find((one): one is Reading & { readonly by: By } => one.by === by)

/** Besides what any text may be. */
const besides = (text: string): ReadonlyArray<string> => readAs(text).filter((by) => !references.includes(by))

const ULID = "01KDVK5D80000000000000000A"

describe("a text", () => {
  it.each([
    [`pi_${ULID}`, ["id"]],
    [`billcycle_${ULID}`, ["id"]],
    ["pi_01KDVK", ["id_beginning"]],
    ["xx_01KDVK", ["name"]],
    ["Mia Long", ["name"]],
    ["ÅSA", ["name"]],
    ["森", ["name"]],
    ["a b c d e f g h i", []],
    ["pi_", ["name"]],
    ["ana@example.com", ["email"]],
    ["ana@", []],
    ["4242", ["last_four", "amount"]],
    ["•4242", ["last_four"]],
    ["**** 4242", ["last_four"]],
    ["Visa •4242", ["name", "last_four"]],
    ["card ending in 4242", ["name", "last_four"]],
    ["12.50", ["amount"]],
    ["$12.50", ["amount"]],
    ["1,250.00 EUR", ["name", "amount"]],
    ["JPY 1200", ["name", "amount"]],
    ["JPY 12.50", ["name"]],
    ["1200 XYZ", ["name"]],
    ["0", []],
    ["12.5.0", []],
    ["2026-03-04", ["date"]],
    ["4 March 2026", ["name", "date"]],
    ["2026-02-30", []],
    ["yesterday", ["name", "date"]],
    ["March", ["name", "date"]],
    ["2026", ["last_four", "amount"]],
    ["ACME-000042", ["name"]],
    ["%", []],
    ["_", []],
    ["' OR 1=1 --", ["name"]]
  ])("is understood as all that it may be: %s", (text, expected) => {
    assert.deepStrictEqual(besides(text), expected)
    assert.includeMembers(Array.from(readAs(text)), references)
  })

  it("of nothing but spaces is nothing", () => assert.deepStrictEqual(readAs(" \t "), []))

  it("has its most plausible meaning first", () => {
    assert.deepStrictEqual(readAs("pi_01KDVK"), [...references, "id_beginning"])
    assert.deepStrictEqual(readAs("2026-03-04"), [...references, "date"])
    assert.deepStrictEqual(readAs(`pi_${ULID}`), ["id", ...references])
  })

  it("may be an id in small letters, and the beginning of ids between two", () => {
    assert.deepStrictEqual(reading(`pi_${ULID.toLowerCase()}`, "id"), { by: "id", kind: "payment_intent", id: `pi_${ULID}` })
    assert.deepStrictEqual(reading("po_01K", "id_beginning")?.ids, {
      kind: "payout",
      from: `po_01K${"0".repeat(23)}`,
      to: `po_01K${"Z".repeat(23)}`
    })
  })

  it("is a name by its words in small letters, whatever stands between them", () => {
    assert.deepStrictEqual(reading("  Mia O\u2019Long-Ärm  ", "name")?.words, ["mia", "o", "long", "ärm"])
    assert.deepStrictEqual(reading("हिन्दी दुकान", "name")?.words, ["हिन्दी", "दुकान"])
  })

  it("has the digits of Unicode where they mean the same, and is a reference as it was typed", () => {
    assert.strictEqual(reading("４２４２", "last_four")?.digits, "4242")
    assert.strictEqual(reading("４２４２", "customer_reference")?.text, "４２４２")
    assert.deepStrictEqual(besides("٤٢٤٢"), [])
  })

  it.each(["1".repeat(LONGEST), "1 ".repeat(LONGEST / 2), "1,111".repeat(50), "x ".repeat(100), "•".repeat(LONGEST)])(
    "is read at once, however long it is: %s",
    (text) => assert.includeMembers(Array.from(readAs(text)), references)
  )
})

describe("an amount", () => {
  const amounts = (text: string) =>
    reading(text, "amount")?.amounts.flatMap(({ amount, currencies }) =>
      ["USD", "EUR", "JPY", "KWD"].filter((code) => currencies.includes(code)).map((code) => `${code} ${amount}`)
    )

  it.each([
    ["12.50", ["USD 1250", "EUR 1250", "KWD 12500"]],
    ["12,50", ["USD 1250", "EUR 1250", "KWD 12500"]],
    ["$12.50", ["USD 1250"]],
    ["12.50 €", ["EUR 1250"]],
    ["1,250.00 EUR", ["EUR 125000"]],
    ["1.250,00 eur", ["EUR 125000"]],
    ["1 250,00 EUR", ["EUR 125000"]],
    ["1'250.00 EUR", ["EUR 125000"]],
    ["EUR 1,250", ["EUR 125000"]],
    ["KWD 1.250", ["KWD 1250", "KWD 1250000"]],
    ["JPY 1200", ["JPY 1200"]],
    ["JPY 1200.00", ["JPY 1200"]],
    ["¥1200", ["JPY 1200"]],
    ["7", ["JPY 7", "USD 700", "EUR 700", "KWD 7000"]],
    ["$12.50 EUR", undefined],
    ["99999999999999999999", undefined]
  ])("is of each currency that has so many decimals: %s", (text, expected) => assert.sameMembers([...amounts(text) ?? []], expected ?? []))
})

describe("a date", () => {
  const days = (text: string) =>
    reading(text, "date")?.times.map(({ from, to }) =>
      [from, to].map((at) => DateTime.formatIsoDateUtc(DateTime.makeUnsafe(at))).join(" to ")
    )

  it.each([
    ["2026-03-04", ["2026-03-04 to 2026-03-05"]],
    ["4 March 2026", ["2026-03-04 to 2026-03-05"]],
    ["March 4, 2026", ["2026-03-04 to 2026-03-05"]],
    ["4th of march 2026", ["2026-03-04 to 2026-03-05"]],
    ["4. März 2026", ["2026-03-04 to 2026-03-05"]],
    ["4 de marzo de 2026", ["2026-03-04 to 2026-03-05"]],
    ["2026年3月4日", ["2026-03-04 to 2026-03-05"]],
    ["4.3.2026", ["2026-03-04 to 2026-03-05"]],
    ["4/3/2026", ["2026-03-04 to 2026-03-05", "2026-04-03 to 2026-04-04"]],
    ["31/12/2025", ["2025-12-31 to 2026-01-01"]],
    ["4 March", ["2026-03-04 to 2026-03-05"]],
    ["4 June", ["2025-06-04 to 2025-06-05"]],
    ["today", ["2026-05-10 to 2026-05-11"]],
    ["Yesterday", ["2026-05-09 to 2026-05-10"]],
    ["March 2026", ["2026-03-01 to 2026-04-01"]],
    ["2026-03", ["2026-03-01 to 2026-04-01"]],
    ["03/2026", ["2026-03-01 to 2026-04-01"]],
    ["december", ["2025-12-01 to 2026-01-01"]],
    ["last month", ["2026-04-01 to 2026-05-01"]],
    ["2026-13", undefined],
    ["31 April 2026", undefined]
  ])("is a day or a month in UTC: %s", (text, expected) => assert.deepStrictEqual(days(text), expected))
})

describe("hits", () => {
  const hits = (matched: SearchHit["matched"], count: number, from = 0): ReadonlyArray<SearchHit> =>
    Array.from({ length: count }, (_, n) => ({
      matched,
      kind: "payment_intent",
      id: `pi_${from + n}`,
      title: null,
      amount: 1,
      currency: "USD",
      state: null,
      created_at: AT,
      path: ""
    }))
  const counts = (found: ReadonlyArray<ReadonlyArray<SearchHit>>) =>
    Array.from(Map.groupBy(shownOf(found), ({ matched }) => matched), ([matched, of]) => `${matched} ${of.length}`)

  it("of one meaning hide none of another", () => {
    assert.deepStrictEqual(counts([hits("last_four", 30), hits("amount", 30, 50)]), ["last_four 10", "amount 10"])
    assert.deepStrictEqual(counts([hits("last_four", 2), hits("amount", 30, 50)]), ["last_four 2", `amount ${MOST_HITS - 2}`])
    assert.deepStrictEqual(counts([hits("id", 1), [], hits("amount", 3, 50)]), ["id 1", "amount 3"])
  })

  it("are shown once, by the most plausible meaning", () =>
    assert.deepStrictEqual(counts([hits("order_reference", 2), hits("amount", 3)]), ["order_reference 2", "amount 1"]))
})

describe("kinds", () => {
  it("are told apart by what begins their ids", () =>
    assert.strictEqual(new Set(searchKinds.map((name) => kindOf(name).prefix)).size, searchKinds.length))
})
