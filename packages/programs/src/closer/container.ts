/** Dockerfile and docker-compose.yml, in the root. */
import { comments } from "../claims/comments.ts"
import { type Artifact, claim } from "../claims/model.ts"
import { citationsAt } from "../claims/places.ts"
import { yaml } from "../claims/yaml.ts"
import { compose as composeOf } from "../delivery/compose.ts"
import { dockerfile as dockerfileOf } from "../delivery/dockerfile.ts"
import type { Project } from "../facts/project.ts"

/** The bundle has no `.dockerignore` for the root: one of the repository's own may be there, or be wanted otherwise. */
export const dockerfile = (project: Project): Artifact => dockerfileOf(project, { hasIgnoreFile: false })

const OWN = "docker-compose.yml"

/** The repository's own file of the same name stays: one that includes itself does not start. */
export const compose = (project: Project): Artifact => {
  const [own] = project.factsOf(OWN, "container")
  if (own === undefined) return composeOf(project, { folder: ".", dockerfile: "Dockerfile", develops: false })
  const [said] = comments("#", [claim(`The repository has a ${OWN}: keep that one.`, own)])
  return { ...yaml({ services: {} }, [said?.text.slice(2) ?? ""]), evidence: "cited", citations: citationsAt(1, [own]) }
}
