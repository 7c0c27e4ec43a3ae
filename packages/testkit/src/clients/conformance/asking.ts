/** Tools that ask the client something while they run, over the stream of their answer. */
import { failed, type MethodAnswer } from "@svc/doors/mcp/answers"
import type { Params } from "@svc/doors/mcp/json-rpc"
import type { Peer } from "@svc/doors/mcp/peer"
import { Effect } from "effect"
import { argument, field, type Fixture, said, tool } from "./parts.ts"

const asked = ({ ask }: Peer, method: string, params: Params, tell: (answer: unknown) => string): Effect.Effect<MethodAnswer> =>
  Effect.match(ask(method, params), { onFailure: failed, onSuccess: (answer) => said(tell(answer)) })

const completed = (answer: unknown): string =>
  `Elicitation completed: action=${String(field(answer, "action"))}, content=${JSON.stringify(field(answer, "content") ?? {})}`

const form = (message: string, properties: object, required: ReadonlyArray<string> = []): Params => ({
  message,
  requestedSchema: { type: "object", properties, required }
})

const titled = (kind: string) => ["First", "Second", "Third"].map((nth, at) => ({ const: `value${at + 1}`, title: `${nth} ${kind}` }))
const plain = ["option1", "option2", "option3"]

export const asking: ReadonlyArray<Fixture> = [
  tool(
    "test_sampling",
    "Asks for a model's words.",
    (params, peer) =>
      asked(peer, "sampling/createMessage", {
        messages: [{ role: "user", content: { type: "text", text: argument(params, "prompt") } }],
        maxTokens: 100
      }, (answer) => `LLM response: ${String(field(answer, "content", "text"))}`),
    { prompt: { type: "string" } },
    { required: ["prompt"] }
  ),
  tool(
    "test_elicitation",
    "Asks the user.",
    (params, peer) =>
      asked(
        peer,
        "elicitation/create",
        form(argument(params, "message"), {
          username: { type: "string", description: "User's response" },
          email: { type: "string", description: "User's email address" }
        }, ["username", "email"]),
        (answer) => `User response: ${JSON.stringify(answer)}`
      ),
    { message: { type: "string" } },
    { required: ["message"] }
  ),
  tool("test_elicitation_sep1034_defaults", "Asks with defaults.", (_, peer) =>
    asked(
      peer,
      "elicitation/create",
      form("Check these", {
        name: { type: "string", default: "John Doe" },
        age: { type: "integer", default: 30 },
        score: { type: "number", default: 95.5 },
        status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
        verified: { type: "boolean", default: true }
      }),
      completed
    )),
  tool("test_elicitation_sep1330_enums", "Asks to choose.", (_, peer) =>
    asked(
      peer,
      "elicitation/create",
      form("Choose", {
        untitledSingle: { type: "string", enum: plain },
        titledSingle: { type: "string", oneOf: titled("Option") },
        legacyEnum: { type: "string", enum: ["opt1", "opt2", "opt3"], enumNames: ["Option One", "Option Two", "Option Three"] },
        untitledMulti: { type: "array", items: { type: "string", enum: plain } },
        titledMulti: { type: "array", items: { anyOf: titled("Choice") } }
      }),
      completed
    ))
]
