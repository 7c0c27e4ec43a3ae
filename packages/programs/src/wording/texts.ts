/** What a project says to people, and where: in documents, on pages, in errors, logs, mails, commands and listings. */
import type { AnyFact, Fact } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { listedText } from "../map/listings.ts"
import { memo } from "../map/memo.ts"
import { isTestFile, pathOf } from "../map/uses.ts"

export const surfaces = ["README", "documents", "changelog", "pages", "mails", "commands", "errors", "log", "listings"] as const
export type Surface = (typeof surfaces)[number]

export interface ProjectText {
  readonly surface: Surface
  readonly text: string
  readonly fact: AnyFact
}

export const CHANGELOG = /(?:^|\/)(?:changelog|changes|history|releases?|news)(?:\.[a-z]+)?$/iu
export const README = /^readme(?:\.[a-z]+)?$/iu

const surfaceOf = (path: string): Surface => README.test(path) ? "README" : CHANGELOG.test(path) ? "changelog" : "documents"

/** Elements whose words people read; of `meta` what it holds. */
const textOf = ({ subject, value: { attributes, text } }: Fact<"element">): string | undefined =>
  /^(?:a|button|h1|h2|label|title)$/u.test(subject)
    ? text
    : /^meta:(?:description|og:title|og:description)$/u.test(subject)
    ? attributes["content"]
    : undefined

/** Text of a template has other words when it is shown. */
const isTemplate = (text: string): boolean => /\{\{|\$\{|<%|\{%/u.test(text)

const compute = (project: Project): ReadonlyArray<ProjectText> => {
  const said = (surface: Surface, text: string | null | undefined, fact: AnyFact): ReadonlyArray<ProjectText> =>
    text === null || text === undefined || text.trim() === "" || isTestFile(project, pathOf(fact)) ? [] : [{ surface, text, fact }]
  return [
    ...project.facts("heading").flatMap((fact) => said(surfaceOf(pathOf(fact)), fact.subject, fact)),
    ...project.facts("paragraph").flatMap((fact) => said(surfaceOf(pathOf(fact)), fact.value.text, fact)),
    ...project.facts("element").flatMap((fact) => isTemplate(textOf(fact) ?? "") ? [] : said("pages", textOf(fact), fact)),
    ...project.facts("mail").flatMap((fact) => said("mails", fact.value.title, fact)),
    ...project.facts("command").flatMap((fact) => said("commands", fact.value.description, fact)),
    ...project.facts("error").flatMap((fact) => fact.value.style === "catch" ? [] : said("errors", fact.value.message, fact)),
    ...project.facts("log").flatMap((fact) => said("log", fact.value.message, fact)),
    ...project.facts("listing").flatMap((fact) => fact.subject === "description" ? said("listings", listedText(fact), fact) : [])
  ]
}

export const textsOf: (project: Project) => ReadonlyArray<ProjectText> = memo(compute)

/** The texts of each surface that has some, in one order. */
export const textsBySurface: (project: Project) => ReadonlyMap<Surface, ReadonlyArray<ProjectText>> = memo((project) => {
  const groups = Map.groupBy(textsOf(project), ({ surface }) => surface)
  return new Map(surfaces.flatMap((surface) => {
    const group = groups.get(surface)
    return group === undefined ? [] : [[surface, group] as const]
  }))
})
