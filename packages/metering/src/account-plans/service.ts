/** What happens to plans without a request: each month gives its credits. */
import type { VersionConflict } from "@svc/kernel/resource/errors"
import { internalCause } from "@svc/kernel/resource/idempotency"
import { untilCommitted } from "@svc/kernel/resource/versions"
import { Committer } from "@svc/kernel/road/committer"
import { nextId } from "@svc/kernel/values/ids"
import { now } from "@svc/kernel/values/time"
import { Context, Effect, Layer } from "effect"
import { CreditGrantId } from "../credit-grants/model.ts"
import { MONTH } from "./model.ts"
import { AccountPlanRepository } from "./repository.ts"
import { month, writesOf } from "./rules.ts"

export class AccountPlans extends Context.Service<AccountPlans, {
  /** For the timer: gives the credits of each month that has begun, in one commit with the count of them. */
  readonly giveMonth: (account: string, id: string) => Effect.Effect<void, VersionConflict>
}>()("@svc/metering/AccountPlans") {
  static readonly layer = Layer.effect(
    AccountPlans,
    Effect.gen(function*() {
      const committer = yield* Committer
      const repository = yield* AccountPlanRepository

      const give = Effect.fnUntraced(function*(account: string, id: string) {
        const at = yield* now
        for (;;) {
          const held = yield* repository.find(account, id)
          const decision = held === undefined ? undefined : month(held, CreditGrantId.make(yield* nextId("cg")), at)
          if (decision === undefined) return
          const { clear, plan, set } = decision
          yield* committer.commit({
            account_id: account,
            at,
            cause: internalCause(MONTH, `${id}:${plan.version}`),
            writes: writesOf(decision),
            entries: [],
            events: [],
            set,
            clear
          })
        }
      })

      return AccountPlans.of({
        giveMonth: Effect.fn("AccountPlans.giveMonth")((account: string, id: string) =>
          untilCommitted<void, never, never>("account plan", give(account, id))
        )
      })
    })
  )
}
