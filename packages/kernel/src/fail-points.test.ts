import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { failPoints, parseFailPoint } from "./fail-points.ts"

const here = fileURLToPath(new URL("./fail-points.ts", import.meta.url))

/** A process that reaches the point three times and says so each time. */
const program = `const { failPoint } = await import(${JSON.stringify(here)})
for (let n = 1; n <= 3; n++) { process.stdout.write(String(n)); failPoint("commit.after") }`

const run = (failPoint: string | undefined) => {
  const { NODE_OPTIONS: _, SVC_FAIL_POINT: __, ...env } = process.env
  const { signal, status, stderr, stdout } = spawnSync(process.execPath, ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", program], {
    env: failPoint === undefined ? env : { ...env, SVC_FAIL_POINT: failPoint },
    encoding: "utf8"
  })
  return { signal, status, stderr, stdout }
}

describe("a fail point", () => {
  it.each<[failPoint: string | undefined, said: string, signal: NodeJS.Signals | null]>([
    [undefined, "123", null],
    ["", "123", null],
    ["commit.after", "1", "SIGKILL"],
    ["commit.after:1", "1", "SIGKILL"],
    ["commit.after:3", "123", "SIGKILL"],
    ["commit.after:4", "123", null],
    ["commit.before", "123", null]
  ])("named by %s", (failPoint, said, signal) => {
    const ended = run(failPoint)
    assert.strictEqual(ended.stdout, said)
    assert.strictEqual(ended.signal, signal)
  })

  it("that does not exist stops the process at its start", () => {
    const ended = run("commit.afterwards")
    assert.strictEqual(ended.status, 1)
    assert.include(ended.stderr, "expected <name> or <name>:<n>")
  })

  it.each(["", undefined])("is not armed by %j", (text) => {
    assert.isUndefined(parseFailPoint(text))
  })

  it.each(["commit", "commit.after:0", "commit.after:-1", "commit.after:1.5", "commit.after:x", "commit.after:", "Commit.after"])("is not %j", (text) => {
    assert.throws(() => parseFailPoint(text), RangeError)
  })

  it("has a name of its own", () => {
    assert.strictEqual(new Set(failPoints).size, failPoints.length)
  })
})
