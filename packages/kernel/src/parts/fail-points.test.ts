import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { failPoint, failPoints, failPointsAround, parseFailPoint } from "./fail-points.ts"

const here = fileURLToPath(new URL("./fail-points.ts", import.meta.url))

/** A process that reaches the later of two points three times and says so each time. */
const program = `const { failPoints, failPointsAround } = await import(${JSON.stringify(here)})
const { after } = failPointsAround("commit")
failPoints()
for (let n = 1; n <= 3; n++) { process.stdout.write(String(n)); after() }`

const run = (failPoint: string | undefined) => {
  const { NODE_OPTIONS: _, SVC_FAIL_POINT: __, ...env } = process.env
  const { signal, status, stderr, stdout } = spawnSync(process.execPath, [
    "--disable-warning=ExperimentalWarning",
    "--input-type=module",
    "-e",
    program
  ], {
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

  it.each([
    ["cannot exist", "commit.afterwards", "expected <name> or <name>:<n>"],
    ["nobody has declared", "commits.after", "SVC_FAIL_POINT=commits.after: there is no such point, but commit.after, commit.before"]
  ])("that %s stops the process at its start", (_, name, why) => {
    const ended = run(name)
    assert.strictEqual(ended.status, 1)
    assert.strictEqual(ended.stdout, "")
    assert.include(ended.stderr, why)
  })

  it.each(["", undefined])("is not armed by %j", (text) => {
    assert.isUndefined(parseFailPoint(text))
  })

  it.each(["commit", "commit.after:0", "commit.after:-1", "commit.after:1.5", "commit.after:x", "commit.after:", "Commit.after"])(
    "is not %j",
    (text) => {
      assert.throws(() => parseFailPoint(text), RangeError)
    }
  )

  it("is listed once it is declared, and its name is its own", () => {
    assert.deepStrictEqual(failPoints(), [])
    failPointsAround("post")
    failPoint("claim.after")
    assert.deepStrictEqual(failPoints(), ["claim.after", "post.after", "post.before"])
    assert.throws(() => failPointsAround("claim"), RangeError, "claim.after")
  })
})
