/** Tools whose answers show each kind of content, progress and log lines. */
import { result } from "@svc/doors/mcp/answers"
import { Effect } from "effect"
import { AUDIO, field, type Fixture, IMAGE, lacking, said, tool } from "./parts.ts"

const image = { type: "image", data: IMAGE, mimeType: "image/png" }
const always = (content: ReadonlyArray<object>, isError = false) => () =>
  Effect.succeed(result({ content, ...(isError ? { isError } : {}) }))
const pause = Effect.sleep("50 millis")

const logging: Fixture["call"] = (_, { log }) =>
  Effect.gen(function*() {
    yield* log("info", "Tool execution started")
    yield* pause
    yield* log("info", "Tool processing data")
    yield* pause
    yield* log("info", "Tool execution completed")
    return said("Logged three lines.")
  })

const progressing: Fixture["call"] = (params, { notify }) =>
  Effect.gen(function*() {
    const progressToken = field(params, "_meta", "progressToken")
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined) yield* notify("notifications/progress", { progressToken, progress, total: 100 })
      yield* pause
    }
    return said("Done.")
  })

/** Hangs up in the middle; the answer comes over the stream with which the client comes back. */
const reconnecting: Fixture["call"] = (_, { hangUp }) =>
  Effect.gen(function*() {
    yield* hangUp
    yield* Effect.sleep("200 millis")
    return said("Reconnected.")
  })

const SCHEMA_2020 = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $defs: { address: { $anchor: "addressDef", type: "object", properties: { street: { type: "string" }, city: { type: "string" } } } },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  // oxlint-disable-next-line unicorn/no-thenable -- A word of JSON Schema.
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false
}

export const contents: ReadonlyArray<Fixture> = [
  tool("test_simple_text", "Text.", always([{ type: "text", text: "This is a simple text response for testing." }])),
  tool("test_image_content", "An image.", always([image])),
  tool("test_audio_content", "A sound.", always([{ type: "audio", data: AUDIO, mimeType: "audio/wav" }])),
  tool(
    "test_embedded_resource",
    "A resource.",
    always([
      {
        type: "resource",
        resource: { uri: "test://embedded-resource", mimeType: "text/plain", text: "This is an embedded resource content." }
      }
    ])
  ),
  tool(
    "test_multiple_content_types",
    "Several kinds.",
    always([
      { type: "text", text: "Multiple content types test:" },
      image,
      {
        type: "resource",
        resource: { uri: "test://mixed-content-resource", mimeType: "application/json", text: "{\"test\":\"data\",\"value\":123}" }
      }
    ])
  ),
  tool("test_error_handling", "Fails.", always([{ type: "text", text: "This tool intentionally returns an error for testing" }], true)),
  tool("test_tool_with_logging", "Writes log lines.", logging),
  tool("test_logging_tool", "Writes log lines.", logging),
  tool("test_tool_with_progress", "Says how far it is.", progressing),
  tool("test_reconnection", "Closes the stream of its answer.", reconnecting),
  tool("json_schema_2020_12_tool", "Tool with JSON Schema 2020-12 features", always([{ type: "text", text: "Valid." }]), {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" }
  }, SCHEMA_2020),
  tool(
    "test_missing_capability",
    "Needs a client that can be asked for a model's words.",
    (_, { capabilities }) => Effect.succeed(capabilities["sampling"] === undefined ? lacking({ sampling: {} }) : said("It can."))
  ),
  tool(
    "test_streaming_elicitation",
    "Tells something before it answers.",
    (_, { notify }) => Effect.as(notify("notifications/progress", { progressToken: "none", progress: 1 }), said("Done."))
  )
]
