/** Requests to the tool server: good ones, and one to three things wrong with the arguments, the message, the headers or the body. */
import { shorten } from "../../contract/cases.ts"
import { escaped, nodeOf, print, raw } from "../../contract/json-text.ts"
import * as nasty from "../../contract/nasty.ts"
import type { Chance } from "../../simulation/chance.ts"
import { argumentsOf, type Target } from "./arguments.ts"

/** The ways in. A session is named by its revision. */
export const doors = [
  "bare",
  "batch",
  "2025-11-25",
  "2025-06-18",
  "2025-03-26",
  "2024-11-05",
  "session batch",
  "sse",
  "stateless",
  "rpc"
] as const
export type Door = typeof doors[number]

export interface Case {
  readonly door: Door
  readonly wrong: ReadonlyArray<string>
  readonly method: string
  readonly target: string
  /** `{session}` in a value becomes the session of the door. */
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  readonly body: Buffer
  /** Of a message that is well formed and well sent: it has to be answered as one. */
  readonly clean: boolean
  /** Of such a message, the one field of the arguments that is wrong. */
  readonly field: string | undefined
  /** Nothing is wrong with it at all. */
  readonly good: boolean
}

export interface Ingredients {
  readonly targets: ReadonlyArray<Target>
  readonly keys: ReadonlyArray<string>
}

const ids = [
  "1",
  "0",
  "-1",
  "1.5",
  "-0",
  "9007199254740993",
  "1e300",
  "1e400",
  "null",
  "\"\"",
  "\"a\"",
  "\"\\ud800\"",
  "\"\\u0000\"",
  "\"__proto__\"",
  `"${"i".repeat(5_000)}"`,
  "true",
  "{}",
  "[]",
  "[1]",
  "{\"a\":1}",
  "4242424242424242"
]
const otherMethods = [
  "tools/list",
  "tools/list",
  "ping",
  "discover/catalog",
  "logging/setLevel",
  "completion/complete",
  "initialize",
  "server/discover",
  "resources/list",
  "prompts/get",
  "notifications/cancelled",
  "notifications/initialized",
  "rpc.discover",
  "",
  "tools/call ",
  "__proto__",
  "constructor",
  "tools/call\\u0000"
]
const otherParams = [
  "{\"cursor\":\"x\"}",
  "{\"cursor\":null}",
  "{\"level\":\"debug\"}",
  "{\"level\":7}",
  "{\"requestId\":1}",
  "{\"protocolVersion\":\"2025-03-26\"}",
  "{\"protocolVersion\":{}}",
  "{\"ref\":{\"type\":\"ref/prompt\",\"name\":\"x\"},\"argument\":{\"name\":\"a\",\"value\":\"b\"}}",
  "{\"_meta\":null}",
  "{\"_meta\":{\"progressToken\":{}}}",
  "[]",
  "null",
  "1",
  "\"x\"",
  "{\"__proto__\":{\"name\":\"ping_payment\"}}"
]
const metas = [
  "{\"progressToken\":1}",
  "{\"progressToken\":\"\\ud800\"}",
  "{\"org.paymentauth/credential\":{}}",
  "{\"org.paymentauth/credential\":null}",
  "{\"org.paymentauth/credential\":{\"challenge\":{\"id\":\"x\"},\"payload\":{}}}",
  "{\"x402/payment\":{\"x402Version\":2}}",
  "{\"x402/payment\":\"eyJ\"}",
  "[]",
  "null",
  "{\"__proto__\":1}"
]
const toolHeaders: ReadonlyArray<readonly [string, string]> = [
  ...["0", "1", "{\"budget_per_run_cents\":0}", "{\"budget_per_run_cents\":1e400}", "{", "{\"budget_per_run_cents\":\"x\"}", "[]"].map((
    value
  ) => ["X-Agent-Budget", value] as const),
  ...["lite", "engineer", "ENGINEER", "x", "__proto__"].map((value) => ["X-Agent-Mode", value] as const),
  ...[
    "Payment",
    "Payment e30",
    "Payment !!!",
    "Payment eyJjaGFsbGVuZ2UiOnt9fQ",
    `Payment ${"A".repeat(6_000)}`,
    "Bearer agk_test_x",
    "Bearer svck_test_x",
    "Bearer sk_test_x"
  ].map((value) => ["Authorization", value] as const),
  ...["", "e30=", "bnVsbA==", "!!!", "W10="].flatMap((value) => [["X-Payment", value] as const, ["Payment-Signature", value] as const]),
  ...["", "stripe/charge", "*/*;q=0", ";;,", "evm/charge;q=x"].map((value) => ["Accept-Payment", value] as const),
  ...["", "k", "k".repeat(300), "__proto__"].map((value) => ["Idempotency-Key", value] as const),
  ...["2026-07-28", "2025-11-25", "1999-01-01", ""].map((value) => ["MCP-Protocol-Version", value] as const),
  ...["", "nobody", "{session}", "a".repeat(4_000)].map((value) => ["Mcp-Session-Id", value] as const),
  ...["null", "https://evil.example", "http://localhost:3000"].map((value) => ["Origin", value] as const),
  ["X-Svc-Allow-Duplicate", "true"],
  ["X-Svc-Key", ""],
  ["X-Svc-Key", "x"],
  ["Last-Event-ID", "1.1"],
  ["Mcp-Method", "x"],
  ["Mcp-Name", "=?base64?!!!?="]
]

interface Draft {
  readonly wrong: Array<string>
  readonly headers: Array<readonly [string, string]>
  method: string
  target: string
  body: Buffer
  /** Something is wrong outside of the arguments. */
  spoilt: boolean
}

const REVISION = "io.modelcontextprotocol/protocolVersion"
const ABLE = "io.modelcontextprotocol/clientCapabilities"

/** One message: its text, and what is wrong with it. */
const messageOf = (chance: Chance, { targets }: Ingredients, door: Door, faults: number) => {
  const target = chance.pick(targets)
  const isCall = chance.happens(0.85)
  const args = argumentsOf(chance, target, isCall && chance.happens(0.75) ? faults : 0)
  const wrong = isCall ? [...args.wrong] : []
  const method = isCall ? "tools/call" : chance.pick(otherMethods)
  const stateless = door === "stateless" ? { [REVISION]: "2026-07-28", [ABLE]: {} } : undefined
  const message = nodeOf({
    jsonrpc: "2.0",
    id: chance.between(1, 1_000_000),
    method: "?",
    params: stateless === undefined ? {} : { _meta: stateless }
  })
  if (message.kind !== "object") throw new Error("a message is an object")
  const { members } = message
  const params = members.find(({ key }) => key === "\"params\"")?.value
  const put = (key: string, value: string) => {
    const found = members.find((member) => member.key === `"${key}"`)
    if (found !== undefined) found.value = raw(value)
  }
  put("method", `"${method}"`)
  if (isCall && params?.kind === "object") {
    params.members.push({ key: "\"name\"", value: raw(JSON.stringify(target.name)) }, { key: "\"arguments\"", value: args.node })
  }
  let spoilt = !isCall
  const spoil = (words: string) => {
    wrong.push(words)
    spoilt = true
  }
  if (chance.happens(0.25)) {
    const id = chance.pick(ids)
    put("id", id)
    // Every id that JSON-RPC knows is answered like any other.
    wrong.push(`id ${shorten(id)}`)
  } else if (chance.happens(0.04)) {
    members.splice(members.findIndex(({ key }) => key === "\"id\""), 1)
    wrong.push("no id")
  }
  if (!isCall && chance.happens(0.6)) {
    const value = chance.pick(otherParams)
    put("params", value)
    wrong.push(`${method} with ${shorten(value)}`)
  }
  if (door !== "stateless" && isCall && params?.kind === "object" && chance.happens(0.12)) {
    const value = chance.pick(metas)
    params.members.push({ key: "\"_meta\"", value: raw(value) })
    spoil(`_meta ${shorten(value)}`)
  }
  if (faults > 0 && chance.happens(0.12)) {
    const member = chance.pick(members)
    const value = chance.pick(nasty.rawValues)
    switch (chance.pick(["replace", "twice", "unknown", "escape"])) {
      case "replace":
        member.value = raw(value)
        break
      case "twice":
        members.push({ key: member.key, value: raw(value) })
        break
      case "escape":
        members.push({ key: escaped(member.key.slice(1, -1)), value: raw(value) })
        break
      default:
        members.push({ key: JSON.stringify(chance.pick(nasty.unknownKeys)), value: raw(value) })
    }
    spoil(`the message's ${member.key} and ${shorten(value)}`)
  }
  return {
    text: print(message),
    wrong,
    spoilt,
    field: isCall && !spoilt ? args.field : undefined,
    good: isCall && wrong.length === 0,
    method,
    name: target.name
  }
}

const procedureOf = (chance: Chance, { targets }: Ingredients, faults: number) => {
  const target = chance.pick(
    targets.filter(({ name }, at) => targets.findIndex(({ schema }) => schema === targets[at]?.schema) === at && name !== "")
  )
  const args = argumentsOf(chance, target, faults)
  const wrong = [...args.wrong]
  let [tag, name, id, more] = ["Request", target.name, `"${chance.between(1, 1_000)}"`, ""]
  if (faults > 0 && chance.happens(0.15)) {
    const which = chance.pick(["tag", "name", "id", "more"])
    if (which === "tag") tag = chance.pick(["Ack", "Interrupt", "Eof", "Ping", "", "request", "__proto__"])
    if (which === "name") name = chance.pick(["", "nobody", "__proto__", "constructor"])
    if (which === "id") id = chance.pick(ids)
    if (which === "more") more = `,"headers":${chance.pick(["null", "1", "[[1,2]]", "[[\"a\"]]", "{}"])}`
    wrong.push(`the procedure's ${which}`)
  }
  const text = `{"_tag":"${tag}","id":${id},"tag":${JSON.stringify(name)},"payload":${print(args.node)}${
    more === "" ? ",\"headers\":[]" : more
  }}`
  return { text, wrong, spoilt: wrong.length > 0, field: undefined, good: wrong.length === 0, method: "", name }
}

const spoilHeaders = (chance: Chance, draft: Draft) => {
  const [name, value] = chance.happens(0.7) ? chance.pick(toolHeaders) : chance.pick(nasty.headers)
  const at = draft.headers.findIndex(([known]) => known.toLowerCase() === name.toLowerCase())
  if (at >= 0) draft.headers.splice(at, 1)
  draft.headers.push([name, value])
  draft.wrong.push(`${name}: ${shorten(value)}`)
}

const spoilOutside = (chance: Chance, draft: Draft) => {
  const kind = chance.next()
  if (kind < 0.5) return spoilHeaders(chance, draft)
  if (kind < 0.8) {
    const bytes = chance.happens(0.3) ? chance.pick(nasty.byteBodies) : Buffer.from(chance.pick(nasty.bodies))
    draft.body = bytes
    draft.wrong.push(`body ${shorten(bytes.toString("latin1"))}`)
    return
  }
  if (kind < 0.9) {
    draft.headers.push(["Content-Type", chance.pick(nasty.contentTypes)])
    draft.wrong.push("content type")
    return
  }
  if (chance.happens(0.5)) {
    draft.method = chance.pick(nasty.methods)
    // A stream that is asked for stays open: doors.test.ts reads some.
    const at = draft.headers.findIndex(([name]) => name === "Accept")
    if (draft.method === "GET" && at >= 0) draft.headers[at] = ["Accept", "application/json"]
  } else draft.target += chance.pick(["/", "/x", "%00", "?", "?a=b", "#", "%2F"])
  draft.wrong.push(`${draft.method} ${draft.target}`)
}

const acceptOf = (chance: Chance): ReadonlyArray<readonly [string, string]> =>
  chance.pick([
    [],
    [["Accept", "application/json"]],
    [["Accept", "text/event-stream"]],
    [["Accept", "application/json, text/event-stream"]],
    [["Accept", "*/*"]],
    [["Accept", "text/html"]]
  ])

const PATHS: Readonly<Partial<Record<Door, string>>> = { sse: "{session}", rpc: "/rpc" }

/** The request of a number. */
export const makeCase = (chance: Chance, ingredients: Ingredients): Case => {
  const door = chance.pick(doors)
  const faults = chance.pick([0, 1, 1, 1, 1, 2, 3])
  const hasMany = door === "batch" || door === "session batch" || (door === "rpc" && chance.happens(0.2))
  const count = hasMany ? chance.between(1, 4) : 1
  const messages = Array.from(
    { length: count },
    () => door === "rpc" ? procedureOf(chance, ingredients, faults) : messageOf(chance, ingredients, door, faults)
  )
  const isArray = door === "batch" || door === "session batch"
  const texts = messages.map(({ text }) => text)
  const body = door === "rpc" ? `${texts.join("\n")}\n` : isArray ? `[${texts.join(",")}]` : texts.join("")
  const key = chance.happens(0.8) ? chance.pick(ingredients.keys) : undefined
  const [first] = messages
  // What a session hears has to show the key that it was opened with.
  const ofSession = door !== "bare" && door !== "batch" && door !== "stateless" && door !== "rpc"
  const draft: Draft = {
    wrong: messages.flatMap(({ wrong }) => wrong),
    headers: [
      ["Content-Type", "application/json"],
      ...(ofSession
        ? [["Authorization", "{key}"] as const]
        : key === undefined
        ? []
        : [chance.happens(0.5) ? ["Authorization", `Bearer ${key}`] as const : ["X-Svc-Key", key] as const]),
      ...(ofSession && door !== "sse" ? [["Mcp-Session-Id", "{session}"] as const] : []),
      ...(door === "stateless"
        ? [["MCP-Protocol-Version", "2026-07-28"], ["Mcp-Method", first?.method ?? ""], ["Mcp-Name", first?.name ?? ""]] as const
        : []),
      ...acceptOf(chance)
    ],
    method: "POST",
    target: PATHS[door] ?? chance.pick(["/mcp", "/v1/mcp"]),
    body: Buffer.from(body),
    spoilt: false
  }
  if (faults > 0 && chance.happens(0.25)) {
    spoilOutside(chance, draft)
    draft.spoilt = true
  }
  const good = faults === 0 && messages.every((message) => message.good)
  return {
    door,
    good,
    wrong: draft.wrong,
    method: draft.method,
    target: draft.target,
    headers: draft.headers,
    body: draft.body,
    clean: !draft.spoilt && messages.every(({ spoilt }) => !spoilt),
    field: count === 1 && !isArray && !draft.spoilt ? first?.field : undefined
  }
}
