/** Every test of the repository, over one Postgres for the whole run. docs/decisions/0053-tests-without-isolation.md gives the reasons. */
import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"
import { partOfCommit } from "./packages/testkit/src/turns.ts"
import { LongestFirst } from "./scripts/longest-first.ts"

// Long random runs play one part of their numbers a commit.
process.env["TEST_PART"] ??= String(partOfCommit(import.meta.dirname))

/**
 * Tests that kill servers, storm them or hold them to the seconds an operator may wait need the whole machine: one after another, at the
 * end. So does the charge budget: what a server allocates beside requests counts to them, and the longer a loaded machine takes for its
 * rounds, the more that is.
 */
const alone = [
  "packages/bench/src/budget/budget.test.ts",
  "packages/testkit/src/kills/kills.test.ts",
  "packages/testkit/src/kills/due.test.ts",
  "packages/testkit/src/storm/storm.test.ts",
  "packages/testkit/src/flood/flood.test.ts",
  "packages/testkit/src/agents/spending/spending.test.ts",
  "packages/testkit/src/lost-replies/lost-replies.test.ts"
]

/**
 * Tests that must not meet what other files left in their process: the registries of id prefixes and of fail points, and the size of the
 * heap. Readers of hostile files are ended by force, which can leave the memory of all parsers of their process broken; the service ends
 * such a process.
 */
const isolated = [
  "packages/programs/src/confined/*.test.ts",
  "packages/programs/src/**/hostile.test.ts",
  "packages/programs/src/facts/deadline.test.ts",
  "packages/kernel/src/values/ids.test.ts",
  "packages/kernel/src/parts/fail-points.test.ts",
  "packages/testkit/src/agents/fuzz/fuzz.test.ts"
]

/** Tests leave much garbage that dies young: in the 16 MB that Node.js gives it, collecting it takes a twelfth of a worker's time. */
const execArgv = ["--min-semi-space-size=64", "--max-semi-space-size=64"]

const common = {
  // A test may be the first to ask for the database, and then waits for initdb and the migrations, on a machine that does much else.
  testTimeout: 90_000,
  hookTimeout: 120_000,
  pool: "forks",
  environment: "node",
  execArgv,
  // A worker loads each module once for all of its files. `npm run prove` runs each file in a process of its own.
  isolate: process.env["TEST_ISOLATION"] === "files"
} as const

/** Node runs the sources as the service does, from its compile cache, without Vite between. */
const experimental = { viteModuleRunner: false, nodeLoader: false }
const setupFiles = ["./scripts/processor-time.ts"]

export default defineConfig({
  test: {
    experimental,
    sequence: { sequencer: LongestFirst },
    reporters: ["default", "./scripts/slowest.ts"],
    // Three on two cores: a third of their time tests wait, for the database and for programs that they start.
    maxWorkers: Math.max(3, Math.floor(availableParallelism() * 0.75)),
    globalSetup: ["./packages/testkit/src/global-setup.ts"],
    projects: [
      {
        test: {
          ...common,
          experimental,
          setupFiles,
          name: "together",
          include: ["packages/*/src/**/*.test.ts", "scripts/**/*.test.ts"],
          exclude: [...alone, ...isolated]
        }
      },
      { test: { ...common, experimental, setupFiles, name: "isolated", include: isolated, isolate: true } },
      { test: { ...common, experimental, setupFiles, name: "alone", include: alone, fileParallelism: false, sequence: { groupOrder: 1 } } }
    ]
  }
})
