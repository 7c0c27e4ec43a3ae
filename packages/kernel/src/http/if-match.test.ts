import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { expectedVersion, IfMatch } from "./if-match.ts"

const decode = Schema.decodeUnknownResult(IfMatch)
const Version = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 999_999_999_999_999 }))

describe("IfMatch", () => {
  it.for([["3", 3], ["\"3\"", 3], ["120", 120], ["\"999999999999999\"", 999_999_999_999_999]] as const)("%s is %d", ([text, version]) => {
    assert.deepStrictEqual(decode(text), Result.succeed(version))
  })

  it.for([
    "",
    "\"\"",
    "0",
    "03",
    "-1",
    "1.5",
    "3\"",
    "\"3",
    "\"\"3\"\"",
    "W/\"3\"",
    "*",
    "\"3\", \"4\"",
    "x",
    "1e3",
    " 3",
    "3\n",
    "1000000000000000"
  ])("refuses %j", (text) => {
    const result = decode(text)
    assert.isTrue(Result.isFailure(result))
    if (Result.isFailure(result)) assert.include(result.failure.message, "must be the version you read, such as \"3\"")
  })

  it.prop("reads back what it writes", [Version], ([version]) => {
    const text = Schema.encodeSync(IfMatch)(version)
    assert.match(text, /^"\d+"$/)
    assert.deepStrictEqual(decode(text), Result.succeed(version))
  })
})

describe("expectedVersion", () => {
  it.for(
    [
      [undefined, undefined, undefined],
      [2, undefined, 2],
      [undefined, 3, 3],
      [3, 3, 3]
    ] as const
  )("body %s and header %s expect %s", ([body, header, expected]) => {
    assert.deepStrictEqual(expectedVersion(body, header), Result.succeed(expected))
  })

  it("refuses two versions, naming both", () => {
    const result = expectedVersion(2, 3)
    assert.isTrue(Result.isFailure(result))
    if (!Result.isFailure(result)) return
    assert.strictEqual(result.failure.code, "version")
    assert.strictEqual(result.failure.message, "version: the body says 2 and If-Match says 3; send one of them.")
  })
})
