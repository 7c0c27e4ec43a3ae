/** An agent's program on the official SDK: lists the tools, calls those it is told to, and prints what it saw. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"

const { calls, token, url } = await new Response(process.env.INPUT).json()
const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
const client = new Client({ name: "testkit", version: "1.0.0" }, { capabilities: {} })
await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }))
const tools = (await client.listTools()).tools.map(({ name }) => name)
const answers = []
for (const call of calls) {
  try {
    const { isError = false, structuredContent } = await client.callTool(call)
    answers.push({ isError, structuredContent })
  } catch (error) {
    answers.push({ code: error.code, data: error.data })
  }
}
await client.close()
console.log(JSON.stringify({ tools, answers }))
