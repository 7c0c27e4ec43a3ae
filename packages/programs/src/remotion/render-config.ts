/** render-config.json: the composition of `remotion-script.ts` as a renderer asks for it, and its scenes, one a line. */
import { cited, jsonLines, type Value } from "../claims/json.ts"
import type { Artifact } from "../claims/model.ts"
import type { Project } from "../facts/project.ts"
import { searchedText } from "../mcp/none.ts"
import { idOf } from "./remotion-script.ts"
import { FRAMES_PER_SECOND, framesOf, NO_SCENES, type Scene, scenesOf } from "./scenes.ts"

const entryOf = ({ frames, from, lines, links, title }: Scene): Value => {
  const [first, ...rest] = lines.flatMap(({ evidence: [fact] }) => [fact])
  const entry = { scene: title, from, frames, lines: lines.map(({ text }) => text), links: links.map((link) => [link.from, link.to]) }
  return first === undefined ? entry : cited(entry, first, ...rest)
}

export const renderConfig = (project: Project): Artifact => {
  const scenes = scenesOf(project)
  return scenes.length === 0 ? jsonLines({ scenes: [], searched: searchedText(project, NO_SCENES) }) : jsonLines({
    entryPoint: "remotion-script.ts",
    composition: { id: idOf(project), width: 1920, height: 1080, fps: FRAMES_PER_SECOND, durationInFrames: framesOf(scenes) },
    output: `${idOf(project)}.mp4`,
    scenes: scenes.map(entryOf)
  })
}
