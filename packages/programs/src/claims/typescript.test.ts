import { assert, describe, it } from "@effect/vitest"
import { camelName, member, memberOf, quoted, typeName, typeOf } from "./typescript.ts"

describe("names and types of strangers as TypeScript", () => {
  it.each([
    ["varchar", "string"],
    ["i64[]", "ReadonlyArray<number>"],
    ["Map<string, number>", "unknown"],
    ["constructor", "unknown"],
    ["toString[]", "ReadonlyArray<unknown>"]
  ])("read %s as %s", (type, written) => {
    assert.strictEqual(typeOf(type), written)
  })

  it.each([
    ["mail_id", "MailId", "mailId"],
    ["7 days", "T7Days", "t7Days"],
    ["\"}; stolen()", "Stolen", "stolen"],
    ["…", "T", "t"]
  ])("name %s", (name, type, value) => {
    assert.deepStrictEqual([typeName(name), camelName(name)], [type, value])
  })

  it("name members as they may be written", () => {
    assert.deepStrictEqual([member("id"), member("a-b")], ["id", "\"a-b\""])
    assert.deepStrictEqual([memberOf("row", "id"), memberOf("row", "a\"]; stolen()")], ["row.id", "row[\"a\\\"]; stolen()\"]"])
  })

  it("keep what a name holds, and nothing unseen", () => {
    assert.strictEqual(member("a\u202e\u2028b"), "\"a\\u{202e}\\u{2028}b\"")
  })

  it("hold a text on one line between quotes", () => {
    assert.strictEqual(quoted("a\"\n\u2028\u202eb`${c}"), "\"a\\\" b`${c}\"")
  })
})
