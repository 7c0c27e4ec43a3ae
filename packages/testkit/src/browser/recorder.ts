/** A listener before another one, which keeps every byte that is sent to it. */
import { Effect } from "effect"
import { connect, createServer, type Socket } from "node:net"

export interface Recorder {
  readonly port: number
  /** All that came in, from all connections, as Latin-1 text. */
  readonly received: () => string
}

/** Passes everything on to this port, both ways. */
export const recorderBefore = (target: number) =>
  Effect.acquireRelease(
    Effect.callback<Recorder & { readonly close: () => void }>((resume) => {
      const chunks: Array<Buffer> = []
      const open = new Set<Socket>()
      const server = createServer((client) => {
        const upstream = connect(target, "127.0.0.1")
        for (const socket of [client, upstream]) {
          open.add(socket)
          socket.on("error", () => socket.destroy()).on("close", () => open.delete(socket))
        }
        client.on("data", (chunk) => chunks.push(chunk))
        client.pipe(upstream).pipe(client)
      })
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        resume(Effect.succeed({
          port: typeof address === "object" && address !== null ? address.port : 0,
          received: () => Buffer.concat(chunks).toString("latin1"),
          close: () => {
            for (const socket of open) socket.destroy()
            server.close()
          }
        }))
      })
    }),
    ({ close }) => Effect.sync(close)
  )
