/** component-guidelines.md: how each component is used, and where a use and its component do not agree. */
import { absence, type Artifact, type Block } from "../claims/model.ts"
import { claimOf, page, rowOf, table } from "../claims/sections.ts"
import { byText } from "../facts/order.ts"
import type { Project } from "../facts/project.ts"
import { clip } from "../facts/text.ts"
import {
  type ComponentFact,
  componentOf,
  componentsOf,
  rendersOf,
  rendersWithin,
  searchedForMarkup,
  usesOfComponent
} from "../map/interface.ts"
import { pathOf, routesOf } from "../map/uses.ts"
import { code, listed, namesOf } from "../map/words.ts"

const MOST_ROWS = 30
const MOST = 20

const propsText = ({ value: { props } }: ComponentFact): string =>
  props.slice(0, 8).map(({ name, required, type }) => `${name}${required ? "" : "?"}${type === "unknown" ? "" : `: ${clip(type, 30)}`}`)
    .join("; ")

const inventory = (project: Project): ReadonlyArray<Block> =>
  table(
    ["component", "props", "used by", "uses"],
    componentsOf(project).map((component) => ({ component, uses: usesOfComponent(project, component) }))
      .toSorted((one, other) => other.uses.length - one.uses.length || byText(one.component.subject, other.component.subject))
      .slice(0, MOST_ROWS).flatMap(({ component, uses }) => {
        const users = [...new Set(uses.map((use) => use.value.within ?? pathOf(use)))]
        return rowOf(
          [code(component.subject), propsText(component), listed(users, 3), listed(namesOf(rendersWithin(project, component)), 4)],
          [component, ...uses]
        )
      })
  )

/** Names of properties, as `day` or `Day` or `the-day` write them. */
const plain = (name: string): string => name.replaceAll("-", "").toLowerCase()

/** What frameworks take themselves. */
const OF_FRAMEWORK = /^(?:key|ref|children|class|classname|style|id|slot|is|data.*|aria.*|on[a-z]+)$/u

const disagreements = (project: Project): ReadonlyArray<Block> =>
  rendersOf(project).flatMap((render): ReadonlyArray<Block> => {
    const component = componentOf(project, render)
    if (component === undefined || component.value.props.length === 0) return []
    const given = new Set(render.value.props.map(plain))
    const declared = new Set(component.value.props.map(({ name }) => plain(name)))
    const missing = given.has("...")
      ? []
      : component.value.props.filter(({ name, required, type }) =>
        required && type !== "unknown" && plain(name) !== "children" && !given.has(plain(name))
      )
    const unknown = render.value.props.filter((name) => name !== "..." && !declared.has(plain(name)) && !OF_FRAMEWORK.test(plain(name)))
    const said = [
      ...missing.length === 0 ? [] : [`without ${listed(missing.map(({ name }) => name), 4)}, which it requires`],
      ...unknown.length === 0 ? [] : [`with ${listed(unknown, 4)}, which it does not declare`]
    ]
    return said.length === 0 ? [] : claimOf(`${code(render.subject)} is used ${said.join(", and ")}.`, [render, component])
  }).slice(0, MOST)

/** One name, several types: whoever passes the value on has to know which is meant. */
const namesakes = (project: Project): ReadonlyArray<Block> => {
  const props = componentsOf(project).flatMap((component) => component.value.props.map((prop) => ({ component, prop })))
  return Array.from(Map.groupBy(props.filter(({ prop }) => prop.type !== "unknown"), ({ prop }) => prop.name))
    .toSorted(([one], [other]) => byText(one, other)).flatMap(([name, group]) => {
      const types = Map.groupBy(group, ({ prop }) => prop.type)
      if (types.size < 2) return []
      const said = Array.from(
        types,
        ([type, some]) => `${code(clip(type, 40))} of ${listed(namesOf(some.map(({ component }) => component)), 2)}`
      )
      return claimOf(`${code(name)} is ${said.slice(0, 4).join(", ")}.`, group.map(({ component }) => component))
    }).slice(0, MOST)
}

/** Nothing of the project uses their markup, imports their file or leads a route to it. */
const unused = (project: Project): ReadonlyArray<Block> => {
  const entered = new Set([
    ...routesOf(project).map(pathOf),
    ...project.facts("entry").map(({ value }) => value.target.replace(/^\.\//u, ""))
  ])
  const found = componentsOf(project).filter((component) => {
    const path = pathOf(component)
    const isEntry = entered.has(path) || /(?:^|\/)(?:layout|template|error|loading|not-found|_app|_document|main|index)\.\w+$/u.test(path)
    const isImported = project.links.importers(path).some(({ value: { names } }) =>
      names.includes(component.subject) || names.includes("default") || names.some((name) => name.startsWith("*"))
    )
    return !isEntry && !isImported && usesOfComponent(project, component).length === 0
  })
  return found.slice(0, MOST).flatMap((component) => claimOf(`${code(component.subject)}: no use found.`, [component]))
}

export const componentGuidelines = (project: Project): Artifact => {
  const files = searchedForMarkup(project)
  return page(`${project.description.project_name}: its components`, [
    { title: "Components", blocks: inventory(project), none: absence("No component.", files) },
    { title: "Uses that differ", blocks: disagreements(project), none: absence("No use that differs.", files) },
    {
      title: "Props of several types",
      blocks: namesakes(project),
      none: absence("No prop of several types.", files)
    },
    { title: "Unused", blocks: unused(project) }
  ])
}
