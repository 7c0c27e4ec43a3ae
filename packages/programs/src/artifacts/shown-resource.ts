/** Resources of a server: routes that begin with the same word, and the schema that the word names. */
import { inUse } from "../debug/sites.ts"
import type { Fact } from "../facts/model.ts"
import { byText } from "../facts/order.ts"
import type { Project } from "../facts/project.ts"
import { memo } from "../map/memo.ts"
import { pathOf, routesOf } from "../map/uses.ts"

export type RouteFact = Fact<"route">
export type SchemaFact = Fact<"schema">

export interface Resource {
  /** The first word of its paths; empty for the root. */
  readonly name: string
  readonly routes: readonly [RouteFact, ...ReadonlyArray<RouteFact>]
}

/** `/api` and `/v1` stand before what a path is about. */
const PREFIX = /^(?:api|rest|v\d{1,3})$/iu
const WORD = /^[A-Za-z][\w.-]*$/u

const wordOf = (path: string): string => path.split("/").find((part) => WORD.test(part) && !PREFIX.test(part)) ?? ""

/** Those with most routes first. */
export const resourcesOf: (project: Project) => ReadonlyArray<Resource> = memo((project) =>
  Array.from(Map.groupBy(inUse(project, routesOf(project)), ({ value }) => wordOf(value.path))).flatMap(
    ([name, routes]): ReadonlyArray<Resource> => {
      const [first, ...rest] = routes
      return first === undefined ? [] : [{ name, routes: [first, ...rest] }]
    }
  ).toSorted((one, other) => other.routes.length - one.routes.length || byText(one.name, other.name))
)

const singular = (name: string): string =>
  name.toLowerCase().replaceAll(/[^a-z0-9]+/gu, "").replace(/ies$/u, "y").replace(/(?<=[a-z]{2})s$/u, "")

/** Schemas of the project's own code, those of most imports first. */
export const modelsOf: (project: Project) => ReadonlyArray<SchemaFact> = memo((project) => {
  const importers = (schema: SchemaFact): number =>
    project.links.importers(pathOf(schema)).filter(({ value }) => value.names.includes(schema.subject)).length
  return inUse(project, project.facts("schema")).filter(({ value: { fields } }) => fields.length > 0)
    .map((schema) => ({ schema, importers: importers(schema) }))
    .toSorted((one, other) => other.importers - one.importers).map(({ schema }) => schema)
})

const modelByName: (project: Project) => ReadonlyMap<string, SchemaFact> = memo((project) =>
  new Map(modelsOf(project).toReversed().map((schema) => [singular(schema.subject), schema]))
)

/** The schema that has the resource's name, in the singular or the plural. */
export const modelOf = (project: Project, { name }: Resource): SchemaFact | undefined =>
  name === "" ? undefined : modelByName(project).get(singular(name))

/** A parameter of a path, as routers write it, such as `:id`, `{id}`, `<int:id>` and `[id]`. */
const PARAMETER = /:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\}|<(?:\w+:)?([A-Za-z_]\w*)>|\[([A-Za-z_]\w*)\]/gu
const PLAIN = /^[\w/.~@%+-]*$/u

export interface Address {
  /** Names of its parameters. */
  readonly parameters: ReadonlyArray<string>
  /** The path within a template literal; `of` gives the expression of a parameter. */
  readonly template: (of: (parameter: string) => string) => string
}

/** How a route is called; undefined for wildcards and patterns, which name no address. */
export const addressOf = ({ value: { path } }: RouteFact): Address | undefined => {
  if (!PLAIN.test(path.replaceAll(PARAMETER, "")) || !path.startsWith("/")) return undefined
  const nameIn = (groups: ReadonlyArray<string | undefined>): string => groups.find((group) => group !== undefined) ?? ""
  return {
    parameters: Array.from(path.matchAll(PARAMETER), ([, ...groups]) => nameIn(groups)),
    template: (of) => path.replaceAll(PARAMETER, (_, ...groups) => `\${${of(nameIn(groups.slice(0, 4)))}}`)
  }
}

export const isGet = ({ value: { method } }: RouteFact): boolean => method === "GET"

/** `refund` of `POST /orders/:id/refund`; else the method. */
export const actionName = ({ value: { method, path } }: RouteFact): string => {
  const last = path.split("/").filter((part) => part !== "").at(-1) ?? ""
  return WORD.test(last) ? last : method.toLowerCase()
}
