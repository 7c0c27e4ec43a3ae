/** What the egress tests talk to: servers on free loopback ports, and a resolver that answers from a script. */
import { Effect, Layer, type Scope } from "effect"
import * as Dns from "effect/net/Dns"
import * as NetAddress from "effect/net/NetAddress"
import * as http from "node:http"
import * as net from "node:net"

/** Listens on a free port until the scope closes, and answers the port. */
export const listen = (server: net.Server, host = "127.0.0.1"): Effect.Effect<number, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.callback<number>((resume) => {
      server.listen(0, host, () => {
        const address = server.address()
        resume(typeof address === "object" && address !== null ? Effect.succeed(address.port) : Effect.die("no port"))
      })
    }),
    () =>
      Effect.callback<void>((resume) => {
        if (server instanceof http.Server) server.closeAllConnections()
        server.close(() => resume(Effect.void))
      })
  )

/** An HTTP server that answers with `handle`. */
export const receiver = (handle: http.RequestListener) => listen(http.createServer(handle))

/** A TCP server, for answers no HTTP server would give. Connections are cut when the scope closes. */
export const rawServer = (handle: (socket: net.Socket) => void) =>
  Effect.gen(function*() {
    const sockets = new Set<net.Socket>()
    const port = yield* listen(net.createServer((socket) => {
      sockets.add(socket)
      socket.on("error", () => socket.destroy())
      handle(socket)
    }))
    yield* Effect.addFinalizer(() => Effect.sync(() => sockets.forEach((socket) => socket.destroy())))
    return port
  })

/** For each name the lists of addresses its look-ups answer, one after the other, the last one again and again. */
export type DnsScript = Readonly<Record<string, ReadonlyArray<ReadonlyArray<string>>>>

/** A resolver that answers from the script, and the names it was asked for. Other names do not exist. */
export const scriptedDns = (script: DnsScript) => {
  const asked: Array<string> = []
  const dns = Dns.make({
    lookup: (host) =>
      Effect.suspend(() => {
        const answers = script[host]
        const turn = asked.filter((name) => name === host).length
        asked.push(host)
        if (answers === undefined) return Effect.fail(new Dns.DnsError({ reason: "NotFound", method: "lookup", hostname: host }))
        return Effect.succeed((answers[Math.min(turn, answers.length - 1)] ?? []).map(NetAddress.ipFromStringUnsafe))
      })
  })
  return { asked, layer: Layer.succeed(Dns.Dns, dns) }
}
