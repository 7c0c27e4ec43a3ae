/** architecture-summary.md: on two pages, what the packages are, how their folders stand on each other, and where that goes wrong. */
import { absence, type Artifact, claim } from "../claims/model.ts"
import { page, type Section } from "../claims/sections.ts"
import type { Project } from "../facts/project.ts"
import { fileGraph } from "../map/graph.ts"
import { handlerOf, routesOf } from "../map/uses.ts"
import { code } from "../map/words.ts"
import { cycles, entries, hubs, levels, loners, packages, tests } from "./architecture.ts"

const routes = (project: Project, most: number) =>
  routesOf(project).slice(0, most).map((route) => {
    const handler = handlerOf(project, route)
    const name = route.value.handler ?? route.value.framework
    return handler === undefined
      ? claim(`${code(route.subject)}: ${code(name)}`, route)
      : claim(`${code(route.subject)}: ${code(name)}`, handler, route)
  })

export interface Room {
  readonly long: number
  readonly short: number
}

export const sections = (project: Project, { long, short }: Room): ReadonlyArray<Section> => {
  const sources = project.searched({ roles: ["source", "test"] })
  return [
    { title: "Packages", blocks: packages(project, long), none: absence("No package manifest.", project.searched()) },
    {
      title: "Entries",
      blocks: entries(project, short),
      none: absence("No declared entry.", project.searched({ roles: ["configuration"] }))
    },
    { title: "Routes", blocks: routes(project, short), none: absence("No HTTP route.", sources) },
    { title: "Folders by level", blocks: levels(project, long), none: absence("No folder imports another.", sources) },
    { title: "Import circles", blocks: cycles(fileGraph(project).cycles, short), none: absence("No import circle.", sources) },
    { title: "Most imported", blocks: hubs(project, short), none: absence("No file imported twice.", sources) },
    { title: "Alone", blocks: loners(project, short), none: absence("No unlinked export.", sources) },
    { title: "Tests", blocks: tests(project, short), none: absence("No test.", sources) }
  ]
}

export const architectureSummary = (project: Project): Artifact =>
  page(project.description.project_name, sections(project, { long: 20, short: 10 }))
