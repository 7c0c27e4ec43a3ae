/** voice-and-tone.md: how the project speaks, measured by where it speaks, with the sentences that stand out. */
import { absence, type Artifact, type Block } from "../claims/model.ts"
import { claimOf, page } from "../claims/sections.ts"
import type { Project } from "../facts/project.ts"
import { clip } from "../facts/text.ts"
import { memo } from "../map/memo.ts"
import { code } from "../map/words.ts"
import { type Surface, textsBySurface } from "../wording/texts.ts"
import { isImperative, median, saysWe, saysYou, type Sentence, sentencesOf } from "../wording/voice.ts"

const sentences: (project: Project) => ReadonlyMap<Surface, ReadonlyArray<Sentence>> = memo((project) =>
  new Map(
    Array.from(textsBySurface(project)).flatMap(([surface, texts]) => {
      const found = sentencesOf(texts)
      return found.length === 0 ? [] : [[surface, found] as const]
    })
  )
)

const byLength = (found: ReadonlyArray<Sentence>): ReadonlyArray<Sentence> => found.toSorted((one, other) => other.words - one.words)

const factsOf = (found: ReadonlyArray<Sentence>) => found.map(({ from }) => from.fact)

const SIGNS = [["you", saysYou], ["we", saysWe], ["orders", isImperative]] as const

/** Whom the sentences speak to and of, where they do. */
const parts = (found: ReadonlyArray<Sentence>): string =>
  SIGNS.flatMap(([name, holds]) => {
    const share = Math.round(100 * found.filter(holds).length / found.length)
    return share === 0 ? [] : [`, ${name} ${share} %`]
  }).join("")

/** The longest sentence shows where a reader gets lost first. */
const measured = (project: Project): ReadonlyArray<Block> =>
  Array.from(sentences(project)).flatMap(([surface, found]) => {
    const [longest] = byLength(found)
    if (longest === undefined) return []
    const quoted = code(clip(longest.text, 120))
    const size = found.length === 1
      ? `${longest.words} words, ${quoted}`
      : `${found.length} of ${median(found.map(({ words }) => words))}${parts(found)}; ${longest.words} in ${quoted}`
    return claimOf(`${surface}: ${size}`, factsOf(byLength(found)))
  })

const example = (project: Project, holds: (sentence: Sentence) => boolean): ReadonlyArray<Block> =>
  Array.from(sentences(project)).flatMap(([surface, found]) => {
    const one = found.find(holds)
    return one === undefined ? [] : claimOf(`${surface}: ${code(clip(one.text, 120))}`, factsOf([one]))
  }).slice(0, 3)

const contracted = ({ text }: Sentence): boolean =>
  /\b(?:don['’]t|can['’]t|won['’]t|isn['’]t|it['’]s|you['’]re|we['’]re|doesn['’]t)\b/iu.test(text)
const shouts = ({ text }: Sentence): boolean => /!$|!\s|\p{Extended_Pictographic}/u.test(text)

const tone = (project: Project): ReadonlyArray<Block> => {
  const all = [...sentences(project).values()].flat()
  const signs = [["contracted", contracted], ["with an emoji or a shout", shouts]] as const
  return signs.flatMap(([name, holds]) => {
    const found = all.filter(holds)
    const [first] = found
    return first === undefined ? [] : claimOf(`${found.length} ${name}: ${code(clip(first.text, 100))}`, factsOf(found))
  })
}

export const voiceAndTone = (project: Project): Artifact =>
  page(`${project.description.project_name}: voice`, [
    {
      title: "Median and longest sentence",
      blocks: measured(project),
      none: absence("No sentence.", project.searched())
    },
    { title: "Speaks to the reader", blocks: example(project, saysYou) },
    { title: "Speaks of itself", blocks: example(project, saysWe) },
    { title: "Tone", blocks: tone(project) }
  ])
