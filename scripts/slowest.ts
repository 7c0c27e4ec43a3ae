/** A reporter of Vitest: its last lines say how to repeat the random runs of this commit, and which ten files took the longest. */
import { relative } from "node:path"
import type { Reporter, TestModule } from "vitest/node"

const SHOWN = 10

export default class Slowest implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>): void {
    const files = modules.map((module) => {
      const { collectDuration, duration, environmentSetupDuration, prepareDuration, setupDuration } = module.diagnostic()
      return {
        path: relative(process.cwd(), module.moduleId),
        ms: collectDuration + duration + environmentSetupDuration + prepareDuration + setupDuration
      }
    })
    const slowest = files.toSorted((a, b) => b.ms - a.ms).slice(0, SHOWN)
    console.log(
      `random runs played part ${process.env["TEST_PART"]} of their numbers; TEST_PART=${
        process.env["TEST_PART"]
      } npm test repeats them, TEST_PART=all plays all`
    )
    console.log(`slowest files: ${slowest.map(({ ms, path }) => `${path} ${(ms / 1000).toFixed(1)} s`).join(", ")}`)
  }
}
