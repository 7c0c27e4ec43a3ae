/** Ports for processes that a test starts. */
import { Effect } from "effect"
import { randomInt } from "node:crypto"
import { createServer, type Server } from "node:net"

/**
 * Below the ports that Linux gives to outgoing connections (from 32768 on): a server that is killed and started again finds its port
 * free however many connections were made between.
 */
const [FIRST, LAST] = [10_000, 32_767]

/**
 * Processes that look at the same time look in different parts of them: between the moment a port is found free and the moment the server
 * of the test listens there, another test may find it free too.
 */
const SLICES = 128
const SLICE = Math.floor((LAST - FIRST) / SLICES)
const first = FIRST + (process.pid % SLICES) * SLICE

const listen = (port: number): Promise<Server | undefined> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once("error", () => resolve(undefined))
    // On every address: a server of the test may listen on another than the one that holds the port.
    server.listen(port, () => resolve(server))
  })

const held = Effect.acquireRelease(
  Effect.promise(async () => {
    while (true) {
      const port = randomInt(first, first + SLICE)
      const server = await listen(port)
      if (server !== undefined) return { port, server }
    }
  }),
  ({ server }) => Effect.promise(() => new Promise<void>((resolve) => server.close(() => resolve())))
)

/** A free port for each name, all different: each is held until the last is found. */
export const freePorts = <const Names extends string>(...names: ReadonlyArray<Names>): Effect.Effect<Record<Names, number>> =>
  Effect.scoped(Effect.map(
    Effect.forEach(names, (name) => Effect.map(held, ({ port }) => [name, port] as const)),
    (ports) => Object.fromEntries(ports) as Record<Names, number>
  ))
