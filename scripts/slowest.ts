/**
 * A reporter of Vitest: its last lines say how to repeat the random runs of this commit, which files took the longest, and which took most
 * of the processor: a run that keeps all cores busy becomes shorter by these alone.
 */
import { relative } from "node:path"
import type { Reporter, TestModule } from "vitest/node"

const SLOWEST = 10
const DEAREST = 25

const seconds = (value: number): string => `${value.toFixed(1)} s`

export default class Slowest implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>): void {
    const files = modules.map((module) => {
      const { collectDuration, duration, environmentSetupDuration, prepareDuration, setupDuration } = module.diagnostic()
      return {
        path: relative(process.cwd(), module.moduleId),
        taken: (collectDuration + duration + environmentSetupDuration + prepareDuration + setupDuration) / 1000,
        processor: module.meta().processorSeconds ?? 0
      }
    })
    const slowest = files.toSorted((a, b) => b.taken - a.taken).slice(0, SLOWEST)
    const dearest = files.toSorted((a, b) => b.processor - a.processor).slice(0, DEAREST)
    const all = files.reduce((sum, { processor }) => sum + processor, 0)
    console.log(
      `random runs played part ${process.env["TEST_PART"]} of their numbers; TEST_PART=${
        process.env["TEST_PART"]
      } npm test repeats them, TEST_PART=all plays all`
    )
    console.log(`slowest files: ${slowest.map(({ path, taken }) => `${path} ${seconds(taken)}`).join(", ")}`)
    console.log(
      `processor time of ${seconds(all)} in workers and what they started: ${
        dearest.map(({ path, processor }) => `${path} ${seconds(processor)}`).join(", ")
      }`
    )
  }
}
