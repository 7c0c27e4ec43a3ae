/** What falls due in an account whose clock is moved: its timers, the retries of its webhooks, and whatever a part adds. */
import { Context, Effect, Layer, type Scope } from "effect"
import type { SqlError } from "effect/sql"
import type { ClockLease } from "./rows.ts"

/** What is due first. */
export interface Appointment {
  /** Unix milliseconds of the account's clock. It may lie in the past. */
  readonly due: number
  /**
   * Does it, while the account stands at `present`, and returns how many things were done. 0 when there was nothing to do: what others
   * still have in hand is not waited for.
   */
  readonly keep: (present: number) => Effect.Effect<number, SqlError.SqlError>
}

export interface Agenda {
  /** What of the account is due first, no later than `until`. Nothing for whoever does not hold its clock any more. */
  readonly next: (held: ClockLease, until: number) => Effect.Effect<Appointment | undefined, SqlError.SqlError>
}

/** The agendas of this process. A part with things that fall due adds its own in its `workers`. */
export class Agendas extends Context.Service<Agendas, {
  /** Until the scope closes. */
  readonly add: (agenda: Agenda) => Effect.Effect<void, never, Scope.Scope>
  readonly all: () => ReadonlyArray<Agenda>
}>()("@svc/kernel/Agendas") {
  static readonly layer = Layer.sync(Agendas, () => {
    const agendas = new Set<Agenda>()
    return {
      add: (agenda) =>
        Effect.asVoid(Effect.acquireRelease(
          Effect.sync(() => agendas.add(agenda)),
          () => Effect.sync(() => agendas.delete(agenda))
        )),
      all: () => Array.from(agendas)
    }
  })
}
