/** living-architecture.md: the summary, and what happens at run time: how requests go, what data look like, what is needed, what fails. */
import { absence, type Artifact, type Block, claim } from "../claims/model.ts"
import { claimOf, page, rowOf, type Section, table } from "../claims/sections.ts"
import type { AnyFact, Fact } from "../facts/model.ts"
import { byText } from "../facts/order.ts"
import type { Project } from "../facts/project.ts"
import { clip } from "../facts/text.ts"
import { callsBelow, type Step } from "../map/calls.ts"
import { folderOf } from "../map/graph.ts"
import { handlerOf, isTestFile, pathOf, routesOf } from "../map/uses.ts"
import { code, count, listed } from "../map/words.ts"
import { sections } from "./architecture-summary.ts"

const MOST = 60

const outsideTests = <F extends AnyFact>(project: Project, facts: ReadonlyArray<F>): ReadonlyArray<F> =>
  facts.filter((one) => !isTestFile(project, pathOf(one)))

const doneBy = ({ facts }: Step): string => {
  const done = facts.map((one) =>
    one.kind === "sql" ? `${one.subject} ${one.value.tables.map(code).join(", ")}` : `throws ${code(one.subject)}`
  )
  return done.length === 0 ? "" : `: ${[...new Set(done)].slice(0, 4).join("; ")}`
}

/** The route, then each function that it comes to: by which call, and what it does besides calling. */
const request = (project: Project, route: Fact<"route">): ReadonlyArray<Block> => {
  const handler = handlerOf(project, route)
  const [first, ...below] = callsBelow(project, handler ?? route)
  if (first === undefined) return []
  const answered = handler === undefined ? "" : ` → ${code(handler.subject)}`
  return [
    ...claimOf(`${code(route.subject)}${answered}${doneBy(first)}`, [route, first.symbol, ...first.facts]),
    ...below.flatMap((step) => {
      const facts = [...step.call === undefined ? [] : [step.call], step.symbol, ...step.facts]
      return claimOf(`${"→ ".repeat(step.depth)}${code(step.symbol.subject)}${doneBy(step)}`, facts)
    })
  ]
}

/** What checks data at run time, before types that are gone by then. */
const schemas = (project: Project): ReadonlyArray<Block> => {
  const found = outsideTests(project, project.facts("schema")).filter(({ value }) => value.fields.length > 0)
  const [types, checks] = [true, false].map((isType) => found.filter(({ value }) => /^(?:type|interface)$/u.test(value.style) === isType))
  return table(
    ["schema", "as", "fields"],
    [...checks ?? [], ...types ?? []].slice(0, MOST).flatMap((schema) => {
      const fields = schema.value.fields.slice(0, 8).map(({ name, required, type }) => `${name}${required ? "" : "?"}: ${clip(type, 40)}`)
      return rowOf([code(schema.subject), schema.value.style, fields.join("; ")], [schema])
    })
  )
}

const environment = (project: Project): ReadonlyArray<Block> =>
  table(
    ["variable", "fallback", "read in"],
    Array.from(Map.groupBy(outsideTests(project, project.facts("environment")), ({ subject }) => subject))
      .toSorted(([one], [other]) => byText(one, other)).slice(0, MOST).flatMap(([name, reads]) => {
        const fallback = reads.find(({ value }) => value.fallback !== null)?.value.fallback
        const cells = [code(name), fallback === undefined || fallback === null ? "none" : code(fallback), count(reads.length, "place")]
        return rowOf(cells, reads)
      })
  )

const statements = (project: Project): ReadonlyArray<Block> =>
  table(
    ["table", "statements", "in"],
    Array.from(
      Map.groupBy(
        outsideTests(project, project.facts("sql")).flatMap((sql) => sql.value.tables.map((name) => ({ name, sql }))),
        ({ name }) => name
      )
    ).toSorted(([one], [other]) => byText(one, other)).slice(0, MOST).flatMap(([name, uses]) => {
      const words = [...new Set(uses.map(({ sql }) => sql.subject))].toSorted(byText)
      const folders = [...new Set(uses.map(({ sql }) => folderOf(pathOf(sql))))]
      return rowOf([code(name), words.join(", "), listed(folders, 3)], uses.map(({ sql }) => sql))
    })
  )

/** Where it fails on purpose: an error and its message, with the function that throws it. What is only passed on is left out. */
const failures = (project: Project): ReadonlyArray<Block> =>
  table(
    ["error", "message", "within"],
    outsideTests(project, project.facts("error")).filter(({ subject, value }) =>
      value.style !== "catch" && (value.message !== null || /^[A-Z]/u.test(subject))
    ).slice(0, MOST).flatMap((error) =>
      rowOf([code(error.subject), error.value.message ?? "", error.value.within === null ? "" : code(error.value.within)], [error])
    )
  )

const models = (project: Project): ReadonlyArray<Block> =>
  outsideTests(project, project.facts("model-call")).slice(0, MOST).map((call) =>
    claim(`${code(call.subject)} ${code(call.value.call)}, model ${code(call.value.model ?? "chosen elsewhere")}`, call)
  )

export const livingArchitecture = (project: Project): Artifact => {
  const sources = project.searched({ roles: ["source"] })
  const atRunTime: ReadonlyArray<Section> = [
    {
      title: "Requests",
      blocks: routesOf(project).slice(0, MOST).flatMap((route) => request(project, route)),
      none: absence("No HTTP route.", sources)
    },
    { title: "Schemas", blocks: schemas(project), none: absence("No data schema.", sources) },
    { title: "Tables", blocks: statements(project), none: absence("No SQL.", sources) },
    { title: "Environment", blocks: environment(project), none: absence("No environment variable.", sources) },
    { title: "Failures", blocks: failures(project), none: absence("No thrown error.", sources) },
    { title: "Model calls", blocks: models(project), none: absence("No model call.", sources) }
  ]
  const still = sections(project, { long: 60, short: 40 }).filter(({ title }) => title !== "Routes")
  return page(`${project.description.project_name}: living architecture`, [...still, ...atRunTime])
}
