/** `svc ask`: the assistant, in plain words. */
import { AssistantAskResponse } from "@svc/desk/assistant/model"
import { fromJsonText } from "@svc/kernel/values/json-codec"
import { Console, Effect, Schema } from "effect"
import { Argument, Command } from "effect/cli"
import { placeOf } from "../connection.ts"
import { CommandFailed } from "../failure.ts"
import { Json } from "../output.ts"
import { plain, plainJson } from "../resources/plain.ts"
import { requestFlags, send } from "../resources/request.ts"
import { deskAt } from "./open.ts"

const decode = Schema.decodeEffect(fromJsonText(AssistantAskResponse))

const linesOf = (desk: string, { answer, confidence, dashboard_path, proposed_actions }: AssistantAskResponse): ReadonlyArray<string> => {
  const origin = new URL(desk).origin
  const at = (path: string | null): string => path === null ? "" : `${origin}${path}`
  return [
    ...answer.split("\n"),
    "",
    `Confidence: ${confidence === null ? "none, it does not know" : confidence.toFixed(2)}`,
    ...dashboard_path === null ? [] : [`In the desk: ${at(dashboard_path)}`],
    ...proposed_actions.map(({ kind, label, path }) => `Proposed: ${label} (${kind}) ${at(path)}`.trimEnd())
  ]
}

export const ask = Command.make(
  "ask",
  {
    question: Argument.String("question").pipe(Argument.withDescription("In plain English, in quotes"), Argument.variadic({ min: 1 })),
    ...requestFlags
  },
  Effect.fnUntraced(function*({ question, ...flags }) {
    const { baseUrl, explain } = yield* placeOf(flags)
    const answer = yield* send({ method: "POST", path: "/v1/assistant/ask", body: { question: question.join(" ") } }, flags)
    const text = yield* Effect.mapError(answer.text, explain)
    if (yield* Json) return yield* Console.log(plainJson(text))
    const unknown = () => new CommandFailed({ message: "The answer has a shape that this version does not know. --json shows it." })
    const response = yield* Effect.mapError(decode(text), unknown)
    yield* Effect.forEach(linesOf(deskAt(baseUrl), response), (line) => Console.log(plain(line)), { discard: true })
  })
).pipe(
  Command.withDescription("Ask the assistant about the account's payments, money and webhooks, or how something is done"),
  Command.withExamples([{ command: "svc ask \"Why was my last payment declined?\"", description: "Answers from the account's own rows" }])
)
