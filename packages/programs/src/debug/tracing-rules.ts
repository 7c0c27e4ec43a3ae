/** tracing-rules.md: how one request is followed through the code, and where its trace ends. */
import { code, list } from "../claims/inline.ts"
import { type Artifact, type Block, claim, evidenceOf, type Table } from "../claims/model.ts"
import { claimOf } from "../claims/sections.ts"
import type { Fact } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { memo } from "../map/memo.ts"
import { routesOf } from "../map/uses.ts"
import { pageOf } from "../skills/page.ts"
import { functionOf, inUse, silentCatches } from "./sites.ts"

const MOST = 40

/** Calls within a function, by the names that they call. */
const callsWithin = (project: Project, { evidence: [{ path }], subject }: Fact<"symbol">): ReadonlyArray<Fact<"call">> =>
  project.factsOf(path, "call").filter(({ value: { caller } }) => caller !== null && caller.split(/[.#:]/u).at(-1) === subject)

const symbolsByName = memo((project) => Map.groupBy(project.facts("symbol"), ({ subject }) => subject))

/** The function that handles the route: in its own file, or the only one of that name. */
const handlerOf = (project: Project, { evidence: [{ path }], value: { handler } }: Fact<"route">): Fact<"symbol"> | undefined => {
  const own = functionOf(project, path, handler)
  if (own !== undefined || handler === null) return own
  const named = inUse(project, symbolsByName(project).get(handler.split(".").at(-1) ?? "") ?? [])
  return named.length === 1 ? named[0] : undefined
}

/** A row a route: its handler, and what of this repository that calls. */
const routes = (project: Project): ReadonlyArray<Table> => {
  const rows = routesOf(project).slice(0, MOST).flatMap((route) => {
    const handler = handlerOf(project, route)
    const targets = handler === undefined ? [] : callsWithin(project, handler).flatMap((call) => project.links.callee(call) ?? [])
    const evidence = evidenceOf([route, ...handler === undefined ? [] : [handler], ...targets])
    const names = [...new Set(targets.map(({ subject }) => code(subject, 40)))].slice(0, 5)
    return evidence === undefined
      ? []
      : [{ cells: [code(route.subject), code(route.value.handler ?? "", 60).replace("``", ""), names.join(", ")], evidence }]
  })
  return rows.length === 0 ? [] : [{ block: "table", columns: ["request", "handler", "calls"], rows }]
}

/** Packages that trace or log, by name or by the beginning of it. */
const TRACERS: ReadonlySet<string> = new Set([
  ..."opentelemetry-api opentelemetry-sdk dd-trace ddtrace sentry-sdk newrelic elastic-apm-node jaeger-client zipkin".split(" "),
  ..."pino winston bunyan structlog loguru tracing log4js morgan effect".split(" ")
])
const TRACER_SCOPES = /^@(?:opentelemetry|sentry)\//u

const tracers = (project: Project): ReadonlyArray<Block> =>
  project.facts("dependency").filter(({ subject, value: { scope } }) =>
    (TRACERS.has(subject) || TRACER_SCOPES.test(subject)) && scope !== "development"
  ).slice(0, 12)
    .map((dependency) => {
      const users = project.facts("import").filter(({ subject }) =>
        subject === dependency.subject || subject.startsWith(`${dependency.subject}/`)
      )
      const paths = [...new Set(users.map(({ evidence: [{ path }] }) => code(path)))].slice(0, 3)
      const by = paths.length === 0 ? "imported by no file" : `imported by ${list(paths)}`
      return claim(`${code(dependency.subject)} ${code(dependency.value.range)}: ${by}`, dependency, ...users)
    })

/** Files that handle requests and log nothing. */
const unlogged = (project: Project): ReadonlyArray<Block> =>
  Array.from(Map.groupBy(routesOf(project), ({ evidence: [{ path }] }) => path)).filter(([path]) =>
    project.factsOf(path, "log").length === 0
  )
    .slice(0, 15).flatMap(([path, found]) =>
      claimOf(`${code(path)} handles ${list(found.slice(0, 3).map(({ subject }) => code(subject, 60)))} and logs nothing.`, found)
    )

const ends = (project: Project): ReadonlyArray<Block> =>
  silentCatches(project).slice(0, MOST).map((error) =>
    claim(`a catch${error.value.within === null ? "" : ` in ${code(error.value.within, 60)}`} ends the trace`, error)
  )

/** Where the most is said: the files to read first when a trace is followed by its logs. */
const spoken = (project: Project): ReadonlyArray<Block> =>
  Array.from(Map.groupBy(inUse(project, project.facts("log")), ({ evidence: [{ path }] }) => path))
    .toSorted(([, one], [, other]) => other.length - one.length).slice(0, 10).flatMap(([path, lines]) => {
      const within = [...new Set(lines.flatMap(({ value }) => value.within === null ? [] : [code(value.within, 40)]))].slice(0, 4)
      const loggers = [...new Set(lines.map(({ subject, value: { level } }) => `${code(subject, 40)} ${level}`))].slice(0, 3)
      return claimOf(`${code(path)}: ${list(loggers)}${within.length === 0 ? "" : `, in ${list(within)}`}`, lines)
    })

export const tracingRules = (project: Project): Artifact => {
  return pageOf(`${project.description.project_name}: following a request`, project.searched(), [
    { title: "Requests", blocks: routes(project), noun: "route" },
    {
      title: "Libraries",
      blocks: tracers(project),
      noun: "tracer"
    },
    { title: "Log sites", blocks: spoken(project), noun: "log line" },
    { title: "Requests without a log line", blocks: unlogged(project) },
    { title: "Where traces end", blocks: ends(project) }
  ])
}
