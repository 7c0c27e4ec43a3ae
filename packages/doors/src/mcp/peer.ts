/** The caller, as a run sees it: what it may be told, and asked, while the run is under way. */
import { Effect } from "effect"
import { errors, type Params, type RpcError } from "./json-rpc.ts"

/** Least important first, as RFC 5424 names them. */
export const logLevels = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"] as const
export type LogLevel = typeof logLevels[number]

export const isLogLevel = (value: unknown): value is LogLevel => logLevels.some((level) => level === value)

export interface Peer {
  /** What it can do, as it says itself. */
  readonly capabilities: Readonly<Record<string, unknown>>
  /** Tells it something about its request. Where nothing can be told before the answer, nothing is. */
  readonly notify: (method: string, params: Params) => Effect.Effect<void>
  /** Asks it, and waits for what it says. */
  readonly ask: (method: string, params: Params) => Effect.Effect<unknown, RpcError>
  /** Tells it what happens, if it wants to know of things as important as this. */
  readonly log: (level: LogLevel, data: unknown) => Effect.Effect<void>
  /** Sets what is important enough to be told. */
  readonly setLevel: (level: LogLevel) => Effect.Effect<void>
  /** Ends the stream of the answer, which the caller continues with GET and Last-Event-ID. */
  readonly hangUp: Effect.Effect<void>
}

/** Where an answer is all that a caller gets. */
export const noClientCapabilities: Peer = {
  capabilities: {},
  notify: () => Effect.void,
  ask: () => Effect.fail(errors.invalid("this caller cannot be asked anything; open a session, and accept text/event-stream")),
  log: () => Effect.void,
  setLevel: () => Effect.void,
  hangUp: Effect.void
}
