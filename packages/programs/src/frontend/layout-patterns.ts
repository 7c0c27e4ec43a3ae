/** layout-patterns.md: which page stands behind which address, in which layouts, and at which widths styles change. */
import { absence, type Artifact, type Block } from "../claims/model.ts"
import { claimOf, page, rowOf, table } from "../claims/sections.ts"
import type { AnyFact, Fact } from "../facts/model.ts"
import { byText } from "../facts/order.ts"
import type { Project } from "../facts/project.ts"
import {
  type ComponentFact,
  componentsOf,
  elementsWithin,
  rendersWithin,
  searchedForMarkup,
  tokensOf,
  tokenUsesOf
} from "../map/interface.ts"
import { factsOfPage, type Page, pagesOf } from "../map/pages.ts"
import { pathOf } from "../map/uses.ts"
import { code, count, listed, namesOf } from "../map/words.ts"

const MOST_ROWS = 40

const LANDMARK = /^(?:header|nav|main|aside|footer)$/u

const landmarksOf = (elements: ReadonlyArray<Fact<"element">>): ReadonlyArray<Fact<"element">> =>
  [
    ...new Map(elements.filter(({ subject }) => LANDMARK.test(subject)).toReversed().map((one) => [one.subject, one])).values()
  ].toReversed()

const componentsIn = (project: Project, { path }: Page): ReadonlyArray<Fact<"render">> => project.factsOf(path, "render")

const pages = (project: Project): ReadonlyArray<Block> =>
  table(
    ["address", "layouts", "components", "landmarks"],
    pagesOf(project).slice(0, MOST_ROWS).flatMap((one) => {
      const landmarks = landmarksOf(one.elements)
      const renders = componentsIn(project, one)
      return rowOf([code(one.address), listed(one.layouts, 3), listed(namesOf(renders), 5), namesOf(landmarks).join(", ")], [
        ...factsOfPage(one),
        ...renders,
        ...landmarks
      ])
    })
  )

const isLayout = ({ subject }: ComponentFact): boolean => /(?:Layout|Shell|Frame|Template|Wrapper|Container|Grid|Page)$/u.test(subject)

/** Components whose name or landmarks say that others stand in them. */
const layouts = (project: Project): ReadonlyArray<Block> =>
  componentsOf(project).flatMap((component): ReadonlyArray<Block> => {
    const landmarks = landmarksOf(elementsWithin(project, component))
    if (!isLayout(component) && landmarks.length === 0) return []
    const renders = rendersWithin(project, component)
    const said = [
      ...landmarks.length === 0 ? [] : [`writes ${landmarks.map(({ subject }) => code(subject)).join(", ")}`],
      ...renders.length === 0 ? [] : [`uses ${listed(namesOf(renders), 5)}`]
    ]
    return said.length === 0 ? [] : claimOf(`${code(component.subject)} ${said.join(" and ")}.`, [...landmarks, ...renders])
  }).slice(0, MOST_ROWS)

const WIDTH = /\((?:min-|max-)?(?:width|inline-size)\s*[:<>=]+\s*[^()]{1,30}\)/gu

const widths = (project: Project): ReadonlyArray<Block> => {
  const scoped: ReadonlyArray<Fact<"token"> | Fact<"token-use">> = [...tokensOf(project), ...tokenUsesOf(project)]
  const found = scoped.flatMap((fact) =>
    Array.from(fact.value.scope.matchAll(WIDTH), ([width]) => ({ width: width.slice(1, -1).replaceAll(/\s+/gu, " "), fact }))
  )
  return Array.from(Map.groupBy(found, ({ width }) => width)).toSorted(([one], [other]) => byText(one, other)).slice(0, MOST_ROWS)
    .flatMap(([width, group]) => {
      const facts: ReadonlyArray<AnyFact> = group.map(({ fact }) => fact)
      return claimOf(
        `${code(width)} changes ${listed(namesOf(group.map(({ fact }) => fact)), 4)} in ${count(new Set(facts.map(pathOf)).size, "file")}.`,
        facts
      )
    })
}

export const layoutPatterns = (project: Project): Artifact => {
  const files = searchedForMarkup(project)
  return page(`${project.description.project_name}: layouts`, [
    { title: "Pages", blocks: pages(project), none: absence("No page of HTML or of a framework with pages as files.", files) },
    { title: "Layout components", blocks: layouts(project), none: absence("No layout component.", files) },
    { title: "Widths", blocks: widths(project), none: absence("No width at which styles change.", files) }
  ])
}
