/** What the service calls, which no endpoint stands for: one POST for each event, to the account's webhook endpoint. */
import { SchemaAST } from "effect"
import type { Catalog } from "../catalog.ts"
import type { Schemas } from "./document.ts"
import { exampleIn, mapValues, ref } from "./document.ts"
import { header } from "./headers.ts"

/** One entry for each event type of the resources that send events. */
export const webhooksOf = (schemas: Schemas, { delivers, events }: Catalog) => {
  if (delivers === undefined) return {}
  const { body, description, group, headers } = delivers
  const event = SchemaAST.resolveIdentifier(body.ast) ?? ""
  return mapValues(Object.fromEntries(events), ({ ast }, type) => {
    const subject = SchemaAST.resolveIdentifier(ast) ?? ""
    const schema = {
      allOf: [ref("schemas", event), { type: "object", properties: { type: { const: type }, data: ref("schemas", subject) } }]
    }
    const value = { ...exampleIn(schemas[event]), type, data: exampleIn(schemas[subject]) }
    const post = {
      operationId: `webhook.${type}`,
      tags: [group],
      summary: type,
      description,
      security: [],
      parameters: headers.map((one) => ({ name: one.name, in: "header", required: true, ...header(one) })),
      requestBody: { required: true, content: { "application/json": { schema, examples: { event: { value } } } } },
      responses: { "2XX": { description: "Received" } }
    }
    return { post }
  })
}
