/**
 * The official SDK's own server, with sessions, for comparison: one tool that answers what it is told to. `node sdk-server.mjs` with
 * `PORT`, `TOOL` (its name) and `RESULT` (JSON).
 */
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js"
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js"
import { randomUUID } from "node:crypto"
import { createServer } from "node:http"
import { json } from "node:stream/consumers"
import { z } from "zod"

const { PORT, RESULT, TOOL } = process.env
const structuredContent = await new Response(RESULT).json()

const makeServer = () => {
  const server = new McpServer({ name: "peer", version: "1.0.0" })
  const inputSchema = { reason_code: z.string().max(16), evidence: z.object({ hasDeliveryProof: z.boolean().optional() }).strict() }
  server.registerTool(
    TOOL,
    { title: "Peer", description: "Answers.", inputSchema },
    async () => ({ content: [{ type: "text", text: JSON.stringify(structuredContent) }], structuredContent })
  )
  return server
}

const sessions = new Map()
const transportOf = async (request) => {
  const known = sessions.get(request.headers["mcp-session-id"])
  if (known !== undefined) return known
  // Answers as JSON, which costs less than the stream that is usual.
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    enableJsonResponse: true,
    onsessioninitialized: (id) => void sessions.set(id, transport)
  })
  await makeServer().connect(transport)
  return transport
}

createServer(async (request, response) => {
  if (request.url !== "/mcp") return void response.writeHead(200).end("ok")
  const body = request.method === "POST" ? await json(request) : undefined
  await (await transportOf(request)).handleRequest(request, response, body)
}).listen(Number(PORT), "127.0.0.1")
