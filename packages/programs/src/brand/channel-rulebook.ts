/** channel-rulebook.md: where the project speaks, what it says there now, and in which form. */
import { absence, type Artifact, type Block } from "../claims/model.ts"
import { page, rowOf, table } from "../claims/sections.ts"
import type { Project } from "../facts/project.ts"
import { clip } from "../facts/text.ts"
import { code } from "../map/words.ts"
import { type ProjectText, textsBySurface } from "../wording/texts.ts"
import { median } from "../wording/voice.ts"

/** Headings and labels are no sentences, and end without a stop. */
const sentences = (texts: ReadonlyArray<ProjectText>): ReadonlyArray<ProjectText> => {
  const prose = texts.filter(({ fact }) => fact.kind !== "heading")
  return prose.length === 0 ? texts : prose
}

const endsInStop = ({ text }: ProjectText): boolean => /[.!?:…]$/u.test(text)
const isCapital = ({ text }: ProjectText): boolean => /^\P{L}*\p{Lu}/u.test(text)

const part = (texts: ReadonlyArray<ProjectText>, holds: (text: ProjectText) => boolean): string =>
  `${texts.filter(holds).length}/${texts.length}`

/** Of a single text nothing is usual. */
const habit = (texts: ReadonlyArray<ProjectText>, holds: (text: ProjectText) => boolean): string =>
  texts.length < 2 ? "" : part(texts, holds)

/** The text of middle length: what is usual there. */
const usual = (texts: ReadonlyArray<ProjectText>): ProjectText | undefined => {
  const length = median(texts.map(({ text }) => text.length))
  return texts.find(({ text }) => text.length === length)
}

const forms = (project: Project): ReadonlyArray<Block> =>
  table(
    ["channel", "capital", "stop", "such as"],
    Array.from(textsBySurface(project)).flatMap(([surface, all]) => {
      const texts = sentences(all)
      const one = usual(texts)
      const cells = [surface, habit(texts, isCapital), habit(texts, endsInStop), one === undefined ? "" : code(clip(one.text, 80))]
      return one === undefined ? [] : rowOf(cells, [one.fact, ...texts.filter((text) => text !== one).map(({ fact }) => fact)])
    })
  )

interface Habit {
  readonly name: string
  readonly holds: (text: ProjectText) => boolean
}

const HABITS: ReadonlyArray<Habit> = [{ name: "capital", holds: isCapital }, { name: "stop", holds: endsInStop }]
/** One of so many that does otherwise is an exception; more are a second habit. */
const RARE = 5

/** Where a channel does mostly one thing, a place that does the other. */
const exceptions = (project: Project): ReadonlyArray<Block> =>
  table(
    ["channel", "mostly", "but"],
    Array.from(textsBySurface(project)).flatMap(([surface, all]) => {
      const texts = sentences(all)
      return HABITS.flatMap(({ holds, name }) => {
        const [yes, no] = [texts.filter(holds), texts.filter((text) => !holds(text))]
        const [mostly, others] = yes.length >= no.length ? [name, no] : [`no ${name}`, yes]
        const [first] = others
        return first === undefined || others.length * RARE > texts.length
          ? []
          : rowOf(
            [surface, `${mostly}, ${texts.length - others.length}/${texts.length}`, code(clip(first.text, 80))],
            others.map(({ fact }) => fact)
          )
      })
    })
  )

export const channelRulebook = (project: Project): Artifact =>
  page(`${project.description.project_name}: channels`, [
    { title: "Form", blocks: forms(project), none: absence("No text for people.", project.searched()) },
    { title: "Exceptions", blocks: exceptions(project) }
  ])
