/** A reporter of Vitest: its last line names the ten files that took the longest. */
import { relative } from "node:path"
import type { Reporter, TestModule } from "vitest/node"

const SHOWN = 10

export default class Slowest implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>): void {
    const files = modules.map((module) => {
      const { collectDuration, duration, environmentSetupDuration, prepareDuration, setupDuration } = module.diagnostic()
      return { path: relative(process.cwd(), module.moduleId), ms: collectDuration + duration + environmentSetupDuration + prepareDuration + setupDuration }
    })
    const slowest = files.toSorted((a, b) => b.ms - a.ms).slice(0, SHOWN)
    console.log(`slowest files: ${slowest.map(({ ms, path }) => `${path} ${(ms / 1000).toFixed(1)} s`).join(", ")}`)
  }
}
