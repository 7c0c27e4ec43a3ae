/**
 * Transition tables as data. A resource's rules consult its table, and `GET /v1/state_machines`
 * publishes the same rows, so that the documentation cannot differ from what happens.
 */
import { Context } from "effect"

/** One legal move. `from` is null for creation. */
export interface Transition<State extends string, Trigger extends string> {
  readonly from: State | null
  readonly trigger: Trigger
  readonly to: State
  /** When the move happens, in words, where the trigger alone does not say it. */
  readonly when?: string
}

export interface StateMachine<State extends string = string, Trigger extends string = string> {
  readonly name: string
  readonly states: ReadonlyArray<State>
  /** States that no move leaves. */
  readonly terminal: ReadonlyArray<State>
  readonly transitions: ReadonlyArray<Transition<State, Trigger>>
  /** Triggers that no request has: they come with time or from outside. */
  readonly unasked?: ReadonlyArray<Trigger>
}

/** Annotates a group with the table of moves of its resource. */
export class Machine extends Context.Service<Machine, StateMachine>()("@svc/kernel/Machine") {}

/** Whether the table lets `trigger` leave `from`, and towards `to` when given. */
export const allows = <State extends string, Trigger extends string>(
  machine: StateMachine<State, Trigger>,
  from: State | null,
  trigger: Trigger,
  to?: State
): boolean =>
  machine.transitions.some((move) => move.from === from && move.trigger === trigger && (to === undefined || move.to === to))

/** The triggers that a request may leave a state by, for the message of a refusal. */
export const triggersFrom = <State extends string, Trigger extends string>(
  machine: StateMachine<State, Trigger>,
  from: State
): ReadonlyArray<Trigger> =>
  Array.from(new Set(machine.transitions.filter((move) => move.from === from).map((move) => move.trigger))).filter((trigger) => machine.unasked?.includes(trigger) !== true)
