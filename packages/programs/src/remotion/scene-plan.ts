/** scene-plan.md: when each scene is shown, and what it is made of: what to change where the film is too long. */
import { absence, type Artifact, type Block, claim } from "../claims/model.ts"
import { page } from "../claims/sections.ts"
import type { Project } from "../facts/project.ts"
import { framesOf, NO_SCENES, type Scene, scenesOf } from "./scenes.ts"

const planned = ({ frames, from, lines: [first], links: [link] }: Scene): ReadonlyArray<Block> =>
  first === undefined
    ? []
    : [claim(`${first.markdown}: ${from}–${from + frames - 1}`, first.evidence[0], ...link?.evidence.slice(0, 1) ?? [])]

export const scenePlan = (project: Project): Artifact => {
  const scenes = scenesOf(project)
  return page(project.description.project_name, [
    {
      title: `${framesOf(scenes)} frames`,
      blocks: scenes.flatMap(planned),
      none: absence(NO_SCENES, project.searched())
    }
  ])
}
