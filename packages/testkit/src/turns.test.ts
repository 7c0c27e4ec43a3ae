import { assert, describe, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, vi } from "vitest"
import { isTurnOf, numbersOf, partOf, partOfCommit, PARTS, SUITES } from "./turns.ts"

afterEach(() => void vi.unstubAllEnvs())

describe("the numbers of a long random run", () => {
  it("are played once in the parts of a week, none left out", () => {
    const parts = Array.from({ length: PARTS }, (_, part) => {
      vi.stubEnv("TEST_PART", String(part))
      return numbersOf("NOT_SET", 500)
    })
    assert.deepStrictEqual(parts.flat().toSorted((a, b) => a - b), Array.from({ length: 500 }, (_, n) => n))
    for (const part of parts) assert.include([71, 72], part.length)
  })

  it("are all played where no part is named, and where somebody asks for a count", () => {
    for (const part of [undefined, "all"]) {
      vi.stubEnv("TEST_PART", part)
      assert.strictEqual(numbersOf("NOT_SET", 500).length, 500)
    }
    vi.stubEnv("TEST_PART", "3")
    vi.stubEnv("ASKED", "10")
    assert.deepStrictEqual(numbersOf("ASKED", 500), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  })
})

describe("the part that a commit plays", () => {
  it("is of its tree alone", () => {
    const folder = mkdtempSync(join(tmpdir(), "svc-turns-"))
    const git = (...args: ReadonlyArray<string>) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], { cwd: folder, encoding: "utf8" }).trim()
    try {
      assert.strictEqual(partOfCommit(folder), 0)
      git("init", "-q")
      assert.strictEqual(partOfCommit(folder), 0)
      git("commit", "-q", "--allow-empty", "-m", "one")
      const part = partOfCommit(folder)
      assert.strictEqual(part, partOf(git("rev-parse", "HEAD^{tree}")))
      git("commit", "-q", "--allow-empty", "-m", "another message, at another time")
      assert.strictEqual(partOfCommit(folder), part)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it("is one of all of them", () => {
    const parts = new Set(Array.from({ length: 1000 }, (_, n) => partOf((n * 4_294_967).toString(16).padStart(8, "0"))))
    assert.deepStrictEqual(Array.from(parts).toSorted(), [0, 1, 2, 3, 4, 5, 6])
  })
})

describe("suites of servers that are killed, stormed or flooded", () => {
  it("are one for each part, and each has its turn", () => {
    const played = Array.from({ length: PARTS }, (_, part) => {
      vi.stubEnv("TEST_PART", String(part))
      return SUITES.filter((suite) => isTurnOf(suite))
    })
    for (const some of played) assert.lengthOf(some, 1)
    assert.sameMembers(Array.from(new Set(played.flat())), [...SUITES])
  })

  it("are all played where no part is named", () => {
    for (const part of [undefined, "all"]) {
      vi.stubEnv("TEST_PART", part)
      assert.isTrue(SUITES.every((suite) => isTurnOf(suite)))
    }
  })
})
