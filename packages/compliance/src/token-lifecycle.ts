/** The life of a network token as a table of moves. Nothing is provisioned: it shows what a token service would allow. */
import type { StateMachine } from "@svc/kernel/resource/state-machine"
import { Schema } from "effect"

const states = ["provisioned", "active", "suspended", "deleted"] as const
const events = ["provision", "activate", "suspend", "resume", "delete"] as const

export const TokenState = Schema.Literals(states)
export type TokenState = typeof TokenState.Type

export const TokenEvent = Schema.Literals(events)
export type TokenEvent = typeof TokenEvent.Type

export const tokenMachine: StateMachine<TokenState, TokenEvent> = {
  name: "network_token",
  states,
  terminal: ["deleted"],
  transitions: [
    { from: null, trigger: "provision", to: "provisioned" },
    { from: "provisioned", trigger: "activate", to: "active" },
    { from: "active", trigger: "suspend", to: "suspended" },
    { from: "suspended", trigger: "resume", to: "active" },
    { from: "provisioned", trigger: "delete", to: "deleted" },
    { from: "active", trigger: "delete", to: "deleted" },
    { from: "suspended", trigger: "delete", to: "deleted" }
  ]
}

export const Move = Schema.Struct({ from: Schema.NullOr(TokenState), event: TokenEvent, to: TokenState })
export type Move = typeof Move.Type

/** Where the events led, or the first that is not allowed. `state` is null while there is no token. */
export type LifecycleResult =
  | { readonly _tag: "Walked"; readonly state: TokenState | null; readonly history: ReadonlyArray<Move> }
  | {
    readonly _tag: "Illegal"
    readonly at: number
    readonly from: TokenState | null
    readonly event: TokenEvent
    readonly history: ReadonlyArray<Move>
  }

const target = (from: TokenState | null, event: TokenEvent): TokenState | undefined =>
  tokenMachine.transitions.find((move) => move.from === from && move.trigger === event)?.to

/** What may follow, null being no token yet. */
export const nextEvents = (from: TokenState | null): ReadonlyArray<TokenEvent> =>
  tokenMachine.transitions.filter((move) => move.from === from).map(({ trigger }) => trigger)

/** Follows the events one by one; an illegal one ends the walk. */
export const walk = (start: TokenState | null, path: ReadonlyArray<TokenEvent>): LifecycleResult => {
  const history: Array<Move> = []
  let from = start
  for (const [at, event] of path.entries()) {
    const to = target(from, event)
    if (to === undefined) return { _tag: "Illegal", at, from, event, history }
    history.push({ from, event, to })
    from = to
  }
  return { _tag: "Walked", state: from, history }
}
