/** How often agent keys are used, and when last. Counted in memory and written together, so that a call writes no row for it. */
import { now } from "@svc/kernel/values/time"
import { Context, DateTime, Effect, Layer } from "effect"
import type { AgentKeyId } from "../model.ts"
import { AgentKeyRepository, type NewUses } from "../repository.ts"

/** How long a use may wait to be written. */
const WITHIN = "1 second"

const added = (one: NewUses | undefined, other: NewUses): NewUses =>
  one === undefined ? other : { ...other, calls: one.calls + other.calls, last_used_at: DateTime.max(one.last_used_at, other.last_used_at) }

export class AgentKeyUses extends Context.Service<AgentKeyUses, {
  /** Counts a call that was made with the key. A process that dies loses the uses of its last second. */
  readonly used: (account: string, id: AgentKeyId) => Effect.Effect<void>
  /** Writes what is counted so far. */
  readonly flush: Effect.Effect<void>
}>()("@svc/accounts/AgentKeyUses") {
  static readonly layer = Layer.effect(
    AgentKeyUses,
    Effect.gen(function*() {
      const repository = yield* AgentKeyRepository
      const scope = yield* Effect.scope
      let waiting = new Map<string, NewUses>()
      let scheduled = false

      const flush = Effect.suspend(() => {
        const uses = waiting
        waiting = new Map()
        scheduled = false
        return uses.size === 0 ? Effect.void : repository.addUses(Array.from(uses.values())).pipe(Effect.catch((error) => {
          // Nothing was written: they are counted again with the next.
          for (const [id, use] of uses) waiting.set(id, added(waiting.get(id), use))
          return Effect.logWarning("The uses of agent keys are written later: the database did not take them", error)
        }))
      })
      const later = Effect.forkIn(Effect.andThen(Effect.sleep(WITHIN), Effect.uninterruptible(flush)), scope)
      yield* Effect.addFinalizer(() => flush)

      return AgentKeyUses.of({
        flush,
        used: Effect.fnUntraced(function*(account_id: string, agent_key_id: AgentKeyId) {
          waiting.set(agent_key_id, added(waiting.get(agent_key_id), { account_id, agent_key_id, calls: 1, last_used_at: yield* now }))
          if (scheduled) return
          scheduled = true
          yield* later
        })
      })
    })
  )
}
