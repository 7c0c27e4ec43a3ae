/** What the server does for each method, whatever door the request came through. */
import { programs } from "@svc/programs/programs"
import { Effect, Option, Schema } from "effect"
import * as index from "../catalog/index.ts"
import { Gate, type ToolAnswer, type ToolRequest } from "../gate/model.ts"
import { priceIn } from "../tool.ts"
import { errors, type Message, type RpcError } from "./json-rpc.ts"

export const SERVER = { name: "svc", title: "svc: payments, billing and tools for agents", version: "0.5.3" } as const

/** The revision that the contract names, and that a caller who names none speaks. */
export const REVISION = "2025-03-26"

/** Newest first. */
export const revisions = ["2025-11-25", "2025-06-18", REVISION, "2024-11-05"] as const
export type Revision = typeof revisions[number]

export const instructions =
  "Call list_programs, search_and_discover_tools or get_install_manifest to look around for free. Paid tools answer with a payment challenge; ping_payment tries it for one cent."

/** What of a request the methods need besides its message. */
export type Door = Pick<ToolRequest, "headers" | "url" | "body" | "address"> & {
  /** Whether the caller has shown an agent key, who sees the tools for agents besides. */
  readonly agent: boolean
}

export type MethodAnswer =
  | { readonly _tag: "Result"; readonly result: unknown }
  | { readonly _tag: "Error"; readonly error: RpcError }
  | { readonly _tag: "Tool"; readonly answer: ToolAnswer }

const result = (value: unknown): MethodAnswer => ({ _tag: "Result", result: value })
const failed = (error: RpcError): MethodAnswer => ({ _tag: "Error", error })

const ToolCall = Schema.Struct({
  name: Schema.String,
  arguments: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)),
  _meta: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown))
})
const decodeCall = Schema.decodeUnknownOption(ToolCall)

const isRevision = (asked: unknown): asked is Revision => revisions.some((one) => one === asked)

/** The revision to speak with a client that asks for this one. */
export const negotiated = (asked: unknown): Revision => isRevision(asked) ? asked : revisions[0]

const initialize = (params: Message["params"]) => ({
  protocolVersion: negotiated(params?.["protocolVersion"]),
  capabilities: { tools: { listChanged: false }, logging: {}, experimental: { payment: { methods: ["stripe", "evm"] } } },
  serverInfo: SERVER,
  instructions
})

const prices = ({ prices: table }: typeof index.all[number]["meta"]) => ({
  standard: priceIn(table, "standard"),
  lite: priceIn(table, "lite"),
  engineer: priceIn(table, "engineer")
})

/** `discover/catalog`: what there is and what it costs, in one answer. */
export const discovered = () => ({
  service: SERVER.name,
  version: SERVER.version,
  protocol_version: REVISION,
  tools: index.all.filter(({ meta }) => meta.auth !== "agent").map(({ meta, name }) => ({ name, auth: meta.auth, price_cents: prices(meta) })),
  programs: programs.length,
  artifacts: programs.reduce((sum, { artifacts }) => sum + artifacts.length, 0)
})

const callTool = Effect.fnUntraced(function*(params: Message["params"], { address, body, headers, url }: Door) {
  const call = Option.getOrUndefined(decodeCall(params))
  if (call === undefined) return failed(errors.params("tools/call needs params with the tool's name, a string, and its arguments, an object."))
  const gate = yield* Gate
  const answer = yield* gate.call({
    name: call.name,
    arguments: call.arguments ?? {},
    meta: call._meta ?? {},
    headers,
    url,
    address,
    ...(body === undefined ? {} : { body })
  })
  return { _tag: "Tool", answer } satisfies MethodAnswer
})

const known = ["initialize", "ping", "tools/list", "tools/call", "discover/catalog"]

/** The answer to a request. Notifications have none, and are not asked for one. */
export const answer = ({ method, params }: Message, door: Door): Effect.Effect<MethodAnswer, never, Gate> => {
  switch (method) {
    case "initialize":
      return Effect.succeed(result(initialize(params)))
    case "ping":
      return Effect.succeed(result({}))
    case "tools/list":
      return Effect.succeed(result({ tools: door.agent ? [...index.listed, ...index.listedToAgents] : index.listed }))
    case "tools/call":
      return callTool(params, door)
    case "discover/catalog":
      return Effect.succeed(result(discovered()))
    default:
      return Effect.succeed(failed(errors.method(method, known)))
  }
}
