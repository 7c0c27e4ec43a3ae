/** storyboard.md: scene by scene what is seen, for whoever speaks over the film or decides what is left out. */
import { markdown } from "../claims/markdown.ts"
import { absence, type Artifact, claim, heading } from "../claims/model.ts"
import type { Project } from "../facts/project.ts"
import { NO_SCENES, type Scene, scenesOf } from "./scenes.ts"

const secondsOf = (frames: number): string => `${Math.floor(frames / 30)} s`

const said = ({ lines, links }: Scene) => [
  ...lines.map(({ evidence, markdown }) => claim(markdown, ...evidence)),
  ...links.map(({ evidence, markdown }) => claim(markdown, ...evidence))
]

export const storyboard = (project: Project): Artifact => {
  const scenes = scenesOf(project)
  return markdown([
    heading(1, `${project.description.project_name}: a film`),
    ...(scenes.length === 0 ? [absence(NO_SCENES, project.searched())] : []),
    ...scenes.flatMap((scene) => [heading(2, `${scene.title}, ${secondsOf(scene.frames)}`), ...said(scene)])
  ])
}
