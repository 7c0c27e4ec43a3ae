/** What the server does for each method, whatever door the request came through. */
import { programs } from "@svc/programs/programs"
import { Effect, Option, Record, Schema } from "effect"
import { endpointsAt } from "../agents/model.ts"
import * as index from "../catalog/index.ts"
import { callMetaDescribed } from "../gate/call-meta.ts"
import { Gate, type ToolRequest } from "../gate/model.ts"
import { Progress, type Step } from "../progress.ts"
import { dollars } from "../payment/model.ts"
import { Directory } from "../services/directory.ts"
import { Site } from "../services/site.ts"
import { failed, type MethodAnswer, result } from "./answers.ts"
import { Extras } from "./extras.ts"
import { errors, type Message, type Params } from "./json-rpc.ts"
import { isLogLevel, logLevels, type Peer } from "./peer.ts"
import { negotiated, REVISION } from "./revisions.ts"

/** The contract fixes this version: it is that of what the tool server offers, and not that of this repository (package.json). */
export const SERVER = { name: "svc", title: "svc: payments, billing and tools for agents", version: "0.5.3" } as const

export const instructions =
  "Call list_programs, search_and_discover_tools or get_install_manifest to look around for free. Paid tools answer with a payment challenge; ping_payment tries it for one cent. " +
  "A call of which no answer came costs once when it is sent again as it was, with the same id in the same session, or with the same params._meta[\"svc/idempotency_key\"] anywhere. " +
  "_meta also takes svc/mode (standard, lite, engineer), svc/budget ({\"budget_per_run_cents\": 50}) and svc/allow_duplicate (true)."

/** What the methods ask of the rest of the tool server. */
export type Needs = Gate | Site | Directory

/** What of a request the methods need besides its message. */
export type Door = Pick<ToolRequest, "headers" | "url" | "body" | "address"> & {
  /** Whether the caller has shown an agent key, who sees the tools for agents besides. */
  readonly agent: boolean
}

const Meta = Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown))
const ToolCall = Schema.Struct({ name: Schema.String, arguments: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)), _meta: Meta })
const decodeCall = Schema.decodeUnknownOption(ToolCall)

const Completion = Schema.Struct({
  ref: Schema.Union([
    Schema.Struct({ type: Schema.Literal("ref/prompt"), name: Schema.String }),
    Schema.Struct({ type: Schema.Literal("ref/resource"), uri: Schema.String })
  ]),
  argument: Schema.Struct({ name: Schema.String, value: Schema.String })
})
const isCompletion = Schema.is(Completion)

/** What this server can do, as clients of every revision read it. */
export const capabilities = Effect.map(Extras, (extras) => ({
  tools: { listChanged: false },
  logging: {},
  completions: {},
  experimental: { payment: { methods: ["stripe", "evm"] } },
  ...extras.capabilities
}))

const initialize = (params: Params) => Effect.map(capabilities, (able) => result({
  protocolVersion: negotiated(params["protocolVersion"]),
  capabilities: able,
  serverInfo: SERVER,
  instructions
}))

/** `discover/catalog`: what there is, what it costs, and whether it works here, in one answer. */
const discovered = Effect.gen(function*() {
  const [site, directory] = [yield* Site, yield* Directory]
  const tools = yield* directory.tools
  return {
    service: SERVER.name,
    version: SERVER.version,
    protocol_version: REVISION,
    tools: tools.map(({ auth, category, name, price_cents, status }) => ({ name, category, auth, price: Record.map(price_cents, dollars), status })),
    programs: programs.length,
    artifacts: programs.reduce((sum, { artifacts }) => sum + artifacts.length, 0),
    payment: { methods: ["stripe", "evm"], currency: "USD" },
    call_meta: callMetaDescribed,
    endpoints: endpointsAt(site.tools_url)
  }
})

/** All of them fit one page, so there is no cursor that we have given. */
const listTools = (params: Params, { agent }: Door) => Effect.map(Extras, ({ tools }) =>
  params["cursor"] !== undefined
    ? failed(errors.params("cursor: this server gives none, all tools are on one page. List them without a cursor."))
    : result({ tools: [...index.listed, ...(agent ? index.listedToAgents : []), ...Array.from(tools.values(), ({ listed }) => listed)] }))

const isToken = (value: unknown): value is string | number => typeof value === "string" || typeof value === "number"

const progressTo = (progressToken: string | number, peer: Peer) => (step: Step) => peer.notify("notifications/progress", { progressToken, ...step })

const callTool = Effect.fnUntraced(function*(params: Params, { address, body, headers, url }: Door, peer: Peer) {
  const call = Option.getOrUndefined(decodeCall(params))
  if (call === undefined) return failed(errors.params("tools/call needs params with the tool's name, a string, and its arguments, an object."))
  const extra = (yield* Extras).tools.get(call.name)
  if (extra !== undefined) return yield* extra.call(params, peer)
  const gate = yield* Gate
  const asked = gate.call({
    name: call.name,
    arguments: call.arguments ?? {},
    meta: call._meta ?? {},
    headers,
    url,
    address,
    ...(body === undefined ? {} : { body })
  })
  const token = call._meta?.["progressToken"]
  const answer = yield* isToken(token) ? Effect.provideService(asked, Progress, progressTo(token, peer)) : asked
  return { _tag: "Tool", answer } satisfies MethodAnswer
})

const setLevel = (params: Params, peer: Peer) => {
  const { level } = params
  return isLogLevel(level)
    ? Effect.as(peer.setLevel(level), result({}))
    : Effect.succeed(failed(errors.params(`level: must be one of ${logLevels.join(", ")}.`)))
}

/** Nothing here has arguments that could be completed; whoever asks is told so in the form of the protocol. */
const complete = (params: Params) =>
  isCompletion(params)
    ? result({ completion: { values: [], total: 0, hasMore: false } })
    : failed(errors.params("completion/complete needs ref, of a prompt or a resource, and argument with name and value."))

const known = ["initialize", "ping", "tools/list", "tools/call", "discover/catalog", "logging/setLevel", "completion/complete"]

/** The answer to a request. Notifications have none, and are not asked for one. */
export const answer = Effect.fnUntraced(function*({ method, params = {} }: Message, door: Door, peer: Peer): Effect.fn.Return<MethodAnswer, never, Needs> {
  const extra = (yield* Extras).methods.get(method)
  if (extra !== undefined) return yield* extra(params, peer)
  switch (method) {
    case "initialize":
      return yield* initialize(params)
    case "ping":
      return result({})
    case "tools/list":
      return yield* listTools(params, door)
    case "tools/call":
      return yield* callTool(params, door, peer)
    case "discover/catalog":
      return result(yield* discovered)
    case "logging/setLevel":
      return yield* setLevel(params, peer)
    case "completion/complete":
      return complete(params)
    default:
      return failed(errors.method(method, known))
  }
})
