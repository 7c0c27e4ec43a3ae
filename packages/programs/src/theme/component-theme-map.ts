/** component-theme-map.json: which component uses which token, by its own code or by the rules for its class names. */
import { cited, jsonLines, type Value } from "../claims/json.ts"
import { type Artifact, evidenceOf } from "../claims/model.ts"
import { inUse } from "../debug/sites.ts"
import type { Fact } from "../facts/model.ts"
import { byText } from "../facts/order.ts"
import type { Project } from "../facts/project.ts"
import { searchedForMarkup, tokenUsesOf } from "../map/interface.ts"

const MOST = 150
const CLASS = /\.([A-Za-z_][\w-]*)/gu

const usesByClass = (uses: ReadonlyArray<Fact<"token-use">>): ReadonlyMap<string, ReadonlyArray<Fact<"token-use">>> => {
  const pairs = uses.filter(({ value }) => value.property !== null).flatMap((use) =>
    Array.from(new Set(Array.from(use.value.scope.matchAll(CLASS), ([, name = ""]) => name)), (name) => ({ name, use }))
  )
  return new Map(Array.from(Map.groupBy(pairs, ({ name }) => name), ([name, group]) => [name, group.map(({ use }) => use)]))
}

export const componentThemeMap = (project: Project): Artifact => {
  const uses = tokenUsesOf(project)
  const [byClass, byScope] = [
    usesByClass(uses),
    Map.groupBy(uses.filter(({ value }) => value.property === null), ({ value }) => value.scope)
  ]
  const classes = inUse(project, project.facts("classes"))
  const components = classes.slice(0, MOST).flatMap((component): ReadonlyArray<Value> => {
    const found = component.value.names.flatMap((name) => (byClass.get(name) ?? []).map((use) => ({ use, by: `.${name}` })))
    const own = (byScope.get(component.subject) ?? []).map((use) => ({ use, by: "code" }))
    const tokens = Array.from(Map.groupBy([...own, ...found], ({ use }) => use.subject)).toSorted(([one], [other]) => byText(one, other))
    const evidence = evidenceOf([component, ...[...own, ...found].map(({ use }) => use)])
    return tokens.length === 0 || evidence === undefined ? [] : [cited({
      component: component.subject,
      tokens: tokens.map(([token, group]) => ({ token, by: [...new Set(group.map(({ by }) => by))] }))
    }, ...evidence)]
  })
  return jsonLines({ searched: `class names and uses of tokens, in ${searchedForMarkup(project)} files`, components })
}
