/** A connection that calls one tool again and again. */
import { toolKey } from "../merchants.ts"
import { Unexpected } from "./charge.ts"
import { Connection } from "./connection.ts"
import type { Job } from "./job.ts"

const PATH = "/mcp"
const ACCEPT = "Accept: application/json, text/event-stream\r\n"
const SESSION = /\r\nmcp-session-id: *([^\r]+)/iu

const initialize = JSON.stringify({
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "bench", version: "1" } }
})
const initialized = JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })

/** The header lines of a session that it opens. */
export const sessionOf = async (connection: Connection): Promise<string> => {
  const answer = await connection.send("POST", PATH, "", initialize, ACCEPT)
  const id = SESSION.exec(answer.head)?.[1]
  if (answer.status !== 200 || id === undefined) throw new Unexpected("initialize", answer)
  return `${ACCEPT}Mcp-Session-Id: ${id}\r\nMCP-Protocol-Version: 2025-11-25\r\n`
}

/** Tells the server, on a connection of its own: its answer has no body, and a server may leave out its length. */
const tell = async (port: number, headers: string): Promise<void> => {
  await fetch(`http://127.0.0.1:${port}${PATH}`, {
    method: "POST",
    headers: [
      ["content-type", "application/json"],
      ...headers.trim().split("\r\n").map((line): [string, string] => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)])
    ],
    body: initialized
  })
}

export interface Caller {
  readonly call: () => Promise<void>
  readonly close: () => void
}

/** The `n`-th of the job's connections. */
export const openCaller = async (job: Extract<Job, { readonly kind: "tool_calls" }>, n: number): Promise<Caller> => {
  const { caller, connections, firstMerchant, merchants, port, tool } = job
  const connection = new Connection(port)
  const headers = caller._tag === "Sessions" ? await sessionOf(connection) : ""
  if (caller._tag === "Sessions") await tell(port, headers)
  let calls = 0
  const keyOf = (): string =>
    caller._tag === "Sessions" ? "" : caller._tag === "Key" ? caller.key : toolKey(firstMerchant + ((n + connections * calls) % merchants))
  const call = async (): Promise<void> => {
    const key = keyOf()
    calls++
    const answer = await connection.send(
      "POST",
      PATH,
      key,
      `{"jsonrpc":"2.0","id":${calls},"method":"tools/call","params":{"name":"${tool}","arguments":${job.arguments}}}`,
      headers
    )
    if (answer.status !== 200 || !answer.body.includes("\"structuredContent\"") || answer.body.includes("\"isError\":true")) {
      throw new Unexpected(tool, answer)
    }
  }
  return { call, close: () => connection.close() }
}
