/** The work run of an account: computed whenever somebody looks, and kept when somebody refreshes it. */
import { AccountId } from "@svc/accounts/accounts/model"
import { roadOf } from "@svc/kernel/resource/change"
import { internalCause } from "@svc/kernel/resource/idempotency"
import { untilCommitted } from "@svc/kernel/resource/versions"
import { now } from "@svc/kernel/values/time"
import { Context, Effect, Layer } from "effect"
import { TERMS_VERSION } from "../terms/model.ts"
import { type WorkRun, workRuns } from "./model.ts"
import { WorkRunRepository } from "./repository.ts"
import * as rules from "./rules.ts"

export class WorkRuns extends Context.Service<WorkRuns>()("@svc/onboarding/WorkRuns", {
  make: Effect.gen(function*() {
    const repository = yield* WorkRunRepository
    const { commit } = yield* roadOf(workRuns, { type: "work_run" })

    const load = Effect.fnUntraced(function*(account: string) {
      const [facts, kept] = yield* Effect.all([repository.facts(account, TERMS_VERSION), repository.kept(account)], { concurrency: 2 })
      return { kept, run: rules.computed(AccountId.make(account), facts, { at: yield* now, kept }) }
    })

    return {
      get: Effect.fn("WorkRuns.get")((account: string) => Effect.map(load(account), ({ run }) => run)),
      /** Keeps the work run as it is now. */
      refresh: Effect.fn("WorkRuns.refresh")((account: string) =>
        untilCommitted<WorkRun, never, never>(
          "work run",
          Effect.gen(function*() {
            const { kept, run } = yield* load(account)
            const next = rules.refreshed(run, kept !== undefined)
            yield* commit(next, {}, internalCause("work_run.refresh", `${next.id}:${next.version}`))
            return next
          })
        )
      ),
      /** The steps that are left before the account may ask to go live. */
      missing: (account: string) => Effect.map(repository.facts(account, TERMS_VERSION), (facts) => rules.missingIn(rules.stepsOf(facts)))
    }
  })
}) {
  static readonly layer = Layer.effect(WorkRuns, WorkRuns.make).pipe(Layer.provide(WorkRunRepository.layer))
}
