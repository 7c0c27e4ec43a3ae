/** Resources and prompts, which this server has none of as it is installed. */
import { type MethodAnswer, result } from "@svc/doors/mcp/answers"
import type { Method } from "@svc/doors/mcp/extras"
import type { Params } from "@svc/doors/mcp/json-rpc"
import { Effect } from "effect"
import { argument, IMAGE, wrong } from "./parts.ts"
import { promptRound } from "./rounds.ts"

const TEMPLATE = /^test:\/\/template\/([^/]+)\/data$/

const contentsOf = (uri: string): object | undefined => {
  if (uri === "test://static-text") return { uri, mimeType: "text/plain", text: "This is the content of the static text resource." }
  if (uri === "test://static-binary") return { uri, mimeType: "image/png", blob: IMAGE }
  if (uri === "test://watched-resource") return { uri, mimeType: "text/plain", text: "It never changes." }
  const id = TEMPLATE.exec(uri)?.[1]
  return id === undefined
    ? undefined
    : { uri, mimeType: "application/json", text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }) }
}

const resources = [
  { uri: "test://static-text", name: "Static text", mimeType: "text/plain" },
  { uri: "test://static-binary", name: "Static binary", mimeType: "image/png" },
  { uri: "test://watched-resource", name: "Watched", mimeType: "text/plain" }
]

const text = (words: string) => ({ role: "user", content: { type: "text", text: words } })

const prompts = [
  { name: "test_simple_prompt", description: "Without arguments." },
  {
    name: "test_prompt_with_arguments",
    description: "With two arguments.",
    arguments: [{ name: "arg1", description: "The first.", required: true }, { name: "arg2", description: "The second.", required: true }]
  },
  {
    name: "test_prompt_with_embedded_resource",
    description: "With a resource.",
    arguments: [{ name: "resourceUri", description: "Which.", required: true }]
  },
  { name: "test_prompt_with_image", description: "With an image." },
  { name: "test_input_required_result_prompt", description: "Needs context." }
]

const read: Method = ({ uri }) => {
  const contents = contentsOf(String(uri))
  return Effect.succeed(contents === undefined ? wrong("Resource not found", { uri }) : result({ contents: [contents] }))
}

const promptOf = (params: Params): MethodAnswer => {
  switch (params["name"]) {
    case "test_simple_prompt":
      return result({ messages: [text("This is a simple prompt for testing.")] })
    case "test_prompt_with_arguments":
      return result({ messages: [text(`Prompt with arguments: arg1='${argument(params, "arg1")}', arg2='${argument(params, "arg2")}'`)] })
    case "test_prompt_with_embedded_resource":
      return result({
        messages: [
          {
            role: "user",
            content: {
              type: "resource",
              resource: { uri: argument(params, "resourceUri"), mimeType: "text/plain", text: "Embedded resource content for testing." }
            }
          },
          text("Please process the embedded resource above.")
        ]
      })
    case "test_prompt_with_image":
      return result({
        messages: [
          { role: "user", content: { type: "image", data: IMAGE, mimeType: "image/png" } },
          text("Please analyze the image above.")
        ]
      })
    case "test_input_required_result_prompt":
      return promptRound(params)
    default:
      return wrong("Prompt not found", { name: params["name"] })
  }
}

const always = (answer: Readonly<Record<string, unknown>>): Method => () => Effect.succeed(result(answer))

export const methods: ReadonlyMap<string, Method> = new Map<string, Method>([
  ["resources/list", always({ resources })],
  [
    "resources/templates/list",
    always({ resourceTemplates: [{ uriTemplate: "test://template/{id}/data", name: "Template", mimeType: "application/json" }] })
  ],
  ["resources/read", read],
  ["resources/subscribe", always({})],
  ["resources/unsubscribe", always({})],
  ["prompts/list", always({ prompts })],
  ["prompts/get", (params) => Effect.succeed(promptOf(params))]
])
