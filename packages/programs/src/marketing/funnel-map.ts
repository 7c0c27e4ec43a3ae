/** funnel-map.md: each step towards use and payment that the code has, and the event that measures it. */
import { absence, type Artifact, type Block } from "../claims/model.ts"
import { claimOf, page, rowOf, table } from "../claims/sections.ts"
import type { Project } from "../facts/project.ts"
import { code, count, listed, namesOf } from "../map/words.ts"
import { eventsOf, factsBelow, funnelOf } from "./steps.ts"

const MOST_OF_STEP = 6
const MOST_EVENTS = 12

const steps = (project: Project): ReadonlyArray<Block> =>
  table(
    ["step", "entry", "event"],
    Array.from(Map.groupBy(funnelOf(project), ({ step }) => step)).flatMap(([name, group]) =>
      group.slice(0, MOST_OF_STEP).flatMap((one) => {
        const events = factsBelow(project, "tracking", one)
        return rowOf([name, one.text, events.length === 0 ? "–" : listed(namesOf(events), 3)], [one.fact, ...events])
      })
    )
  )

/** Events that belong to no step above. */
const others = (project: Project): ReadonlyArray<Block> => {
  const used = new Set(funnelOf(project).flatMap((one) => factsBelow(project, "tracking", one)))
  const groups = Map.groupBy(eventsOf(project).filter((event) => !used.has(event)), ({ subject }) => subject)
  return Array.from(groups).slice(0, MOST_EVENTS).flatMap(([event, facts]) => {
    const within = [...new Set(facts.flatMap(({ value }) => value.within ?? []))]
    return claimOf(`${code(event)}${within.length === 0 ? "" : ` in ${listed(within, 2)}`}, ${count(facts.length, "place")}`, facts)
  })
}

export const funnelMap = (project: Project): Artifact => {
  const sources = project.searched({ roles: ["source", "page"] })
  const isMeasured = eventsOf(project).length > 0
  return page(`${project.description.project_name}: funnel`, [
    { title: "Steps", blocks: steps(project), none: absence("No step of a funnel.", project.searched()) },
    { title: "Other events", blocks: others(project) },
    { title: "Measured", blocks: [], ...isMeasured || funnelOf(project).length === 0 ? {} : { none: absence("No event.", sources) } }
  ])
}
