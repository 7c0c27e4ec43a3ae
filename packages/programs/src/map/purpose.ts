/** What a file is for, in the repository's own words. */
import type { AnyFact } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { clip } from "../facts/text.ts"
import { exportsOf } from "./uses.ts"

export interface Purpose {
  readonly text: string
  readonly fact: AnyFact
}

const MOST = 120

/** Comments for tools, addresses and notices say nothing of what a file is for. */
const NO_PURPOSE = /^(?:(?:es|ts|style)lint|prettier|biome|oxlint|@ts-|istanbul|c8|v8|https?:|TODO|FIXME|Copyright|Licen[cs]ed|SPDX|#)/iu

const saying = (text: string | null, fact: AnyFact, before = ""): ReadonlyArray<Purpose> =>
  text === null || text === "" || NO_PURPOSE.test(text) ? [] : [{ text: clip(`${before}${text}`, MOST), fact }]

/** The comment at its head, or that of the first thing it exports; of a document its title, of a manifest its description, of tests one. */
export const purposeOf = (project: Project, path: string): Purpose | undefined =>
  [
    ...project.factsOf(path, "symbol").filter(({ value }) => value.kind === "module").flatMap((one) => saying(one.value.doc, one)),
    ...exportsOf(project, path).flatMap((one) => saying(one.value.doc, one, `${one.subject}: `)),
    ...project.factsOf(path, "manifest").flatMap((one) => saying(one.value.description, one, `${one.subject}: `)),
    ...project.factsOf(path, "heading").flatMap((one) => saying(one.subject, one)),
    ...project.factsOf(path, "test").flatMap((one) => saying(one.value.suite ?? one.subject, one))
  ][0]
