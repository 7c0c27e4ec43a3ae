/** What the changelog says of each version, the latest first as it stands there. */
import type { Fact } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { memo } from "../map/memo.ts"
import { lineOf } from "../map/uses.ts"
import { CHANGELOG } from "./texts.ts"

export interface Change {
  readonly heading: Fact<"heading">
  readonly items: ReadonlyArray<Fact<"paragraph">>
}

const VERSION = /\d\.\d|unreleased|\d{4}-\d{2}/iu

/** Of the changelog nearest to the root. */
export const changesOf: (project: Project) => ReadonlyArray<Change> = memo((project) => {
  const [path] = project.paths.filter((one) => CHANGELOG.test(one) && project.factsOf(one, "heading").length > 0)
    .toSorted((one, other) => one.split("/").length - other.split("/").length)
  if (path === undefined) return []
  const headings = project.factsOf(path, "heading").filter(({ subject }) => VERSION.test(subject))
  const level = Math.min(...headings.map(({ value }) => value.level))
  const versions = headings.filter(({ value }) => value.level === level)
  const paragraphs = project.factsOf(path, "paragraph")
  return versions.map((heading, at) => {
    const next = versions[at + 1]
    const [from, to] = [lineOf(heading), next === undefined ? Infinity : lineOf(next)]
    return { heading, items: paragraphs.filter((one) => lineOf(one) > from && lineOf(one) < to) }
  })
})
