/** Free calls of a tool, over the official SDK's own server with an equal one; and what the list of tools costs an agent's context. */
import { fromJsonText } from "@svc/kernel/values/json-codec"
import { folder, installed } from "@svc/testkit/clients/install"
import { freePorts } from "@svc/testkit/ports"
import { Console, Effect, Schema } from "effect"
import { Tiktoken } from "js-tiktoken/lite"
import o200k from "js-tiktoken/ranks/o200k_base"
import { join } from "node:path"
import { median } from "../load/histogram.ts"
import { BenchFailed, load, ready, start } from "../processes.ts"
import { atLeast, atMost, figure, type Row, spread } from "../report.ts"
import { perSecond, Stage } from "../stage.ts"

/** Pure, free, and of a usual size: a question of 60 bytes and an answer of two kilobytes. */
export const TOOL = "score_dispute_readiness"
export const ARGUMENTS = "{\"reason_code\":\"13.1\",\"evidence\":{\"hasDeliveryProof\":true}}"

const Answer = Schema.Struct({ result: Schema.Record(Schema.String, Schema.Unknown) })
const decode = Schema.decodeUnknownEffect(fromJsonText(Answer))

const ask = Effect.fnUntraced(function*(port: number, method: string, params: string) {
  const text = yield* Effect.tryPromise({
    try: () =>
      fetch(`http://127.0.0.1:${port}/mcp`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`
      }).then((response) => response.text()),
    catch: (error) => new BenchFailed({ message: `${method} was not answered: ${String(error)}` })
  })
  return (yield* decode(text)).result
})

/** The official SDK's server, in a process of its own, whose one tool answers what ours has answered. */
const startSdk = Effect.fnUntraced(function*(result: unknown) {
  yield* installed
  const { port } = yield* freePorts("port")
  const program = yield* start(process.execPath, [join(folder, "sdk-server.mjs")], {
    PORT: String(port),
    TOOL,
    RESULT: JSON.stringify(result)
  })
  yield* ready(program, `http://127.0.0.1:${port}/`)
  return port
})

const MOST_TOKENS = 7_000

const context = Effect.fnUntraced(function*(port: number) {
  const { tools } = yield* ask(port, "tools/list", "{}")
  const tokens = new Tiktoken(o200k).encode(JSON.stringify({ tools })).length
  const count = Array.isArray(tools) ? tools.length : 0
  return atMost(`o200k tokens of tools/list, ${count} tools`, tokens, MOST_TOKENS, tokens.toLocaleString("en"), "<= 7,000")
})

export const tools = Effect.gen(function*() {
  const { plan, server } = yield* Stage
  const { structuredContent } = yield* ask(server.toolsPort, "tools/call", `{"name":"${TOOL}","arguments":${ARGUMENTS}}`)
  const sdk = yield* startSdk(structuredContent)
  const job = {
    kind: "tool_calls",
    connections: plan.connections,
    firstMerchant: 0,
    merchants: plan.merchants,
    tool: TOOL,
    arguments: ARGUMENTS,
    warmup: 0
  } as const
  const anonymous = { ...job, caller: { _tag: "Sessions" } } as const
  const rates = { ours: new Array<number>(), sdk: new Array<number>(), keyed: new Array<number>() }
  for (const port of [server.toolsPort, sdk]) yield* load({ ...anonymous, port, seconds: plan.warmup })
  for (let n = 0; n < plan.callRounds; n++) {
    rates.ours.push(perSecond(yield* load({ ...anonymous, port: server.toolsPort, seconds: plan.seconds })))
    rates.sdk.push(perSecond(yield* load({ ...anonymous, port: sdk, seconds: plan.seconds })))
    rates.keyed.push(perSecond(yield* load({ ...job, caller: { _tag: "Merchants" }, port: server.toolsPort, seconds: plan.seconds })))
    yield* Console.log(
      `  round ${n + 1}: ours ${figure(rates.ours[n] ?? Number.NaN)} calls/s, the SDK's ${
        figure(rates.sdk[n] ?? Number.NaN)
      }, ours with a key ${figure(rates.keyed[n] ?? Number.NaN)}`
    )
  }
  const ratios = rates.ours.map((rate, n) => rate / (rates.sdk[n] ?? Number.NaN))
  const shown = (values: ReadonlyArray<number>) => spread(values, median(values), "calls/s")
  return [
    { measure: `free calls of a tool a second over streamable HTTP, ${plan.connections} sessions`, value: shown(rates.ours) },
    { measure: "an equal tool on the official SDK's own server", value: shown(rates.sdk) },
    atLeast("free calls of a tool over the official SDK's own server", median(ratios), 1, spread(ratios, median(ratios))),
    {
      measure: "the same with the keys of 1,000 accounts, without sessions: each answer tells where the account stands",
      value: shown(rates.keyed)
    },
    yield* context(server.toolsPort)
  ] satisfies ReadonlyArray<Row>
}).pipe(Effect.scoped)
