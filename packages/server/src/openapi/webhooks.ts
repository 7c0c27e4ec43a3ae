/** What the service calls: one POST for each event, to the account's webhook endpoint. */
import { type Schema, SchemaAST } from "effect"
import type { Components, JsonSchema, Operation, Parameter, PathItem } from "./document.ts"
import { ref } from "./document.ts"
import { exampleOf } from "./examples.ts"

const header = (name: string, description: string, example: string): Parameter => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string", examples: [example] }
})

const headers: ReadonlyArray<Parameter> = [
  header("Webhook-ID", "The delivery, the same on every attempt: what to tell repetitions apart by.", "whq_01KDVK5D80000000000000000A"),
  header("Webhook-Event-ID", "The event, which is the `id` in the body; a replay carries the same one.", "evt_01KDVK5D80000000000000000A"),
  header("Webhook-Timestamp", "When the attempt was signed, Unix seconds.", "1767268800"),
  header(
    "Webhook-Signature",
    "`t=<timestamp>,v1=<hex>`: HMAC-SHA-256 with the signing secret over `<timestamp>.<raw body>`. While a secret rotates there are two `v1`.",
    "t=1767268800,v1=5f8b0e5c3a4f4d0b9a53a3f4f0f4a0c6f6f0c9a2f39d4a7d8e1b2c3d4e5f6a7b"
  )
]

const operationOf = (type: string, subject: string, schemas: Components["schemas"]): Operation => {
  const schema: JsonSchema = {
    allOf: [ref("schemas", "Event"), { type: "object", properties: { type: { const: type }, data: ref("schemas", subject) } }]
  }
  const event = exampleOf(ref("schemas", "Event"), schemas)
  return {
    operationId: `webhook.${type}`,
    tags: ["Webhook events"],
    summary: type,
    description: "Answer 2xx within 10 seconds and do slow work afterwards. 5xx, 408, 429, a timeout or a broken connection is attempted again; any other answer is final.",
    parameters: headers,
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema,
          examples: { event: { value: { ...(typeof event === "object" ? event : {}), type, data: exampleOf(ref("schemas", subject), schemas) } } }
        }
      }
    },
    responses: { "2XX": { description: "Received" } }
  }
}

/** One entry for each event type of the resources that send events. */
export const webhooksOf = (schemas: Components["schemas"], events: ReadonlyMap<string, Schema.Top>): Readonly<Record<string, PathItem>> =>
  Object.fromEntries(Array.from(events, ([type, data]) => [type, { post: operationOf(type, SchemaAST.resolveIdentifier(data.ast) ?? "", schemas) }]))
