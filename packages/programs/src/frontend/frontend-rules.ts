/** frontend-rules.md: the rules that most components keep, with those that do not, for whoever writes the next component. */
import { absence, type Artifact, type Block } from "../claims/model.ts"
import { claimOf, page, rowOf, table } from "../claims/sections.ts"
import type { AnyFact, Fact } from "../facts/model.ts"
import { byText } from "../facts/order.ts"
import type { Project } from "../facts/project.ts"
import { callsWithin, type ComponentFact, componentsOf, searchedForMarkup, usesOfComponent } from "../map/interface.ts"
import { isTestFile, pathOf } from "../map/uses.ts"
import { code, count, listed, namesOf } from "../map/words.ts"

const MOST_ROWS = 15

/** What most do is a rule when one does otherwise at most for each three that do. */
const isRule = (keeping: number, breaking: number): boolean => keeping >= 2 && breaking * 3 <= keeping

/** A rule that components keep, and its exceptions by name; nothing where most do not keep it. */
const kept = (
  rule: string,
  components: ReadonlyArray<ComponentFact>,
  keeps: (component: ComponentFact) => boolean
): ReadonlyArray<Block> => {
  const [keeping, breaking] = [components.filter(keeps), components.filter((one) => !keeps(one))]
  if (!isRule(keeping.length, breaking.length)) return []
  const exceptions = breaking.length === 0 ? "" : `; not ${listed(namesOf(breaking), 4)}`
  return claimOf(`${rule}: ${keeping.length} of ${components.length}, such as ${listed(namesOf(keeping), 2)}${exceptions}.`, [
    ...breaking.slice(0, 2),
    ...keeping
  ])
}

const baseName = (path: string): string => path.slice(path.lastIndexOf("/") + 1).split(".", 1).join("")

const kebab = (name: string): string => name.replaceAll(/([a-z0-9])([A-Z])/gu, "$1-$2").toLowerCase()

/** Files that a framework names do not say how the project does. */
const isNamedByFramework = (component: ComponentFact): boolean =>
  /^(?:index|page|layout|route|_app|_document|main)$/u.test(baseName(pathOf(component)))

const names = (project: Project): ReadonlyArray<Block> => {
  const free = componentsOf(project).filter((one) => !isNamedByFramework(one))
  const isNamed = (style: (name: string) => string) => (one: ComponentFact) => baseName(pathOf(one)) === style(one.subject)
  return [
    ...kept("A file is named as its component", free, isNamed((name) => name)),
    ...kept("A file is named as its component in kebab case", free, isNamed(kebab)),
    ...kept(
      "A file is named as its component in lower case",
      free,
      (one) => baseName(pathOf(one)) === one.subject.toLowerCase() && !isNamed(kebab)(one)
    )
  ]
}

const symbolOf = (project: Project, component: ComponentFact): Fact<"symbol"> | undefined =>
  project.factsOf(pathOf(component), "symbol").find(({ evidence: [at], subject }) =>
    subject === component.subject && at.start_line === component.evidence[0].start_line
  )

const declarations = (project: Project): ReadonlyArray<Block> => {
  const known = componentsOf(project).flatMap((component) => {
    const symbol = symbolOf(project, component)
    return symbol === undefined ? [] : [{ component, signature: symbol.value.signature }]
  })
  const signatures = new Map(known.map(({ component, signature }) => [component, signature]))
  const components = known.map(({ component }) => component)
  const isWritten = (pattern: RegExp) => (one: ComponentFact) => pattern.test(signatures.get(one) ?? "")
  return [
    ...kept("Components are declared by `function`", components, isWritten(/\bfunction\b/u)),
    ...kept("Components are declared by `const`", components, isWritten(/\bconst\b/u)),
    ...kept("Components are declared by `class`", components, isWritten(/\bclass\b/u)),
    ...kept("Components are exported by `export default`", components, isWritten(/\bexport default\b/u)),
    ...kept("Components are exported by name", components, isWritten(/\bexport (?!default)/u))
  ]
}

const props = (project: Project): ReadonlyArray<Block> =>
  kept(
    "Props have types",
    componentsOf(project).filter(({ value }) => value.props.length > 0),
    ({ value }) => value.props.every(({ type }) => type !== "unknown")
  )

const HOOKS =
  /^(?:use(?:State|Reducer|Context|Ref|Signal|Store|SyncExternalStore|Query|SWR|Selector|Atom\w*)|ref|reactive|createSignal|createStore)$/u

const state = (project: Project): ReadonlyArray<Block> =>
  table(
    ["component", "keeps state by"],
    componentsOf(project).flatMap((component) => {
      const calls = callsWithin(project, component).filter(({ subject }) => HOOKS.test(subject))
      return calls.length === 0 ? [] : [{ component, calls }]
    }).toSorted((one, other) => other.calls.length - one.calls.length || byText(one.component.subject, other.component.subject))
      .slice(0, MOST_ROWS).flatMap(({ calls, component }) => {
        const hooks = Array.from(Map.groupBy(calls, ({ subject }) => subject), ([hook, group]) =>
          group.length === 1 ? code(hook) : `${code(hook)} ×${group.length}`)
        return rowOf([code(component.subject), hooks.join(", ")], calls)
      })
  )

const anyOf = (...patterns: ReadonlyArray<RegExp>): RegExp => new RegExp(patterns.map(({ source }) => source).join("|"), "u")

const STORES = anyOf(
  /^(?:zustand|jotai|recoil|mobx(?:-react.*)?|redux|@reduxjs\/toolkit|react-redux|pinia|vuex|xstate|valtio|nanostores)$/u,
  /^(?:swr|@tanstack\/[a-z]+-query|svelte\/store|@apollo\/client)$/u
)
const STYLES = anyOf(
  /\.(?:css|scss|sass|less)$/u,
  /^(?:styled-components|@emotion\/.+|@vanilla-extract\/.+|@stitches\/.+|tailwind-merge|clsx|classnames|class-variance-authority)$/u
)

const kindOfStyle = (target: string): string =>
  /\.module\.\w+$/u.test(target) ? "CSS modules" : /\.(?:css|scss|sass|less)$/u.test(target) ? "style sheets" : target

/** Modules of these names, with how many files import each. */
const modules = (project: Project, pattern: RegExp, nameOf: (target: string) => string): ReadonlyArray<Block> => {
  const imports = project.facts("import").filter((one) => pattern.test(one.subject) && !isTestFile(project, pathOf(one)))
  return Array.from(Map.groupBy(imports, ({ subject }) => nameOf(subject))).toSorted(([one], [other]) => byText(one, other))
    .flatMap(([name, group]) => {
      const targets = [...new Set(group.map(({ subject }) => subject))]
      const such = name === targets[0] ? "" : `: ${listed(targets, 3)}`
      return claimOf(`${name.includes(" ") ? name : code(name)} in ${count(new Set(group.map(pathOf)).size, "file")}${such}.`, group)
    })
}

const styling = (project: Project): ReadonlyArray<Block> => {
  const classes: ReadonlyArray<AnyFact> = project.facts("classes")
  const uses = project.facts("token-use").filter(({ value: { property } }) => property === null)
  return [
    ...modules(project, STYLES, kindOfStyle),
    ...claimOf(`Class names stand in ${listed(namesOf(project.facts("classes")), 6)}.`, classes),
    ...claimOf(`Code asks for ${listed(namesOf(uses), 6)} of the style sheets.`, uses)
  ]
}

const shared = (project: Project): ReadonlyArray<Block> =>
  table(
    ["component", "uses", "files"],
    componentsOf(project).map((component) => ({ component, uses: usesOfComponent(project, component) }))
      .filter(({ uses }) => uses.length > 1)
      .toSorted((one, other) => other.uses.length - one.uses.length || byText(one.component.subject, other.component.subject))
      .slice(0, MOST_ROWS).flatMap(({ component, uses }) =>
        rowOf([code(component.subject), String(uses.length), String(new Set(uses.map(pathOf)).size)], [component, ...uses])
      )
  )

export const frontendRules = (project: Project): Artifact => {
  const files = searchedForMarkup(project)
  return page(`How ${project.description.project_name} writes its interface`, [
    {
      title: "Names and declarations",
      blocks: [...names(project), ...declarations(project), ...props(project)],
      none: absence("No rule that components keep.", files)
    },
    { title: "State of components", blocks: state(project), none: absence("No state in a component.", files) },
    { title: "State outside of components", blocks: modules(project, STORES, (target) => target), none: absence("No store.", files) },
    { title: "Styling", blocks: styling(project), none: absence("No class name, style sheet or custom property in code.", files) },
    { title: "Shared components", blocks: shared(project), none: absence("No component that is used twice.", files) }
  ])
}
