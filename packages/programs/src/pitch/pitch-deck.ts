/** pitch-deck.md and pitch-deck.json: the slides of a pitch, quoted and counted; what only people know is asked. */
import { cited, jsonLines, type Value } from "../claims/json.ts"
import { absence, type Artifact, evidenceOf, question } from "../claims/model.ts"
import { claimOf, page } from "../claims/sections.ts"
import type { Project } from "../facts/project.ts"
import { NOTHING, questionsOf, slidesOf } from "./slides.ts"

export const pitchDeck = (project: Project): Artifact => {
  const slides = slidesOf(project)
  const title = project.description.project_name
  if (slides.length === 0) return page(title, [{ title: "Slides", blocks: [], none: absence(NOTHING, project.searched()) }])
  return page(title, [
    ...slides.map((slide) => ({ title: slide.title, blocks: slide.points.flatMap(({ facts, text }) => claimOf(text, facts)) })),
    { title: "Ask", blocks: questionsOf(project).map(question) }
  ])
}

export const pitchDeckJson = (project: Project): Artifact => {
  const slides = slidesOf(project)
  const title = project.description.project_name
  if (slides.length === 0) return jsonLines({ title, slides: [], searched: `${NOTHING} Searched: ${project.searched()} files.` })
  return jsonLines({
    title,
    slides: slides.map((slide) => ({
      title: slide.title,
      points: slide.points.flatMap(({ facts, text }): ReadonlyArray<Value> => {
        const evidence = evidenceOf(facts)
        return evidence === undefined ? [] : [cited(text.replaceAll("`", ""), ...evidence)]
      })
    })),
    questions: questionsOf(project)
  })
}
