/** artifact-spec.md: what each artifact of this program is made from, so that a reader knows what a change of the code changes in it. */
import { code, list } from "../claims/inline.ts"
import { absence, type Artifact, type Block, claim } from "../claims/model.ts"
import { claimOf, page } from "../claims/sections.ts"
import type { AnyFact } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { clip } from "../facts/text.ts"
import { count, listed, namesOf } from "../map/words.ts"
import { componentsOf } from "./components.ts"
import { groupsOf } from "./dashboard-widget.ts"
import { importedOf, pagesOf } from "./embed-snippet.ts"
import { chosenOf, evidenceOfChosen } from "./generated-component.ts"
import { knownOperations } from "./operations.ts"

const component = (project: Project): ReadonlyArray<Block> => {
  const { chosen } = chosenOf(project)
  const evidence = chosen === undefined ? undefined : evidenceOfChosen(chosen)
  if (chosen === undefined || evidence === undefined) return []
  const { actions, fields, model, source } = chosen
  const parts = [
    ...(model === undefined ? [] : [`rows of ${code(model.subject)}: ${listed(fields.map(({ name }) => name), 6)}`]),
    ...(source === undefined ? [] : [`fetched by ${code(source.route.subject)}`]),
    ...(actions.length === 0 ? [] : [`buttons of ${list(actions.map(({ route }) => code(route.subject)))}`])
  ]
  return [claim(`generated-component.tsx: ${parts.join("; ")}`, ...evidence)]
}

const dashboard = (project: Project): ReadonlyArray<Block> =>
  groupsOf(project).flatMap(({ counts, title, total }) =>
    claimOf(
      `dashboard-widget.tsx: ${count(total, title.replace(/s$/u, ""))}: ${
        listed([...new Set(counts.flatMap(({ names }) => names.map((name) => clip(name, 60))))], 4)
      }`,
      counts.flatMap(({ evidence }) => [...evidence])
    )
  )

const embed = (project: Project): ReadonlyArray<Block> => {
  const pages = pagesOf(project)
  if (pages.length > 0) {
    return claimOf(
      `embed-snippet.ts: ${listed(pages.map(({ route }) => route.subject), 4)}`,
      pages.map(({ route }) => route)
    )
  }
  const imported = importedOf(project)
  return imported === undefined
    ? []
    : claimOf(`embed-snippet.ts: ${listed(namesOf(imported.symbols), 5)} of ${code(imported.specifier)}`, [
      imported.entry.fact,
      ...imported.symbols
    ])
}

const library = (project: Project): ReadonlyArray<Block> => {
  const facts = componentsOf(project).map(({ fact }) => fact)
  return claimOf(`component-library.json: ${count(facts.length, "component")}, ${listed(namesOf(facts), 6)}`, facts)
}

const map = (project: Project): ReadonlyArray<Block> => {
  const operations = knownOperations(project).map(({ operation }) => operation)
  return claimOf(
    `prd.md, capability-map.yaml: ${listed([...new Set(operations.map(({ name }) => name))], 5)}`,
    operations.flatMap(({ evidence }): ReadonlyArray<AnyFact> => [evidence[0]])
  )
}

export const artifactSpec = (project: Project): Artifact => {
  const made = [component, dashboard, embed, library, map].flatMap((part) => part(project))
  return page(`${project.description.project_name}: sources of what is made`, [
    {
      title: "Made from",
      blocks: made,
      none: absence("No route, command, component, schema or export to make something from.", project.searched())
    }
  ])
}
