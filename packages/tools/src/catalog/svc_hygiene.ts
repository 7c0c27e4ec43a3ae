/** What a repository should not hold, and what it lacks. */
import { Effect, Schema } from "effect"
import { backend } from "../backend.ts"
import { between, filesWithin, may, whole } from "../fields.ts"
import { Hygiene, HygieneReport } from "../services/hygiene.ts"
import { tool } from "../tool.ts"

const MIB = 1024 * 1024
const coverage = may(between(0, 1))

export const svc_hygiene = tool({
  name: "svc_hygiene",
  title: "Check code hygiene",
  description: "Grades files, A to F. scan is free; fix adds a plan; engineer adds patch and SARIF, and always costs its price.",
  auth: "key",
  kind: "inline",
  prices: { standard: 5, lite: 2, engineer: 500 },
  price: ({ mode = "scan" }, called, fixed) => mode === "fix" || called === "engineer" ? fixed : 0,
  serviceWork: true,
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  limits: { seconds: 30, bytes: 6 * MIB },
  payload: Schema.Struct({
    files: filesWithin({ files: 200, each: 5 * MIB, total: 5 * MIB }),
    mode: may(Schema.Literals(["scan", "fix"])),
    config: may(Schema.Struct({
      maxFileBytes: may(whole(1, 5 * MIB)),
      coverageA: coverage,
      coverageB: coverage,
      coverageC: coverage,
      todoDebtThreshold: may(whole(0, 10_000))
    }))
  }),
  result: HygieneReport,
  examples: [{ files: [{ path: "index.js", content: "// TODO\n" }] }, { mode: "fix", files: [{ path: "index.js", content: "// TODO\n" }] }],
  ready: backend(Hygiene),
  run: ({ config = {}, files, mode = "scan" }, call) =>
    Effect.flatMap(backend(Hygiene), ({ inspect }) => inspect({ files, fix: mode === "fix" || call.mode === "engineer", config }, call))
})
