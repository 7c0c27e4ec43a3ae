/**
 * Long random runs take turns: `npm test` plays one part of their numbers, `npm run prove` all at once. Which part the commit's tree says,
 * so that the same commit plays the same numbers at any hour, and seven commits on average all of them. The part is in `TEST_PART`, which
 * vitest.workspace.ts sets and prints: `TEST_PART=3 npm test` repeats what another commit played.
 */
import { spawnSync } from "node:child_process"

export const PARTS = 7

/** The part of a tree, by git's name of it. */
export const partOf = (tree: string): number => Number.parseInt(tree.slice(0, 8), 16) % PARTS

/** The part of the commit that is checked out. The first one where git does not know this folder. */
export const partOfCommit = (folder: string): number => {
  const { status, stdout } = spawnSync("git", ["rev-parse", "HEAD^{tree}"], { cwd: folder, encoding: "utf8" })
  return status === 0 ? partOf(stdout) : 0
}

/** This commit's part of a long list: every seventh of it. */
export const partOfList = <A>(list: ReadonlyArray<A>): ReadonlyArray<A> => {
  const part = process.env["TEST_PART"] ?? "all"
  return part === "all" ? list : list.filter((_, n) => n % PARTS === Number(part))
}

/** The numbers to play: this commit's part of `usual`, or all of as many as the variable asks for. */
export const numbersOf = (variable: string, usual: number): ReadonlyArray<number> => {
  const asked = process.env[variable]
  const numbers = Array.from({ length: Number(asked ?? usual) }, (_, n) => n)
  return asked === undefined ? partOfList(numbers) : numbers
}

/** Suites of a minute or two: servers that are killed, stormed or flooded. */
export const SUITES = ["kills", "due", "storm", "spending", "flood", "killed-analyses"] as const

/** Whether this commit plays the suite: it plays one of them. `npm run prove` plays all, and `TEST_PART=all npm test -- <file>` any. */
export const isTurnOf = (suite: (typeof SUITES)[number]): boolean => {
  const part = process.env["TEST_PART"] ?? "all"
  return part === "all" || SUITES.indexOf(suite) === Number(part) % SUITES.length
}

/** What such a suite is called, played or left out. */
export const IN_TURN = "in its turn, or with TEST_PART=all"
