/** slide-art-prompts.json: what may be drawn on each slide: own pictures, the import graph, versions and tests, in own colours. */
import { cited, jsonLines, type Value } from "../claims/json.ts"
import { type Artifact, evidenceOf } from "../claims/model.ts"
import type { AnyFact } from "../facts/model.ts"
import { byText } from "../facts/order.ts"
import type { Project } from "../facts/project.ts"
import { clip } from "../facts/text.ts"
import { assetsOf } from "../map/assets.ts"
import { diagramOf } from "../map/diagram.ts"
import { coloursOf, fontsOf, type Swatch } from "../map/palette.ts"
import { pathOf } from "../map/uses.ts"
import { changesOf } from "../wording/changes.ts"

const MOST = 6

interface Prompt {
  readonly slide: string
  readonly draw: string
  readonly prompt: string
  readonly facts: ReadonlyArray<AnyFact>
}

/** Pictures that documents show already, with the words that stand for them. */
const pictures = (project: Project): ReadonlyArray<Prompt> =>
  assetsOf(project).filter(({ format, missing, uses }) => !missing && uses.length > 0 && /^(?:png|jpg|gif|svg|webp)$/u.test(format))
    .slice(0, 2).map(({ path, uses }) => ({
      slide: "It is",
      draw: "picture",
      prompt: [path, uses.find(({ alt }) => alt !== null && alt !== "")?.alt].filter((text) => text !== undefined).join(": "),
      facts: uses.map(({ fact }) => fact)
    }))

/** The boxes that most lines of the import graph lead to and from. */
const graph = (project: Project): ReadonlyArray<Prompt> => {
  const edges = diagramOf(project).edges.toSorted((one, other) =>
    other.imports.length - one.imports.length || byText(`${one.from} ${one.to}`, `${other.from} ${other.to}`)
  ).slice(0, MOST)
  return edges.length === 0 ? [] : [{
    slide: "Does",
    draw: "boxes and arrows",
    prompt: edges.map(({ from, to }) => `${from} → ${to}`).join("; "),
    facts: edges.map(({ imports: [first] }) => first)
  }]
}

const bars = (project: Project): ReadonlyArray<Prompt> => {
  const files = [...Map.groupBy(project.facts("test"), pathOf)].toSorted(([one, some], [other, others]) =>
    others.length - some.length || byText(one, other)
  ).slice(0, MOST)
  return files.length < 2 ? [] : [{
    slide: "Held by",
    draw: "bars of tests",
    prompt: files.map(([path, tests]) => `${path} ${tests.length}`).join("; "),
    facts: files.flatMap(([, tests]) => tests.slice(0, 1))
  }]
}

const line = (project: Project): ReadonlyArray<Prompt> => {
  const headings = changesOf(project).slice(0, MOST).map(({ heading }) => heading)
  return headings.length < 2
    ? []
    : [{
      slide: "Changed",
      draw: "line of versions",
      prompt: headings.map(({ subject }) => clip(subject, 40)).join(" ← "),
      facts: headings
    }]
}

const swatches = (found: ReadonlyArray<Swatch>): ReadonlyArray<Value> =>
  found.slice(0, MOST).flatMap(({ names, tokens, written }) => {
    const evidence = evidenceOf(tokens)
    return evidence === undefined ? [] : [cited({ value: written, name: names[0] }, ...evidence)]
  })

export const slideArtPrompts = (project: Project): Artifact => {
  const prompts = [...pictures(project), ...graph(project), ...bars(project), ...line(project)].flatMap(({ facts, ...prompt }) => {
    const evidence = evidenceOf(facts)
    return evidence === undefined ? [] : [cited(prompt, ...evidence)]
  })
  const [colours, fonts] = [swatches(coloursOf(project)), swatches(fontsOf(project))]
  return prompts.length + colours.length + fonts.length === 0
    ? jsonLines({ prompts: [], searched: `No picture, import, test, version or colour to draw. Searched: ${project.searched()} files.` })
    : jsonLines({ prompts, colours, fonts })
}
