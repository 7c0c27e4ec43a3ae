/** What falls due in an account whose clock is moved: its timers, the retries of its webhooks, and whatever a part adds. */
import { Context, Effect, Layer, type Scope } from "effect"
import type { SqlError } from "effect/sql"
import type { Held } from "./rows.ts"

export interface Agenda {
  /** When the next thing of the account is due, Unix milliseconds of its clock, if that is no later than `until`. It may lie in the past. */
  readonly next: (account_id: string, until: number) => Effect.Effect<number | undefined, SqlError.SqlError>
  /**
   * Does what is due first, at the present moment of the account, and returns when it is done. False when there was nothing to do:
   * what others still have in hand is not waited for. It runs for whoever holds the clock, and must do nothing for whoever lost it.
   */
  readonly run: (held: Held, present: number) => Effect.Effect<boolean, SqlError.SqlError>
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
      add: (agenda) => Effect.asVoid(Effect.acquireRelease(
        Effect.sync(() => agendas.add(agenda)),
        () => Effect.sync(() => agendas.delete(agenda))
      )),
      all: () => Array.from(agendas)
    }
  })
}
