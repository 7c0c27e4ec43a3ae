/**
 * Calls a paid tool as a program of the official SDK does that pays with mppx: by wrapping the client, which reads of the payment in the
 * result, or by a `fetch` that pays, which the transport is given. `node pay-mcp.mjs <url> <http|sse|v2> <wrapped|aloud|quietly>
 * <card|evm|x402> <key>`
 */
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { card, evm, x402First } from "./wallets.mjs"

const [url, kind, pays, wallet, key] = process.argv.slice(2)
// A wallet of its own: the same payer is not sold the same call twice.
const method = await (wallet === "card" ? card() : evm(privateKeyToAccount(generatePrivateKey())))
const more = wallet === "x402" ? x402First : {}

/** Each POST: the status of its answer, and the header that it was paid with. */
const posted = []
const watched = async (input, init = {}) => {
  // The transports' signals have to reach fetch as they are: those of a Request made of them are forgotten when it is collected.
  const response = await fetch(input, init)
  const headers = new Headers(init.headers)
  const sent = ["authorization", "payment-signature"].filter((name) => headers.has(name))
  if (init.method === "POST") posted.push({ status: response.status, sent })
  return response
}

const payingFetch = async () => {
  const { Mppx } = await import("mppx/client")
  // A fetch that says what it can pay with is asked by HTTP; one that does not is asked in the result, as every session is.
  const acceptPaymentPolicy = pays === "quietly" ? "never" : "always"
  return Mppx.create({ fetch: watched, methods: [method], polyfill: false, acceptPaymentPolicy, ...more }).fetch
}

const connected = async (fetch) => {
  const options = { fetch, requestInit: { headers: { "x-svc-key": key } } }
  if (kind === "v2") {
    const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client")
    const client = new Client({ name: "testkit", version: "1.0.0" }, { versionNegotiation: { mode: { pin: "2026-07-28" } } })
    await client.connect(new StreamableHTTPClientTransport(new URL(url), options))
    return client
  }
  const { Client } = await import("@modelcontextprotocol/sdk/client/index.js")
  const { SSEClientTransport } = await import("@modelcontextprotocol/sdk/client/sse.js")
  const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/sdk/client/streamableHttp.js")
  const client = new Client({ name: "testkit", version: "1.0.0" }, { capabilities: {} })
  await client.connect(
    kind === "sse" ? new SSEClientTransport(new URL(url), options) : new StreamableHTTPClientTransport(new URL(url), options)
  )
  return client
}

const wrapped = async () => {
  const { McpClient } = await import("mppx/mcp/client")
  return McpClient.wrap(await connected(watched), { methods: [method] })
}

const client = pays === "wrapped" ? await wrapped() : await connected(await payingFetch())
await client.listTools()
posted.length = 0
const { _meta, isError, structuredContent } = await client.callTool({ name: "ping_payment", arguments: {} })
const calls = [...posted]
const free = await client.callTool({ name: "list_programs", arguments: {} })
await client.close()
console.log(
  JSON.stringify({ isError: isError ?? false, structuredContent, meta: _meta ?? {}, calls, freeAfterwards: free.isError !== true })
)
