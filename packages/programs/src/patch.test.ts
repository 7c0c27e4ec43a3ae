import { assert, describe, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { type Change, unifiedDiff } from "./patch.ts"

/** What `git apply` makes of the files of the changes. */
const applied = (changes: ReadonlyArray<Change>): ReadonlyArray<string> => {
  const folder = mkdtempSync(join(tmpdir(), "patch-"))
  try {
    for (const { before, path } of changes) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), before)
    }
    const patch = unifiedDiff(changes)
    const git = (...args: ReadonlyArray<string>) =>
      execFileSync("git", ["-c", "core.autocrlf=false", "apply", "--whitespace=nowarn", ...args], { cwd: folder, input: patch })
    git("--check")
    git()
    return changes.map(({ path }) => readFileSync(join(folder, path), "utf8"))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const many = Array.from({ length: 12_000 }, (_, at) => `line ${at}`)

describe("a unified diff", () => {
  it.each<readonly [what: string, change: Change]>([
    ["a plain file", { path: "a.ts", before: "one \ntwo\n", after: "one\ntwo\n" }],
    ["a name with spaces", { path: "my folder/my file.ts", before: "one \n", after: "one\n" }],
    ["a name with quotes, a backslash and letters beyond ASCII", { path: `ä"b\\c😀.ts`, before: "one \n", after: "one\n" }],
    ["a name that looks like a header", { path: "b/--- a", before: "one \n", after: "one\n" }],
    ["no end of line at the end", { path: "a.ts", before: "one", after: "one\n" }],
    ["no end of line before and after", { path: "a.ts", before: "one \ntwo", after: "one\ntwo" }],
    ["CRLF", { path: "a.ts", before: "one \r\ntwo\r\n", after: "one\r\ntwo\r\n" }],
    ["a mix of ends", { path: "a.ts", before: "one\r\ntwo\nthree\r\n", after: "one\r\ntwo\r\nthree\r\n" }],
    ["a byte order mark", { path: "a.ts", before: "\ufeffone\n", after: "one\n" }],
    ["lines that look like a diff", { path: "a.ts", before: "--- a\n+++ b \n@@ -1 +1 @@\n", after: "--- a\n+++ b\n@@ -1 +1 @@\n" }],
    ["more lines than are compared", { path: "a.ts", before: many.join(" \n"), after: `${many.join("\n")}\n` }]
  ])("of %s applies", (_, change) => {
    assert.deepStrictEqual(applied([change]), [change.after])
  })

  it("of several files applies, and says nothing of those that stay", () => {
    const changes = ["a.ts", "b c.ts"].map((path) => ({ path, before: "one \n", after: "one\n" }))
    assert.deepStrictEqual(applied(changes), ["one\n", "one\n"])
    assert.strictEqual(unifiedDiff([{ path: "c.ts", before: "same\n", after: "same\n" }]), "")
  })
})
