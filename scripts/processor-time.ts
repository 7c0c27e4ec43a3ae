/** A setup file of Vitest: how much processor time a test file takes, for the last lines of a run (`slowest.ts`). */
import { readFileSync } from "node:fs"
import { afterAll } from "vitest"

declare module "vitest" {
  interface TaskMeta {
    /** Of the worker while the file ran, and of the programs that it started and that have ended. */
    processorSeconds?: number
  }
}

/** Linux counts the time of ended children in hundredths of a second; other systems do not tell it. */
const ofChildren = (): number => {
  try {
    // The name in parentheses may hold spaces: fields are counted from behind it.
    const fields = readFileSync("/proc/self/stat", "utf8").replace(/^.*\) /s, "").split(" ")
    return (Number(fields[13]) + Number(fields[14])) / 100
  } catch {
    return 0
  }
}

const now = (): number => {
  const { system, user } = process.cpuUsage()
  return (user + system) / 1e6 + ofChildren()
}

const before = now()

// oxlint-disable-next-line no-empty-pattern -- Vitest takes nothing else in the first place.
afterAll(({}, file) => {
  file.meta.processorSeconds = now() - before
})
