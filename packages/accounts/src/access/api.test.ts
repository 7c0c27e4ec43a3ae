/** No endpoint that changes something is taken for another one: it says what it does, or its group is not built. */
import { assert, describe, it } from "@effect/vitest"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { activityOf, Does, forMerchants } from "./api.ts"

const about = { title: "Notes", description: "Short texts." }
const notes = HttpApiGroup.make("notes")
const write = HttpApiEndpoint.post("write", "/notes")
const read = HttpApiEndpoint.get("read", "/notes")

describe("forMerchants", () => {
  it("builds no group with a write that does not say what it does, and names all such writes", () => {
    const remove = HttpApiEndpoint.delete("remove", "/notes")
    const build = () => notes.add(write, read, remove).pipe(forMerchants(about))
    assert.throws(build, RangeError, /^notes\.write, notes\.remove: add \.annotate\(Does, "…"\)/u)
  })

  it("builds one whose writes say so; a read needs no word", () => {
    assert.strictEqual(activityOf(read), "read")
    assert.strictEqual(activityOf(write.annotate(Does, "record")), "record")
    const built = notes.add(write.annotate(Does, "record"), read).pipe(forMerchants(about))
    assert.deepStrictEqual(Object.keys(built.endpoints), ["write", "read"])
  })
})
