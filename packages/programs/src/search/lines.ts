/** Lines that both `context-map.json` and `symbol-index.json` have: routes and commands. */
import { cited, citedOf, type Value } from "../claims/json.ts"
import type { AnyFact, Fact } from "../facts/model.ts"
import { byText } from "../facts/order.ts"
import type { Project } from "../facts/project.ts"
import { handlerOf, placeOfFact } from "../map/uses.ts"
import { projectCommands } from "../skills/commands.ts"
import { callOf, folderOf } from "../skills/scripts.ts"

export const routeLine = (project: Project, route: Fact<"route">): Value => {
  const handler = handlerOf(project, route)
  return cited(
    {
      route: route.subject,
      "handled at": placeOfFact(handler ?? route),
      handler: route.value.handler ?? undefined,
      registered: handler === undefined ? undefined : placeOfFact(route),
      framework: route.value.framework
    },
    route,
    ...handler === undefined ? [] : [handler]
  )
}

const scripts = (project: Project): ReadonlyArray<Value> =>
  project.facts("script").map((script) =>
    cited({
      script: script.subject,
      command: callOf(project, script),
      in: folderOf(script),
      runs: script.value.command,
      at: placeOfFact(script)
    }, script)
  )

/** What is worth running, for which purpose, such as one test; scripts have their own lines. */
const advised = (project: Project): ReadonlyArray<Value> =>
  projectCommands(project).filter(({ evidence: [fact] }) => fact.kind !== "script")
    .map(({ command, evidence, folder, purpose }) =>
      cited({ command, runs: purpose, in: folder, of: evidence[0].subject, at: placeOfFact(evidence[0]) }, ...evidence)
    )

const ofPipelines = (project: Project): ReadonlyArray<Value> =>
  project.facts("ci-step").filter(({ value }) => value.run !== null)
    .map((step) => cited({ command: step.value.run, pipeline: step.subject, job: step.value.job, at: placeOfFact(step) }, step))

const ofCommandLine = (project: Project): ReadonlyArray<Value> =>
  project.facts("command").map((one) =>
    cited({ "command of the command line": one.subject, does: one.value.description ?? undefined, at: placeOfFact(one) }, one)
  )

/** Commands that run the project, then those that its pipelines run, then those that its own command line offers. */
export const commandLines = (project: Project): ReadonlyArray<Value> => [
  ...scripts(project),
  ...advised(project),
  ...ofPipelines(project),
  ...ofCommandLine(project)
]

/** The first places, and how many more there are. */
export const placeList = (facts: ReadonlyArray<AnyFact>, most = 8): Value | undefined => {
  const places = [...new Set(facts.map(placeOfFact))]
  return places.length === 0 ? undefined : [...places.slice(0, most), ...places.length > most ? [`+${places.length - most}`] : []]
}

/** A line a name, with all places of its facts. */
export const byName = <F extends AnyFact>(
  facts: ReadonlyArray<F>,
  lineOf: (name: string, facts: ReadonlyArray<F>) => Value
): ReadonlyArray<Value> =>
  Array.from(Map.groupBy(facts, ({ subject }) => subject)).toSorted(([one], [other]) => byText(one, other))
    .flatMap(([name, group]) => citedOf(lineOf(name, group), group))
