/** What engineers get besides: an endpoint, a test of it with test money, and the evidence of the score. */
import type { Project } from "../../facts/project.ts"
import { endpoint, type EngineerArtifact } from "./endpoint.ts"
import { evidencePack } from "./evidence-pack.ts"
import type { Guard } from "./guard.ts"
import { sandboxTest } from "./sandbox-test.ts"

/** In this order: the endpoint, its test, the evidence, the schema of the evidence. */
export const engineerArtifacts = (project: Project, guard: Guard): ReadonlyArray<EngineerArtifact> => [
  endpoint(project, guard),
  sandboxTest(project, guard),
  ...evidencePack(project, guard)
]
