/** The official SDK, version 1, as an agent's program uses it. Says what it saw as JSON. `node sdk-v1.mjs <url> <http|sse>` */
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"

const [url, kind] = process.argv.slice(2)
const transport = kind === "sse" ? new SSEClientTransport(new URL(url)) : new StreamableHTTPClientTransport(new URL(url))
const client = new Client({ name: "testkit", version: "1.0.0" }, { capabilities: {} })
const seen = { notifications: [] }
client.fallbackNotificationHandler = async (notification) => void seen.notifications.push(notification)

const refused = async (act) => {
  try {
    return { result: await act() }
  } catch (error) {
    return { code: error.code, message: error.message }
  }
}

await client.connect(transport)
seen.session = transport.sessionId ?? null
seen.protocol = client.getNegotiatedProtocolVersion?.() ?? transport.protocolVersion ?? null
seen.server = client.getServerVersion()
seen.instructions = client.getInstructions()
seen.tools = (await client.listTools()).tools.map(({ name }) => name)
seen.programs = (await client.callTool({ name: "list_programs", arguments: {} })).structuredContent
seen.paid = await client.callTool({ name: "ping_payment", arguments: {} })
seen.unknown = await refused(() => client.callTool({ name: "no_such_tool", arguments: {} }))
seen.wrong = await refused(() => client.callTool({ name: "list_programs", arguments: { surplus: 1 } }))
seen.ping = await client.ping()
seen.level = await client.setLoggingLevel("warning")
seen.many = (await Promise.all(Array.from({ length: 20 }, () => client.callTool({ name: "list_programs", arguments: {} })))).length
if (kind !== "sse") {
  const id = transport.sessionId
  await transport.terminateSession()
  const after = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream", "mcp-session-id": id },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" })
  })
  seen.afterwards = after.status
}
await client.close()
console.log(JSON.stringify(seen))
