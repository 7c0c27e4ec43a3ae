/** Which files count: those that run. Tests, documents and examples only tell of payments. */
import type { AnyFact } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { memo } from "../map/memo.ts"

const TOLD = /(?:^|\/)(?:docs?|documentation|examples?|samples?|demos?|mocks?|__mocks__)\//iu

const sourcesOf = memo((project: Project): ReadonlySet<string> => {
  const generated = new Set(project.facts("generated").map(({ evidence: [{ path }] }) => path))
  return new Set(
    project.facts("file").filter(({ subject, value }) => value.role === "source" && !TOLD.test(subject) && !generated.has(subject))
      .map(({ subject }) => subject)
  )
})

const isSource = (project: Project, path: string): boolean => sourcesOf(project).has(path)

/** How many files count, which is what an absence has searched. */
export const searchedSources = (project: Project): number => sourcesOf(project).size

export const inSources = <F extends AnyFact>(project: Project, facts: ReadonlyArray<F>): ReadonlyArray<F> =>
  facts.filter(({ evidence: [{ path }] }) => isSource(project, path))
