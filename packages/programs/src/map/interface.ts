/** The interface of a project: components, their uses, and elements of markup, of what is shipped and not of tests or examples. */
import { inUse } from "../debug/sites.ts"
import type { Fact } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { memo } from "./memo.ts"
import { lineOf, pathOf } from "./uses.ts"

export type ComponentFact = Fact<"component">
export type ElementFact = Fact<"element">
export type RenderFact = Fact<"render">

export const componentsOf: (project: Project) => ReadonlyArray<ComponentFact> = memo((project) =>
  inUse(project, project.facts("component"))
)
export const elementsOf: (project: Project) => ReadonlyArray<ElementFact> = memo((project) => inUse(project, project.facts("element")))
export const rendersOf: (project: Project) => ReadonlyArray<RenderFact> = memo((project) => inUse(project, project.facts("render")))
export const tokensOf: (project: Project) => ReadonlyArray<Fact<"token">> = memo((project) => inUse(project, project.facts("token")))
export const tokenUsesOf: (project: Project) => ReadonlyArray<Fact<"token-use">> = memo((project) =>
  inUse(project, project.facts("token-use"))
)

/** `order-row` of a template is `OrderRow`. */
const canonical = (name: string): string => name.replaceAll(/(?:^|-)([a-z])/gu, (_, letter: string) => letter.toUpperCase())

const componentsByName: (project: Project) => ReadonlyMap<string, ReadonlyArray<ComponentFact>> = memo((project) =>
  Map.groupBy(componentsOf(project), ({ subject }) => subject)
)

/** The component that a tag means, where only one has its name. */
export const componentOf = (project: Project, { subject }: RenderFact): ComponentFact | undefined => {
  const found = componentsByName(project).get(subject) ?? componentsByName(project).get(canonical(subject))
  return found?.length === 1 ? found[0] : undefined
}

const rendersByComponent: (project: Project) => ReadonlyMap<ComponentFact, ReadonlyArray<RenderFact>> = memo((project) => {
  const found = new Map<ComponentFact, Array<RenderFact>>()
  for (const render of rendersOf(project)) {
    const component = componentOf(project, render)
    if (component === undefined) continue
    const uses = found.get(component)
    if (uses === undefined) found.set(component, [render])
    else uses.push(render)
  }
  return found
})

/** Where its markup is used. */
export const usesOfComponent = (project: Project, component: ComponentFact): ReadonlyArray<RenderFact> =>
  rendersByComponent(project).get(component) ?? []

const isWithin = (fact: Fact, { evidence: [{ end_line, start_line }] }: ComponentFact): boolean =>
  lineOf(fact) >= start_line && lineOf(fact) <= end_line

/** Components that its own markup uses. */
export const rendersWithin = (project: Project, component: ComponentFact): ReadonlyArray<RenderFact> =>
  project.factsOf(pathOf(component), "render").filter((render) => isWithin(render, component))

/** Calls and elements within its lines. */
export const callsWithin = (project: Project, component: ComponentFact): ReadonlyArray<Fact<"call">> =>
  project.factsOf(pathOf(component), "call").filter((call) => isWithin(call, component))

export const elementsWithin = (project: Project, component: ComponentFact): ReadonlyArray<ElementFact> =>
  project.factsOf(pathOf(component), "element").filter((element) => isWithin(element, component))

/** Of which markup, components or styles are searched. */
export const searchedForMarkup = (project: Project): number => project.searched({ roles: ["source", "page", "style"] })
