import { assert, describe, it } from "@effect/vitest"
import { deadline, inTime, type Step, TooSlow, valueInTime } from "./deadline.ts"

/** The time of a step in these tests, where a file has two seconds. */
const MOST_MILLIS = 400

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
    ], MOST_MILLIS)
    assert.deepStrictEqual(seen, ["first", "loop late", "between", "pattern late", "last"])
    const broken = step("broken", () => {
      throw new RangeError("own")
    })
    assert.throws(() => inTime([broken], MOST_MILLIS), "own")
  })

  /** Waits and uses no processor, as on a server that has other work. */
  const wait = (millis: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, millis)

  it.each<readonly [how: string, run: (attempt: number) => void]>([
    ["ended by force", (attempt) => wait(attempt === 1 ? 60_000 : MOST_MILLIS + 50)],
    ["ended by itself", (attempt) => {
      const isLate = deadline()
      wait(attempt === 1 ? MOST_MILLIS - 50 : MOST_MILLIS + 50)
      if (isLate()) throw new TooSlow()
    }]
  ])("is the processor's: what waited longer, and was %s, runs again", (_, run) => {
    let attempts = 0
    assert.strictEqual(
      valueInTime(() => {
        attempts++
        run(attempts)
        return "read"
      }, MOST_MILLIS),
      "read"
    )
    assert.isAbove(attempts, 1)
  })

  it("is over where the processor was used, however long the clock would let it run", () => {
    let attempts = 0
    assert.throws(() =>
      valueInTime(() => {
        attempts++
        if (attempts === 1) wait(60_000)
        const isLate = deadline()
        while (!isLate());
        throw new TooSlow()
      }, MOST_MILLIS), TooSlow)
    assert.isAbove(attempts, 1)
  })
})
