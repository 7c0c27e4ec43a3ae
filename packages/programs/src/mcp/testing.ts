/** mcp/testing-documentation-polish-artifacts.md: which tools have tests and documents, and which have neither. */
import { markdown } from "../claims/markdown.ts"
import { type Artifact, type Block, claim, evidenceOf, heading, question } from "../claims/model.ts"
import type { Fact } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { nothingInMarkdown } from "./none.ts"
import { NO_OPERATIONS, type Operation, operationsOf } from "./operations.ts"

/** Imports of the operation's file by tests. */
const testsOf = (project: Project, { path }: Operation): ReadonlyArray<Fact<"import">> =>
  project.links.importers(path).filter(({ evidence: [at] }) => project.factsOf(at.path, "test").length > 0)

/** Paragraphs and code of documents that name it. */
const documentsOf = (project: Project, { handler, name, kind }: Operation) => {
  const word = kind === "route" ? name.replace(/^\S+ /u, "") : handler ?? name
  return word.length < 4 ? [] : [
    ...project.facts("paragraph").filter(({ value }) => value.text.includes(word)),
    ...project.facts("code-block").filter(({ value }) => value.text.includes(word))
  ]
}

interface Covered {
  readonly operation: Operation
  readonly tests: ReadonlyArray<Fact<"import">>
  readonly documents: ReturnType<typeof documentsOf>
}

const row = ({ documents, operation, tests }: Covered) => ({
  cells: [
    `\`${operation.tool}\``,
    tests.slice(0, 2).map(({ evidence: [{ path }] }) => `\`${path}\``).join(" ") || "none",
    documents.slice(0, 2).map(({ evidence: [{ path }] }) => `\`${path}\``).join(" ") || "none"
  ],
  evidence: [operation.evidence[0], ...tests.slice(0, 1), ...documents.slice(0, 1)] as const
})

const missing = (what: string, covered: ReadonlyArray<Covered>): ReadonlyArray<Block> => {
  const evidence = evidenceOf(covered.map(({ operation }) => operation.evidence[0]))
  return evidence === undefined
    ? []
    : [claim(`${what}: ${covered.slice(0, 12).map(({ operation }) => `\`${operation.name}\``).join(", ")}`, ...evidence)]
}

export const testingArtifacts = (project: Project): Artifact => {
  const operations = operationsOf(project)
  if (operations.length === 0) return nothingInMarkdown(project, "Tests and documents", NO_OPERATIONS)
  const covered = operations.map((operation) => ({
    operation,
    tests: testsOf(project, operation),
    documents: documentsOf(project, operation)
  }))
  const untested = missing("No test imports the file of", covered.filter(({ tests }) => tests.length === 0))
  const undocumented = missing("No document names", covered.filter(({ documents }) => documents.length === 0))
  return markdown([
    heading(1, `Tests and documents of ${project.description.project_name}'s tools`),
    { block: "table", columns: ["tool", "tested from", "documented in"], rows: covered.map(row) },
    ...(untested.length + undocumented.length === 0 ? [] : [heading(2, "Missing"), ...untested, ...undocumented]),
    ...(untested.length === 0 ? [] : [question("Which of the untested tools may an agent call without a human's approval?")])
  ])
}
