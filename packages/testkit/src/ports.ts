/** Ports for processes that a test starts. */
import { Effect } from "effect"
import { once } from "node:events"
import { type AddressInfo, createServer } from "node:net"

const held = Effect.acquireRelease(
  Effect.promise(async () => {
    const server = createServer().listen(0, "127.0.0.1")
    await once(server, "listening")
    return server
  }),
  (server) =>
    Effect.promise(async () => {
      server.close()
      await once(server, "close")
    })
)

/**
 * A free port for each name, all different: each is held until the last is found, as the system may give away a second
 * time what was let go.
 */
export const freePorts = <const Names extends string>(...names: ReadonlyArray<Names>): Effect.Effect<Record<Names, number>> =>
  Effect.scoped(Effect.map(
    Effect.forEach(names, (name) => Effect.map(held, (server) => [name, (server.address() as AddressInfo).port] as const)),
    (ports) => Object.fromEntries(ports) as Record<Names, number>
  ))
