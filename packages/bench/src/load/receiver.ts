/**
 * A fast webhook receiver, in a process of its own: answers 200 at once and notes how long each event took from its `created_at`.
 * The decision is stamped before its commit, so the commit is counted in. It tells its parent the port, and on a message the result.
 */
import { createServer } from "node:http"
import { type Latencies, latencies } from "./histogram.ts"

export interface Received {
  readonly latency: Latencies
  /** Attempts of deliveries that had been attempted before. */
  readonly repeated: number
}

const samples: Array<number> = []
const seen = new Set<string>()
let repeated = 0
// Events of the warm-up are answered and not counted.
let countFrom = Number.POSITIVE_INFINITY

// The first is the event's own: that of the payment stands in `data`, which comes last.
const CREATED_AT = /"created_at":"([^"]+)"/

const server = createServer((request, response) => {
  const arrived = performance.timeOrigin + performance.now()
  const id = String(request.headers["webhook-id"])
  let body = ""
  request.setEncoding("utf8")
  request.on("data", (chunk: string) => {
    body += chunk
  })
  request.on("end", () => {
    response.writeHead(200, { "Content-Length": 0 }).end()
    const created = Date.parse(CREATED_AT.exec(body)?.[1] ?? "")
    if (!(created >= countFrom)) return
    if (seen.has(id)) repeated++
    else {
      seen.add(id)
      samples.push(arrived - created)
    }
  })
})

server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  process.send?.({ port: typeof address === "object" && address !== null ? address.port : 0 })
})

process.on("message", (message: { readonly countFrom?: number }) => {
  if (message.countFrom !== undefined) countFrom = message.countFrom
  else process.send?.({ latency: latencies(samples), repeated } satisfies Received)
})
