/** The two ports that the service listens on, and why one of them cannot be. Nothing here needs the services. */
import { Data, Effect } from "effect"
import { createServer } from "node:net"
import type { ServerConfig } from "./config.ts"

/** The port cannot be listened on: what, why, and what to do. */
export class PortUnusable extends Data.TaggedError("PortUnusable")<{ readonly message: string }> {}

export interface ListenOptions {
  readonly port: number
  readonly host: string | undefined
  /** The environment variable that sets the port. */
  readonly variable: string
}

/** Why a listener cannot listen, and what to do about it. */
export const portUnusable = ({ host, port, variable }: ListenOptions) => (error: unknown): PortUnusable => {
  const cause = typeof error === "object" && error !== null && "cause" in error ? error.cause : error
  const code = typeof cause === "object" && cause !== null && "code" in cause ? cause.code : undefined
  if (host !== undefined && (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")) {
    return new PortUnusable({
      message:
        `Cannot listen at HOST ${host}: this machine has no such address. Set HOST to one that it has, or leave it unset for all of them.`
    })
  }
  const [reason, next] = code === "EADDRINUSE"
    ? ["another process listens there already", `Stop that process, or set ${variable} to a free port.`]
    : [
      code === "EACCES" ? "this user may not listen there" : cause instanceof Error ? cause.message : String(cause),
      `Set ${variable} to another port.`
    ]
  return new PortUnusable({ message: `Cannot listen on port ${port}: ${reason}. ${next}` })
}

/** Fails where a listener would: the port is opened and closed again. */
const ensureFree = (options: ListenOptions): Effect.Effect<void, PortUnusable> =>
  Effect.callback((resume) => {
    const probe = createServer()
    probe.once("error", (error) => resume(Effect.fail(portUnusable(options)(error))))
    probe.listen({ port: options.port, host: options.host }, () => probe.close(() => resume(Effect.void)))
  })

/** Where the payments API and the tool server listen. */
export interface Listeners {
  readonly api: ListenOptions
  readonly tools: ListenOptions
}

/** The listeners of the configuration. Fails where one of them cannot listen. */
export const freeListeners = Effect.fnUntraced(function*({ apiPort, host, toolsPort }: ServerConfig): Effect.fn.Return<
  Listeners,
  PortUnusable
> {
  if (apiPort === toolsPort) {
    return yield* new PortUnusable({ message: `API_PORT and TOOLS_PORT are both ${apiPort}. Give each of them a port of its own.` })
  }
  const listeners = {
    api: { port: apiPort, host, variable: "API_PORT" },
    tools: { port: toolsPort, host, variable: "TOOLS_PORT" }
  }
  yield* Effect.forEach(Object.values(listeners), ensureFree)
  return listeners
})
