/** `svc doctor`: what works on this machine, what does not, and what to do about it. */
import { Effect } from "effect"
import { Command } from "effect/cli"
import { checks } from "../doctor/checks.ts"
import { CommandFailed } from "../failure.ts"
import { print } from "../output.ts"

const marks = { ok: "ok  ", note: "note", failed: "FAIL" } as const

export const doctor = Command.make(
  "doctor",
  {},
  Effect.fnUntraced(function*() {
    let failed = 0
    for (const { check, name } of checks) {
      const finding = yield* check
      if (finding.mark === "failed") failed++
      yield* print({ check: name, ...finding }, `${marks[finding.mark]}  ${name.padEnd(12)}  ${finding.says}`)
    }
    if (failed > 0) return yield* new CommandFailed({ message: `${failed} of ${checks.length} checks failed.` })
  })
).pipe(Command.withDescription("Check Node, settings, packages, data folder, database, ports and credentials"))
