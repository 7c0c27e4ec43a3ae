/** A program makes artifacts of a project's facts. Pure: the same facts give the same bytes. */
import type { Artifact } from "./claims/model.ts"
import type { Project } from "./facts/project.ts"

export interface ArtifactMaker {
  readonly path: string
  readonly make: (project: Project) => Artifact
}

/** One folder each: `program.ts` lists what it makes, in the order of the contract; one file an artifact. */
export interface ProgramMaker {
  readonly name: string
  readonly artifacts: ReadonlyArray<ArtifactMaker>
}
