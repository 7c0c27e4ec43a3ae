/** What a repository should not hold, and what it lacks. */
import { backend } from "@svc/tool-kit/backend"
import { between, filesWithin, may, whole } from "@svc/tool-kit/fields"
import { Hygiene, HygieneFailure, HygieneReport } from "@svc/tool-kit/services/hygiene"
import { tool } from "@svc/tool-kit/tool"
import { Effect, Schema } from "effect"

const MIB = 1024 * 1024
const coverage = may(between(0, 1))

export const svc_hygiene = tool({
  name: "svc_hygiene",
  title: "Code hygiene",
  description: "Grades files, A to F. scan is free; fix adds a plan; engineer adds patch and SARIF, and always costs its price.",
  auth: "key",
  kind: "outside",
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
  error: HygieneFailure,
  examples: [{ files: [{ path: "index.js", content: "// TODO\n" }] }, { mode: "fix", files: [{ path: "index.js", content: "// TODO\n" }] }],
  services: [Hygiene],
  ready: backend(Hygiene),
  run: ({ config = {}, files, mode = "scan" }, call) =>
    Effect.flatMap(backend(Hygiene), ({ inspect }) => inspect({ files, fix: mode === "fix" || call.mode === "engineer", config }, call))
})
