/** What a project says that it is, and what it calls itself: in its manifests, its README and on its pages. */
import type { AnyFact, Fact } from "../facts/model.ts"
import { byText } from "../facts/order.ts"
import type { Project } from "../facts/project.ts"
import { listedText } from "../map/listings.ts"
import { memo } from "../map/memo.ts"
import { isTestFile, pathOf } from "../map/uses.ts"
import { README } from "./texts.ts"

export interface Statement {
  /** Such as `description of package.json`. */
  readonly source: string
  readonly text: string
  readonly fact: AnyFact
}

const depth = (fact: Fact): number => pathOf(fact).split("/").length

/** Those nearest to the root first. */
export const nearestRoot = <F extends AnyFact>(facts: ReadonlyArray<F>): ReadonlyArray<F> =>
  facts.toSorted((one, other) => depth(one) - depth(other) || byText(pathOf(one), pathOf(other)))

const MOST = 3
/** Fewer words describe nothing. */
const FEWEST_WORDS = 4
const describes = (text: string): boolean => text.split(/\s/u).filter((word) => /^[\p{L}\p{N}]/u.test(word)).length >= FEWEST_WORDS

export const rootReadme = (project: Project): string | undefined => project.paths.find((path) => README.test(path))

/** The first paragraph of the README that says something: badges and links to translations do not. */
const introduction = (project: Project): Fact<"paragraph"> | undefined => {
  const path = rootReadme(project)
  return path === undefined ? undefined : project.factsOf(path, "paragraph").find(({ value }) => describes(value.text))
}

const title = (project: Project): Fact<"heading"> | undefined => {
  const path = rootReadme(project)
  return path === undefined ? undefined : project.factsOf(path, "heading")[0]
}

/** Folders of files that are no part of the product. */
const APART = /(?:^|\/)(?:tests?|__tests__|fixtures?|__fixtures__|examples?|templates?|node_modules)\//u
const isOwn = (project: Project) => (fact: Fact): boolean => !isTestFile(project, pathOf(fact)) && !APART.test(pathOf(fact))

/** Of one depth: packages of a workspace describe themselves and not the whole. */
const manifests = (project: Project): ReadonlyArray<Fact<"manifest">> => {
  const [first, ...rest] = nearestRoot(project.facts("manifest").filter(isOwn(project)))
  return first === undefined ? [] : [first, ...rest.filter((other) => depth(other) === depth(first))].slice(0, MOST)
}

/** A page that lies deeper is one of many. */
const DEEPEST = 4

const elements = (project: Project, subjects: RegExp): ReadonlyArray<Fact<"element">> =>
  nearestRoot(project.facts("element").filter((one) => subjects.test(one.subject) && isOwn(project)(one) && depth(one) <= DEEPEST))
    .slice(0, MOST)

const said = ({ value: { attributes, text } }: Fact<"element">): string => attributes["content"] ?? text

const compute = (project: Project): ReadonlyArray<Statement> => {
  const first = introduction(project)
  return [
    ...manifests(project).flatMap((manifest) =>
      project.factsOf(pathOf(manifest), "listing").filter(({ subject }) => subject === "description").map((fact) => ({
        source: `description of ${pathOf(fact)}`,
        text: listedText(fact),
        fact
      }))
    ),
    ...first === undefined ? [] : [{ source: `first paragraph of ${pathOf(first)}`, text: first.value.text, fact: first }],
    ...elements(project, /^meta:(?:og:)?description$/u).map((fact) => ({
      source: `${fact.subject} of ${pathOf(fact)}`,
      text: said(fact),
      fact
    }))
  ].filter(({ text }) => text !== "" && !text.includes("{{"))
}

export const statementsOf: (project: Project) => ReadonlyArray<Statement> = memo(compute)

/** What the project is called by its manifests, its README and its pages. */
export const namesSaid: (project: Project) => ReadonlyArray<Statement> = memo((project) => {
  const head = title(project)
  return [
    ...manifests(project).map((fact) => ({ source: `name of ${pathOf(fact)}`, text: fact.subject, fact })),
    ...head === undefined ? [] : [{ source: `title of ${pathOf(head)}`, text: head.subject, fact: head }],
    ...elements(project, /^(?:title|meta:og:site_name)$/u).filter((fact) => !pathOf(fact).endsWith(".svg")).map((fact) => ({
      source: `${fact.subject} of ${pathOf(fact)}`,
      text: said(fact),
      fact
    }))
  ].filter(({ text }) => text !== "" && !text.includes("{{"))
})

const PEOPLE = [
  "teams|developers|people|anyone|everyone|companies|businesses|merchants|engineers|shops|researchers|students|beginners",
  "organi[sz]ations|those who|authors|maintainers|designers|agents"
]
const AUDIENCE = new RegExp(String.raw`\b(?:for|helps?|aimed at|intended for) (?:${PEOPLE.join("|")})\b`, "iu")
const ABOUT_AUDIENCE = /^(?:who|audience|for whom|use cases?|intended)\b/iu

/** Sentences of documents that say for whom it is. */
export const audienceOf = (project: Project): ReadonlyArray<Fact<"paragraph">> =>
  nearestRoot(project.facts("paragraph").filter(({ value }) => AUDIENCE.test(value.text) || ABOUT_AUDIENCE.test(value.under ?? ""))).slice(
    0,
    MOST
  )
