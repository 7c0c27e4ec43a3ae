/** Components of the project's own code, and who uses each. */
import { inUse } from "../debug/sites.ts"
import type { Fact } from "../facts/model.ts"
import { byText } from "../facts/order.ts"
import type { Project } from "../facts/project.ts"
import { memo } from "../map/memo.ts"
import { isTestFile, pathOf } from "../map/uses.ts"

export interface Component {
  readonly fact: Fact<"component">
  /** Imports that name it. */
  readonly users: ReadonlyArray<Fact<"import">>
  readonly tests: ReadonlyArray<Fact<"import">>
}

/** Those that most files import first. */
export const componentsOf: (project: Project) => ReadonlyArray<Component> = memo((project) =>
  inUse(project, project.facts("component")).map((component): Component => {
    const imports = project.links.importers(pathOf(component)).filter(({ value: { names } }) => names.includes(component.subject))
    const isTest = (one: Fact): boolean => isTestFile(project, pathOf(one))
    return { fact: component, users: imports.filter((one) => !isTest(one)), tests: imports.filter(isTest) }
  }).toSorted((one, other) => other.users.length - one.users.length || byText(one.fact.subject, other.fact.subject))
)
