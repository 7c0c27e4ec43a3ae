/** What the server does for each method, whatever door the request came through. */
import type { AgentPolicy } from "@svc/accounts/agent-keys/model"
import { endpointsAt } from "@svc/metering/agents/model"
import { callMetaDescribed } from "@svc/paywall/gate/call-meta"
import { dollars } from "@svc/paywall/payment/model"
import { programs } from "@svc/programs/programs"
import { Gate, type ToolRequest } from "@svc/tool-kit/gate/model"
import { Progress, type Step } from "@svc/tool-kit/progress"
import { Directory } from "@svc/tool-kit/services/directory"
import { Site } from "@svc/tool-kit/services/site"
import { priceIn } from "@svc/tool-kit/tool"
import * as index from "@svc/tools/catalog/index"
import { Effect, Option, Record, Schema } from "effect"
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
export type MethodServices = Gate | Site | Directory

/** What of a request the methods need besides its message. */
export type Door = Pick<ToolRequest, "headers" | "url" | "body" | "address" | "earlier"> & {
  /** Whether the caller has shown an agent key, who sees the tools for agents besides. */
  readonly agent: boolean
  /** The key that the caller has shown. */
  readonly key: string | undefined
}

const Meta = Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown))
const ToolCall = Schema.Struct({
  name: Schema.String,
  arguments: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)),
  _meta: Meta
})
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

const initialize = (params: Params) =>
  Effect.map(capabilities, (able) =>
    result({
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
    tools: tools.map(({ auth, category, mend, name, price_cents, status }) => ({
      name,
      category,
      auth,
      price: Record.map(price_cents, dollars),
      status,
      ...(mend === undefined ? {} : { mend })
    })),
    programs: programs.length,
    artifacts: programs.reduce((sum, { artifacts }) => sum + artifacts.length, 0),
    payment: { methods: ["stripe", "evm"], currency: "USD" },
    call_meta: callMetaDescribed,
    endpoints: endpointsAt(site.tools_url)
  }
})

/** The tools that an agent key may call, each with its price in cents by mode. */
const listedToKey = ({ allowed_tools, max_amount_minor_cents = Infinity }: AgentPolicy) =>
  index.compiled.flatMap(({ listed, meta, name }) => {
    const prices = {
      standard: priceIn(meta.prices, "standard"),
      lite: priceIn(meta.prices, "lite"),
      engineer: priceIn(meta.prices, "engineer")
    }
    const mayCall = allowed_tools?.includes(name) !== false && Math.min(...Object.values(prices)) <= max_amount_minor_cents
    return mayCall ? [{ ...listed, _meta: { "svc/price_cents": prices } }] : []
  })

/** The tools that this caller sees: an agent key those that it may call, everybody else those that need none. */
const toolsFor = Effect.fnUntraced(function*({ agent, key = "" }: Door) {
  if (!agent) return index.listed
  const caller = yield* (yield* Gate).find(key)
  return Option.match(caller, {
    onNone: () => [...index.listed, ...index.listedToAgents],
    onSome: ({ credential }) => listedToKey(credential.kind === "agent_key" ? credential.policy : {})
  })
})

/** All of them fit one page, so there is no cursor that we have given. `null` is no cursor, as some clients write it. */
const listTools = Effect.fnUntraced(function*(params: Params, door: Door) {
  if (params["cursor"] !== undefined && params["cursor"] !== null) {
    return failed(errors.params("cursor: this server gives none, all tools are on one page. List them without a cursor."))
  }
  const { tools } = yield* Extras
  return result({ tools: [...yield* toolsFor(door), ...Array.from(tools.values(), ({ listed }) => listed)] })
})

const isToken = (value: unknown): value is string | number => typeof value === "string" ? value.isWellFormed() : typeof value === "number"

const progressTo = (progressToken: string | number, peer: Peer) => (step: Step) =>
  peer.notify("notifications/progress", { progressToken, ...step })

const callTool = Effect.fnUntraced(function*(params: Params, { address, body, earlier, headers, url }: Door, peer: Peer) {
  const call = Option.getOrUndefined(decodeCall(params))
  if (call === undefined) {
    return failed(errors.params("tools/call needs params with the tool's name, a string, and its arguments, an object."))
  }
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
    ...(body === undefined ? {} : { body }),
    ...(earlier === undefined ? {} : { earlier })
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

const knownMethods = ["initialize", "ping", "tools/list", "tools/call", "discover/catalog", "logging/setLevel", "completion/complete"]

/** The answer to a request. Notifications have none, and are not asked for one. */
export const answer = Effect.fnUntraced(
  function*({ method, params = {} }: Message, door: Door, peer: Peer): Effect.fn.Return<MethodAnswer, never, MethodServices> {
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
        return failed(errors.method(method, knownMethods))
    }
  }
)
