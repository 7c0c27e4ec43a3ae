/** Requirements of Python (PEP 508), such as `httpx[http2]>=0.27; python_version > "3.9"`. */
import type { Fact, FactValues, Span } from "../../model.ts"
import { textOf, type Tree } from "../../trees/tree.ts"
import { dependencyFact } from "../reader.ts"

export type DependencyScope = FactValues["dependency"]["scope"]

const REQUIREMENT = /^([A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\])?([^]*)$/u

export const requirement = (text: string, span: Span, scope: DependencyScope): ReadonlyArray<Fact<"dependency">> => {
  const [, name, rest = ""] = REQUIREMENT.exec(text.split(/\s#/u)[0]?.trim() ?? "") ?? []
  const range = rest.split(";")[0]?.trim() ?? ""
  return name === undefined ? [] : [dependencyFact(name, span, { ecosystem: "pypi", range, scope })]
}

export const requirements = (items: ReadonlyArray<Tree>, scope: DependencyScope): ReadonlyArray<Fact<"dependency">> =>
  items.flatMap((item) => requirement(textOf(item) ?? "", item.span, scope))

/** Groups of requirements that are called so are for those who change the project. */
export const isForDevelopment = (name: string): boolean => /(?:^|[^a-z])(?:dev|test|lint|doc|typ|ci\b)/iu.test(name)
