import { assert, describe, it } from "@effect/vitest"
import { inTime, type Step, TooSlow } from "./deadline.ts"

describe("the time of a file", () => {
  it("ends a loop and a pattern that would go on, and takes the steps between them", () => {
    const seen: Array<string> = []
    const step = (name: string, run: () => unknown = () => undefined): Step => ({
      run: () => {
        run()
        seen.push(name)
      },
      late: (error) => seen.push(`${name} ${error instanceof TooSlow ? "late" : "?"}`)
    })
    inTime([
      step("first"),
      step("loop", () => {
        for (;;);
      }),
      step("between"),
      step("pattern", () => /^(?:a+)+$/u.test(`${"a".repeat(60)}b`)),
      step("last")
    ])
    assert.deepStrictEqual(seen, ["first", "loop late", "between", "pattern late", "last"])
    const broken = step("broken", () => {
      throw new RangeError("own")
    })
    assert.throws(() => inTime([broken]), "own")
  })
})
