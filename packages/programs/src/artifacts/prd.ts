/** prd.md: what the code does now, by what can be asked of it and by what tests hold; what is open; what only people know. */
import { code, list } from "../claims/inline.ts"
import { absence, type Artifact, type Block, claim, question } from "../claims/model.ts"
import { claimOf, page, rowOf, table } from "../claims/sections.ts"
import { inUse } from "../debug/sites.ts"
import { byText } from "../facts/order.ts"
import type { Project } from "../facts/project.ts"
import { clip } from "../facts/text.ts"
import { documentsOf } from "../map/documents.ts"
import { pathOf } from "../map/uses.ts"
import { listed } from "../map/words.ts"
import { type Known, knownOperations } from "./operations.ts"

const MOST = 25
const MOST_OPEN = 12
const MOST_QUESTIONS = 8

/** Its own words, as a quotation. */
const says = (project: Project): ReadonlyArray<Block> => {
  const [manifest] = project.facts("manifest").filter(({ value }) => value.description !== null)
  const [document] = documentsOf(project)
  const [paragraph] = document?.paragraphs ?? []
  return [
    ...(paragraph === undefined ? [] : [claim(`"${clip(paragraph.value.text)}"`, paragraph)]),
    ...(manifest?.value.description == null || paragraph !== undefined
      ? []
      : [claim(`${code(manifest.subject)}: "${clip(manifest.value.description)}"`, manifest)])
  ]
}

const does = (project: Project): ReadonlyArray<Block> =>
  table(
    ["does", "by", "in its own words"],
    knownOperations(project).slice(0, MOST).flatMap(({ operation, symbol }) =>
      rowOf(
        [
          code(operation.name),
          operation.handler === null || operation.handler === operation.name ? "" : code(operation.handler, 60),
          operation.description === null ? "" : clip(operation.description, 120)
        ],
        symbol === undefined ? [operation.evidence[0]] : [operation.evidence[0], symbol]
      )
    )
  )

const held = (project: Project): ReadonlyArray<Block> =>
  Array.from(Map.groupBy(project.facts("test"), (test) => `${pathOf(test)}\n${test.value.suite ?? ""}`))
    .toSorted(([one, some], [other, others]) => others.length - some.length || byText(one, other)).slice(0, MOST_OPEN).flatMap(
      ([, tests]) => {
        const suite = tests[0]?.value.suite ?? null
        const names = tests.slice(0, 3).map(({ subject }) => code(subject, 80)).join("; ")
        const more = tests.length > 3 ? `; ${tests.length - 3} more` : ""
        return claimOf(`${suite === null ? "" : `${code(suite, 60)}: `}${names}${more}`, tests)
      }
    )

/** Nothing is said of tests where none is known: then the reader knows of no tests, and not of untested code. */
const untested = (project: Project): ReadonlyArray<Known> =>
  project.facts("test").length === 0 ? [] : knownOperations(project).filter(({ tests }) => tests.length === 0)

const open = (project: Project): ReadonlyArray<Block> => [
  ...inUse(project, project.facts("todo")).slice(0, MOST_OPEN).map((todo) => claim(code(todo.value.text, 160), todo)),
  ...Array.from(Map.groupBy(untested(project), ({ operation }) => operation.path))
    .slice(0, MOST_OPEN).flatMap(([path, known]) =>
      claimOf(
        `${code(path)}, imported by no test: ${listed(known.map(({ operation: { name } }) => name), 6)}`,
        known.map(({ operation: { evidence } }) => evidence[0])
      )
    )
]

const isUnsaid = ({ documents, operation: { description, kind } }: Known): boolean =>
  description === null && documents.length === 0 && kind !== "function"

const questions = (project: Project): ReadonlyArray<Block> => {
  const known = knownOperations(project)
  const unsaid = [...new Set(known.filter(isUnsaid).map(({ operation }) => operation.name))]
  const deleting = known.filter(({ operation }) => operation.effects?.destructive === true).map(({ operation }) => operation.name)
  return [
    ...(unsaid.length === 0 ? [] : [question(`Whom are ${listed(unsaid, MOST_QUESTIONS)} for?`)]),
    ...(deleting.length === 0 ? [] : [question(`Who may call ${listed(deleting, MOST_QUESTIONS)}, and can it be undone?`)])
  ]
}

export const prd = (project: Project): Artifact => {
  const sources = project.searched({ roles: ["source", "test"] })
  const frameworks = [...new Set(project.facts("test").map(({ value }) => value.framework))]
  return page(`${project.description.project_name}: what it does`, [
    { title: "Says of itself", blocks: says(project) },
    { title: "Can be asked", blocks: does(project), none: absence("No route, command or exported function.", sources) },
    { title: frameworks.length === 0 ? "" : `Held by ${list(frameworks)}`, blocks: held(project) },
    { title: "Open", blocks: open(project) },
    { title: "To decide", blocks: questions(project) }
  ])
}
