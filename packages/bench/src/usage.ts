/** Memory and processor time of other processes, as Linux tells them. Undefined on other systems. */
import { Clock, Effect } from "effect"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { cpus } from "node:os"

const read = (path: string): string | undefined => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return undefined
  }
}

/** Linux counts processor time in hundredths of a second on every platform that Node runs on. */
const TICKS_PER_SECOND = 100

interface Stat {
  readonly parent: number
  /** Used by itself. */
  readonly own: number
  /** Used by children that have ended. */
  readonly reaped: number
}

const stat = (pid: number): Stat | undefined => {
  // The name in parentheses may hold spaces; the fields are counted from behind it.
  const fields = read(`/proc/${pid}/stat`)?.replace(/^.*\) /s, "").split(" ")
  if (fields === undefined) return undefined
  const seconds = (at: number) => (Number(fields[at]) + Number(fields[at + 1])) / TICKS_PER_SECOND
  return { parent: Number(fields[1]), own: seconds(11), reaped: seconds(13) }
}

/** Processor seconds of a process. */
export const ownSeconds = (pid: number): number | undefined => stat(pid)?.own

/** Processor seconds of its children that have ended. */
export const reapedSeconds = (pid: number): number | undefined => stat(pid)?.reaped

/** Processor seconds of a process and of all children it ever had. */
export const familySeconds = (pid: number): number | undefined => {
  const found = stat(pid)
  if (found === undefined) return undefined
  const alive = readdirSync("/proc").filter((name) => /^\d+$/.test(name)).map((name) => stat(Number(name)))
  return alive.reduce((sum, other) => other?.parent === pid ? sum + other.own + other.reaped : sum, found.own + found.reaped)
}

/** Seconds that all cores of the machine were busy, since it was started. */
const busySeconds = (): number => cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0) / 1000

/** What the work gives, and how many cores of the machine were busy meanwhile, on average, with whatever. */
export const withBusyCores = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const [begun, before] = [yield* Clock.monotonicTimeNanos, busySeconds()]
    const value = yield* work
    const seconds = Number((yield* Clock.monotonicTimeNanos) - begun) / 1e9
    return { value, busy: (busySeconds() - before) / seconds }
  })

/** Resident memory now and at its highest, MiB. */
export const memory = (pid: number): { readonly now: number; readonly highest: number } | undefined => {
  const status = read(`/proc/${pid}/status`)
  const mebibytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status ?? "")?.[1]) / 1024
  return status === undefined ? undefined : { now: mebibytes("VmRSS"), highest: mebibytes("VmHWM") }
}

/** Lets the highest resident memory of a process count from now (proc(5), `clear_refs`). */
export const forgetHighest = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, "5")
