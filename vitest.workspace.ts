/** Every test of the repository: one project per package, one Postgres for the whole run. */
import { readdirSync } from "node:fs"
import { defineConfig } from "vitest/config"

const folders = readdirSync(new URL("packages/", import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)
  .sort()

const limits = {
  // A test may be the first to ask for the database, and then waits for initdb and the migrations.
  testTimeout: 30_000,
  hookTimeout: 60_000,
  pool: "forks",
  environment: "node"
} as const

/**
 * Tests that kill servers, storm them or hold them to the seconds an operator may wait. They use the whole machine and read
 * real clocks, so they run one after another, after all others.
 */
const alone = [
  "kills/kills.test.ts",
  "kills/due.test.ts",
  "storm/storm.test.ts",
  "flood/flood.test.ts",
  "agents/spending/spending.test.ts",
  "lost-replies/lost-replies.test.ts",
  "test-clocks/http.test.ts",
  "browser/checkout.test.ts",
  "browser/invoice.test.ts",
  "browser/portal.test.ts",
  "browser/states.test.ts",
  "browser/subscription.test.ts"
]

export default defineConfig({
  test: {
    reporters: ["default"],
    // Two workers at least, so that a test that waits for the database does not hold up the others.
    maxWorkers: process.env["CI"] === undefined ? "75%" : 2,
    globalSetup: ["./packages/testkit/src/global-setup.ts"],
    projects: [
      ...folders.map((name) => ({
        test: { ...limits, name, root: `packages/${name}`, include: ["src/**/*.test.ts"], exclude: alone.map((file) => `**/src/${file}`) }
      })),
      { test: { ...limits, name: "scripts", root: "scripts", include: ["*.test.ts"] } },
      {
        test: {
          ...limits,
          name: "alone",
          root: "packages",
          include: alone.map((file) => `*/src/${file}`),
          fileParallelism: false,
          sequence: { groupOrder: 1 }
        }
      }
    ]
  }
})
