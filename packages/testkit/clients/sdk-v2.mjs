/** The official SDK, version 2. `node sdk-v2.mjs <url> <legacy|auto|pin>` */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"

const [url, mode] = process.argv.slice(2)
const versionNegotiation = mode === "pin" ? { mode: { pin: "2026-07-28" } } : { mode }
const client = new Client({ name: "testkit", version: "1.0.0" }, { versionNegotiation })
const transport = new StreamableHTTPClientTransport(new URL(url))
await client.connect(transport)
const seen = {
  session: transport.sessionId ?? null,
  protocol: client.getNegotiatedProtocolVersion?.() ?? null,
  server: client.getServerVersion() ?? null
}
seen.tools = (await client.listTools()).tools.map(({ name }) => name)
seen.programs = (await client.callTool({ name: "list_programs", arguments: {} })).structuredContent
try {
  await client.callTool({ name: "no_such_tool", arguments: {} })
} catch (error) {
  seen.unknown = { code: error.code, message: error.message }
}
await client.close()
console.log(JSON.stringify(seen))
