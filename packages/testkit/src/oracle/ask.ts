/** Asks the oracle: one Python process for all questions, on the time zones that this runtime knows. For tests. */
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { transitionsOf, type Years, zoneFile } from "./time-zone-files.ts"

const PYTHON = "python3"

/** Whether there is a Python that knows time zones. Where not, the tests that need one say so and are skipped. */
export const hasPython: boolean = spawnSync(PYTHON, ["-c", "import zoneinfo"]).status === 0

/** What the oracle knows of the world's clocks. */
export interface Known extends Years {
  readonly zones: Iterable<string>
}

const writeZones = (folder: string, { zones, ...years }: Known): void => {
  for (const zone of zones) {
    const path = join(folder, zone)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, zoneFile(transitionsOf(zone, years)))
  }
}

/** The oracle's answer to each question, in their order, read from its JSON by `decode`. Throws with what Python said when it fails. */
export const ask = <A>(questions: ReadonlyArray<object>, known: Known, decode: (json: string) => A): ReadonlyArray<A> => {
  const folder = mkdtempSync(join(tmpdir(), "billing-oracle-"))
  try {
    writeZones(folder, known)
    const input = questions.map((question) => `${JSON.stringify(question)}\n`).join("")
    const { error, status, stderr, stdout } = spawnSync(PYTHON, ["-B", join(import.meta.dirname, "oracle.py"), folder], {
      input,
      encoding: "utf8",
      maxBuffer: 2 ** 30
    })
    if (error !== undefined || status !== 0) throw new Error(`The oracle failed: ${error?.message ?? stderr.slice(-2000)}`)
    return stdout.trimEnd().split("\n").map((line) => decode(line))
  } finally {
    rmSync(folder, { recursive: true })
  }
}
