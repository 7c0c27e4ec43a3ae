/** The programs that make artifacts of a repository. */
import { DescribedProgram, describedPrograms } from "@svc/programs/about"
import { generatorsOf, programs } from "@svc/programs/programs"
import { tool } from "@svc/tool-kit/tool"
import { Effect, Schema } from "effect"

const listed = describedPrograms.map((program) => ({ ...program, generators: generatorsOf(program) }))

export const list_programs = tool({
  name: "list_programs",
  title: "List programs",
  description: "The 21 programs that analyze a repository, with their generators and artifacts.",
  auth: "none",
  kind: "inline",
  prices: "free",
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  limits: { seconds: 1, bytes: 1024 },
  payload: Schema.Struct({}),
  result: Schema.Struct({
    programs: Schema.Array(
      Schema.Struct({
        ...DescribedProgram.fields,
        generators: Schema.Array(Schema.String.annotate({ description: "One an artifact, in their order" }))
      })
    ),
    program_count: Schema.Natural,
    generator_count: Schema.Natural,
    artifact_count: Schema.Natural
  }),
  examples: [{}],
  run: () =>
    Effect.succeed({
      programs: listed,
      generator_count: listed.reduce((sum, { generators }) => sum + generators.length, 0),
      program_count: programs.length,
      artifact_count: programs.reduce((sum, { artifacts }) => sum + artifacts.length, 0)
    })
})
