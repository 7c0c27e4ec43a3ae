/** capability-registry.json: each tool as the protocol describes one, with its place; and the documents that would be resources. */
import { cited, json, type Value } from "../claims/json.ts"
import type { Artifact } from "../claims/model.ts"
import { placesOf } from "../claims/places.ts"
import type { Project } from "../facts/project.ts"
import { nothingInJson } from "./none.ts"
import { NO_OPERATIONS, type Operation, operationsOf } from "./operations.ts"

const MOST_DOCUMENTS = 50

const schemaOf = ({ parameters }: Operation): Value => ({
  type: "object",
  properties: Object.fromEntries(parameters.map(({ name }) => [name, { type: "string" }])),
  required: parameters.filter(({ required }) => required).map(({ name }) => name)
})

const toolOf = (operation: Operation): Value =>
  cited({
    name: operation.tool,
    description: operation.description ?? operation.name,
    from: operation.kind,
    inputSchema: schemaOf(operation),
    annotations: operation.effects === undefined ? undefined : {
      readOnlyHint: operation.effects.readOnly,
      destructiveHint: operation.effects.destructive,
      idempotentHint: operation.effects.idempotent
    },
    at: placesOf(operation.evidence)
  }, ...operation.evidence)

/** The first heading of each document. */
const resources = (project: Project): ReadonlyArray<Value> =>
  Array.from(Map.groupBy(project.facts("heading"), ({ evidence: [{ path }] }) => path).values()).slice(0, MOST_DOCUMENTS)
    .flatMap(([first]) =>
      first === undefined ? [] : [cited({ name: first.evidence[0].path, title: first.subject, at: placesOf([first]) }, first)]
    )

export const capabilityRegistry = (project: Project): Artifact => {
  const operations = operationsOf(project)
  const documents = resources(project)
  return operations.length + documents.length === 0
    ? nothingInJson(project, NO_OPERATIONS, { tools: [], resources: [] })
    : json({ tools: operations.map(toolOf), resources: documents })
}
