/** Memory and processor time of other processes, as Linux tells them. Undefined on other systems. */
import { readdirSync, readFileSync } from "node:fs"

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
  readonly ticks: number
}

const stat = (pid: number): Stat | undefined => {
  // The name in parentheses may hold spaces; the fields are counted from behind it.
  const fields = read(`/proc/${pid}/stat`)?.replace(/^.*\) /s, "").split(" ")
  return fields === undefined ? undefined : { parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) }
}

/** Processor seconds used by a process and, with `children`, by its living children. */
export const cpuSeconds = (pid: number, children = false): number | undefined => {
  const own = stat(pid)
  if (own === undefined) return undefined
  let ticks = own.ticks
  if (children) {
    for (const name of readdirSync("/proc")) {
      const other = /^\d+$/.test(name) ? stat(Number(name)) : undefined
      if (other?.parent === pid) ticks += other.ticks
    }
  }
  return ticks / TICKS_PER_SECOND
}

/** Resident memory now and at its highest, MiB. */
export const memory = (pid: number): { readonly now: number; readonly highest: number } | undefined => {
  const status = read(`/proc/${pid}/status`)
  const mebibytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status ?? "")?.[1]) / 1024
  return status === undefined ? undefined : { now: mebibytes("VmRSS"), highest: mebibytes("VmHWM") }
}
