/** The programs that make artifacts of a repository. */
import { Effect, Schema } from "effect"
import { Program, programs } from "@svc/programs/programs"
import { tool } from "../tool.ts"

export const list_programs = tool({
  name: "list_programs",
  title: "List programs",
  description: "The 21 programs that analyze a repository, and the artifacts that each makes.",
  auth: "none",
  kind: "inline",
  prices: "free",
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  limits: { seconds: 1, bytes: 1024 },
  payload: Schema.Struct({}),
  result: Schema.Struct({ programs: Schema.Array(Program), program_count: Schema.Natural, artifact_count: Schema.Natural }),
  examples: [{}],
  run: () =>
    Effect.succeed({
      programs,
      program_count: programs.length,
      artifact_count: programs.reduce((sum, { artifacts }) => sum + artifacts.length, 0)
    })
})
