/** Ports for processes that a test starts. */
import { Effect } from "effect"
import { randomInt } from "node:crypto"
import { createSocket } from "node:dgram"
import { createServer } from "node:net"

/**
 * Below the ports that Linux gives to outgoing connections (from 32768 on): a server that is killed and started again finds its port
 * free however many connections were made between.
 */
const [FIRST, LAST] = [10_000, 32_767]

/**
 * Claims a port for this process until it ends; false when another process has claimed it, or this one has. Between the moment a port is
 * found free and the moment the server of the test listens there, and while that server is started anew, nothing listens there. The claim
 * is a UDP socket of the same number: servers of tests speak TCP, and the system gives the number to one process alone.
 */
export const claim = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createSocket("udp4").unref()
    socket.once("error", () => socket.close(() => resolve(false)))
    socket.bind({ port, address: "127.0.0.1", exclusive: true }, () => resolve(true))
  })

/** Whether nothing listens at the port, on any address: a server of the test may listen on another than the one that holds the port. */
const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once("error", () => resolve(false))
    server.listen(port, () => server.close(() => resolve(true)))
  })

const freePort = Effect.promise(async () => {
  while (true) {
    const port = randomInt(FIRST, LAST + 1)
    if (await claim(port) && await isFree(port)) return port
  }
})

/** A free port for each name, which is given to nobody else as long as this process lives. */
export const freePorts = <const Names extends string>(...names: ReadonlyArray<Names>): Effect.Effect<Record<Names, number>> =>
  Effect.map(
    Effect.forEach(names, (name) => Effect.map(freePort, (port) => [name, port] as const)),
    (ports) => Object.fromEntries(ports) as Record<Names, number>
  )
