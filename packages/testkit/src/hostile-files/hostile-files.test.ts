/** A hundred of the hostile files, others each day. `npm run prove` reads all two hundred, and 10,000 mutations. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { BUBBLEWRAP_MISSING, bubblewrapPath } from "../bubblewrap.ts"
import { crafted } from "./crafted.ts"
import { mutations, ofCrafted, readAll } from "./hostile-files.ts"

const EACH = 50
const part = Number(process.env["TEST_PART"]) || 0
const everySo = Math.floor(crafted.length / EACH)

describe("the hostile files", () => {
  it("are two hundred, each another", () => {
    assert.isAtLeast(new Set(crafted.map(({ name }) => name)).size, 200)
    assert.strictEqual(new Set(crafted.map(({ name }) => name)).size, crafted.length)
  })
})

describe.skipIf(bubblewrapPath() === undefined)(bubblewrapPath() === undefined ? BUBBLEWRAP_MISSING : "a reader behind the wall", () => {
  it.live("reads or refuses each in time, and stays as it is", () =>
    Effect.gen(function*() {
      const some = crafted.filter((_, n) => n % everySo === part % everySo).slice(0, EACH).map((file) => () => ofCrafted(file))
      assert.deepStrictEqual(yield* readAll([...some, ...yield* mutations("daily", part * EACH, EACH)]), [])
    }), 600_000)
})
