/**
 * Transition tables as data. A resource's rules consult its table, and `GET /v1/state_machines`
 * publishes the same rows, so that the documentation cannot differ from what happens.
 */
import { Context, Result } from "effect"
import { InvalidState } from "./errors.ts"

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

/**
 * The table of moves of a resource with these statuses. Its states are the statuses, and those that no move leaves are terminal. `unasked`
 * names the triggers that no request has.
 */
export const machineOf = <State extends string, Trigger extends string>(
  name: string,
  { literals: states }: { readonly literals: ReadonlyArray<State> },
  transitions: ReadonlyArray<Transition<NoInfer<State>, Trigger>>,
  unasked: ReadonlyArray<NoInfer<Trigger>> = []
): StateMachine<State, Trigger> => ({
  name,
  states,
  terminal: states.filter((state) => !transitions.some(({ from }) => from === state)),
  transitions,
  ...(unasked.length === 0 ? {} : { unasked })
})

/** Annotates a group with the table of moves of its resource. */
export class Machine extends Context.Service<Machine, StateMachine>()("@svc/kernel/Machine") {}

/** Whether the table lets `trigger` leave `from`, and towards `to` when given. */
export const allows = <State extends string, Trigger extends string>(
  machine: StateMachine<State, Trigger>,
  from: State | null,
  trigger: Trigger,
  to?: State
): boolean => machine.transitions.some((move) => move.from === from && move.trigger === trigger && (to === undefined || move.to === to))

/** The triggers that a request may leave a state by, for the message of a refusal. */
export const triggersFrom = <State extends string, Trigger extends string>(
  machine: StateMachine<State, Trigger>,
  from: State
): ReadonlyArray<Trigger> =>
  Array.from(new Set(machine.transitions.filter((move) => move.from === from).map((move) => move.trigger))).filter((trigger) =>
    machine.unasked?.includes(trigger) !== true
  )

/** The states that the trigger may leave. */
export const statesFor = <State extends string, Trigger extends string>(
  machine: StateMachine<State, Trigger>,
  trigger: Trigger
): ReadonlyArray<State> =>
  Array.from(new Set(machine.transitions.flatMap((move) => move.trigger === trigger && move.from !== null ? [move.from] : [])))

/** What the message of a refused move says besides the states. */
export interface MoveWords {
  /** Why this state forbids the move, such as `it was submitted to the bank already`. */
  readonly why?: string | undefined
  /** What to do instead where no request leaves the state. */
  readonly final?: string
}

/** The refusal of a request whose trigger the resource's state does not allow. */
export const cannotMove = <State extends string, Trigger extends string>(
  machine: StateMachine<State, Trigger>,
  state: State,
  trigger: Trigger,
  { final = "This state is final.", why }: MoveWords = {}
): InvalidState => {
  const allowed = triggersFrom(machine, state)
  const name = machine.name.replaceAll("_", " ")
  const next = allowed.length === 0 ? final : `From here: ${allowed.join(", ")}.`
  const verb = trigger.replaceAll("_", " ")
  const article = /^[aeiou]/u.test(name) ? "an" : "a"
  return new InvalidState({
    message: `Cannot ${verb} ${article} ${name} that is ${state.replaceAll("_", " ")}${why === undefined ? "" : `: ${why}`}. ${next}`,
    details: { state, allowed }
  })
}

/** Fails where the resource's state does not allow the trigger. */
export const checkMove = <State extends string, Trigger extends string>(
  machine: StateMachine<State, Trigger>,
  state: State,
  trigger: Trigger,
  words?: MoveWords
): Result.Result<void, InvalidState> =>
  allows(machine, state, trigger) ? Result.void : Result.fail(cannotMove(machine, state, trigger, words))
