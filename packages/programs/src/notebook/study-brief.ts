/** study-brief.md: in which order to read, and why; at the end what a reader should be able to say. */
import { absence, type Artifact, type Block } from "../claims/model.ts"
import { claimOf, page } from "../claims/sections.ts"
import { byText } from "../facts/order.ts"
import type { Project } from "../facts/project.ts"
import { clip } from "../facts/text.ts"
import { documentsOf } from "../map/documents.ts"
import { fileGraph } from "../map/graph.ts"
import { entriesOf } from "../map/packages.ts"
import { exportsOf, isTestFile, roleOf, within } from "../map/uses.ts"
import { code, count, listed, namesOf } from "../map/words.ts"
import { mostUsed } from "./most-used.ts"

const MOST_DOCUMENTS = 3
const MOST_FILES = 20
const MOST_QUESTIONS = 8

const documents = (project: Project): ReadonlyArray<Block> =>
  documentsOf(project).slice(0, MOST_DOCUMENTS).flatMap(({ headings, path }) =>
    claimOf(`${code(path)}: ${clip(namesOf(headings).join(", "), 120)}`, headings)
  )

/** The files that most others lean on, each after those that it imports; entries come last, as what the rest is for. */
const files = (project: Project): ReadonlyArray<Block> => {
  const graph = fileGraph(project)
  const importers = (path: string) => graph.to(path).filter(({ from }) => !isTestFile(project, from))
  const entries = new Set(entriesOf(project).flatMap(({ path }) => path ?? []))
  const worth = graph.nodes.filter((path) => roleOf(project, path) === "source")
    .toSorted((one, other) =>
      Number(entries.has(other)) - Number(entries.has(one)) || importers(other).length - importers(one).length || byText(one, other)
    )
    .slice(0, MOST_FILES)
    .toSorted((one, other) =>
      graph.level(one) - graph.level(other) || importers(other).length - importers(one).length || byText(one, other)
    )
  const chosen = new Set(worth)
  return worth.flatMap((path) => {
    const [below, above] = [graph.from(path).map(({ to }) => to).filter((to) => chosen.has(to)), importers(path)]
    const reasons = [
      entries.has(path) ? "entry" : "",
      above.length > 0 ? `${count(above.length, "importer")}` : "",
      below.length > 0 ? `after ${listed(below, 3)}` : "",
      listed(namesOf(exportsOf(project, path)), 4)
    ].filter((reason) => reason !== "")
    const edges = [...above, ...graph.from(path)].map(({ imports }) => imports[0])
    return reasons.length === 0 ? [] : claimOf(`${code(path)}: ${reasons.join("; ")}`, [...exportsOf(project, path).slice(0, 1), ...edges])
  })
}

/** Questions whose answers stand at the places behind them. */
const questions = (project: Project): ReadonlyArray<Block> =>
  mostUsed(project).filter(({ uses }) => uses.length > 1).slice(0, MOST_QUESTIONS).flatMap(({ symbol, uses }) => {
    const needed = new Map(
      within(project, "call", symbol).flatMap((call) => {
        const callee = project.links.callee(call)
        return callee === undefined || callee === symbol ? [] : [[callee.subject, call] as const]
      })
    )
    return [
      ...claimOf(`Who uses ${code(symbol.subject)}, ${count(uses.length, "time")}?`, uses),
      ...claimOf(`What does ${code(symbol.subject)} need of ${listed([...needed.keys()], 3)}?`, [...needed.values()])
    ]
  })

export const studyBrief = (project: Project): Artifact => {
  const sources = project.searched({ roles: ["source"] })
  return page(`Reading ${project.description.project_name}`, [
    {
      title: "First",
      blocks: documents(project),
      none: absence("No document with headings.", project.searched({ roles: ["documentation"] }))
    },
    { title: "Then, each after what it imports", blocks: files(project), none: absence("No file imports another.", sources) },
    { title: "Questions to be able to answer", blocks: questions(project), none: absence("No symbol used twice.", sources) }
  ])
}
