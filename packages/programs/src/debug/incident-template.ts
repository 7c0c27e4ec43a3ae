/** incident-template.md: what somebody needs while the service is down: services, health, logs, ways back. */
import { code, list } from "../claims/inline.ts"
import { type Artifact, type Block, claim, question } from "../claims/model.ts"
import { claimOf } from "../claims/sections.ts"
import { byText } from "../facts/order.ts"
import type { Project } from "../facts/project.ts"
import { pageOf } from "../skills/page.ts"
import { unguardedReads } from "../skills/silent.ts"
import { inUse } from "./sites.ts"

const MOST = 20

const services = (project: Project): ReadonlyArray<Block> => [
  ...project.facts("container").filter(({ value: { instruction } }) => !/^(?:RUN|COPY|ADD|ARG|LABEL|WORKDIR|SHELL)$/u.test(instruction))
    .slice(0, MOST).map(
      (container) => claim(`${code(container.subject, 60)} ${container.value.instruction}: ${code(container.value.value, 120)}`, container)
    ),
  ...project.facts("script").filter(({ subject }) => /^(?:start|serve)(?:[:.-]\w+)?$/u.test(subject)).slice(0, MOST).map((script) =>
    claim(`${code(script.subject)} starts ${code(script.value.command, 120)}`, script)
  )
]

const HEALTH = /\/(?:health\w*|ready|readyz|readiness|live|livez|liveness|ping|status|metrics)(?:\/|$)/iu

const health = (project: Project): ReadonlyArray<Block> =>
  project.facts("route").filter(({ value: { path } }) => HEALTH.test(path)).slice(0, MOST).map((route) =>
    claim(`${code(route.subject)}${route.value.handler === null ? "" : `, handled by ${code(route.value.handler, 60)}`}`, route)
  )

/** Loggers, with the levels that they write, and the files that say most at the levels of trouble. */
const logs = (project: Project): ReadonlyArray<Block> => {
  const all = inUse(project, project.facts("log"))
  const loggers = Array.from(Map.groupBy(all, ({ subject }) => subject)).toSorted(([one], [other]) => byText(one, other)).slice(0, 8)
  const trouble = Array.from(
    Map.groupBy(all.filter(({ value: { level } }) => /err|fatal|crit|warn/iu.test(level)), ({ evidence: [{ path }] }) => path)
  )
  return [
    ...loggers.flatMap(([logger, lines]) => {
      const levels = [...new Set(lines.map(({ value: { level } }) => code(level, 20)))].toSorted(byText)
      return claimOf(`${code(logger, 60)} writes ${list(levels)}, at ${lines.length} ${lines.length === 1 ? "place" : "places"}.`, lines)
    }),
    ...trouble.toSorted(([one, lines], [other, others]) => others.length - lines.length || byText(one, other)).slice(0, 8).flatMap(
      ([path, lines]) => {
        const messages = lines.flatMap(({ value: { message } }) => message === null ? [] : [code(message, 60)]).slice(0, 3)
        const levels = [...new Set(lines.map(({ value: { level } }) => level))]
        return claimOf(`${code(path)}, ${list(levels)}${messages.length === 0 ? "" : `: ${list(messages)}`}`, lines)
      }
    )
  ]
}

const BACK = /rollback|revert|restore|migrate|deploy|release|publish|backup/iu

const waysBack = (project: Project): ReadonlyArray<Block> => [
  ...project.facts("script").filter(({ subject }) => BACK.test(subject)).slice(0, MOST).map((script) =>
    claim(`${code(script.subject)} runs ${code(script.value.command, 120)}`, script)
  ),
  ...project.facts("ci-step").filter(({ value: { name, run, uses } }) => BACK.test(`${name} ${run} ${uses}`)).slice(0, MOST).map((step) =>
    claim(`${code(step.subject, 60)}, job ${code(step.value.job, 40)}: ${code(step.value.run ?? step.value.uses ?? "", 120)}`, step)
  )
]

const settings = (project: Project): ReadonlyArray<Block> =>
  Array.from(Map.groupBy(unguardedReads(project), ({ subject }) => subject)).toSorted(([one], [other]) => byText(one, other)).slice(0, MOST)
    .flatMap(
      ([name, reads]) => claimOf(`${code(name)} is set? No fallback where it is read.`, reads)
    )

/** What only people know; asked where the repository has something that can fail. */
const people: ReadonlyArray<Block> = [question("Since when, and who knows?")]

export const incidentTemplate = (project: Project): Artifact => {
  const sections = [
    { title: "Services", blocks: services(project), noun: "service" },
    { title: "Health", blocks: health(project), noun: "health route" },
    { title: "Logs", blocks: logs(project), noun: "log line" },
    { title: "Ways back", blocks: waysBack(project), noun: "rollback, migration or release" },
    { title: "Variables", blocks: settings(project) }
  ]
  return pageOf(`${project.description.project_name}: incident`, project.searched(), [
    ...sections.some(({ blocks }) => blocks.length > 0) ? [{ title: "Seen", blocks: people }] : [],
    ...sections
  ])
}
