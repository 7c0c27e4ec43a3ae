/** Stands between a client and the server, and loses the answer to what the client paid with. */
import { Effect } from "effect"
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http"
import { buffer } from "node:stream/consumers"

/** Where the answer to a paid request is lost: before it is asked for, when it is there, or in the middle of its body. */
export type Cut = "before the request" | "before the head" | "before the body" | "in the body"

const isPaid = ({ headers }: IncomingMessage, body: Buffer): boolean =>
  headers["payment-signature"] !== undefined || headers["x-payment"] !== undefined ||
  headers.authorization?.startsWith("Payment ") === true ||
  body.includes("org.paymentauth/credential") || body.includes("x402/payment")

/** Listens until the scope closes. Loses the first so many answers to paid requests, and tells how many came by. */
export const cutting = Effect.fnUntraced(function*(target: string, cut: Cut, times: number) {
  const seen = { url: "", paid: 0 }
  const forward = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const body = await buffer(incoming)
    const paid = isPaid(incoming, body)
    if (paid) seen.paid++
    const lost = paid && seen.paid <= times
    if (lost && cut === "before the request") return void incoming.socket.destroy()
    const onwards = request(`${target}${incoming.url ?? ""}`, {
      method: incoming.method,
      headers: { ...incoming.headers, host: new URL(target).host }
    }, (answer) => {
      const gather = async () => {
        const whole = await buffer(answer)
        if (lost && cut === "before the head") return void incoming.socket.destroy()
        outgoing.writeHead(answer.statusCode ?? 502, { ...answer.headers, "content-length": whole.length })
        if (!lost) return void outgoing.end(whole)
        outgoing.write(cut === "in the body" ? whole.subarray(0, Math.floor(whole.length / 2)) : whole.subarray(0, 0))
        outgoing.flushHeaders()
        setImmediate(() => incoming.socket.destroy())
      }
      gather().catch(() => incoming.socket.destroy())
    })
    onwards.on("error", () => incoming.socket.destroy())
    onwards.end(body)
  }
  const server = createServer((incoming, outgoing) => {
    forward(incoming, outgoing).catch(() => incoming.socket.destroy())
  })
  seen.url = yield* Effect.acquireRelease(
    Effect.callback<string>((resume) => {
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        resume(Effect.succeed(typeof address === "object" && address !== null ? `http://127.0.0.1:${address.port}` : ""))
      })
    }),
    () =>
      Effect.callback<void>((resume) => {
        server.closeAllConnections()
        server.close(() => resume(Effect.void))
      })
  )
  return seen
})
