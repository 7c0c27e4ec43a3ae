/** Changes of a payment without a request of the merchant: a timer falls due, or the customer takes the requested step. */
import { AccountId } from "@svc/accounts/accounts/model"
import { Accounts } from "@svc/accounts/accounts/service"
import { accountTime } from "@svc/kernel/clocks/account-time"
import type { NotFound } from "@svc/kernel/resource/errors"
import { untilCommitted } from "@svc/kernel/resource/versions"
import type { CommitRefused } from "@svc/kernel/road/committer"
import { Effect } from "effect"
import type { PaymentIntent } from "../model.ts"
import { makeLater } from "../provider/later.ts"

export interface LaterVerbs {
  /** For a timer: asks the provider again about an open call. */
  readonly askProvider: (account: string, id: string) => Effect.Effect<void, NotFound | CommitRefused>
  /** For a timer: ends an authorization or a wait whose time is over. */
  readonly expire: (account: string, id: string) => Effect.Effect<void, NotFound | CommitRefused>
  /** Finds the payment that waits for its customer's step at the built-in simulator. `key` is part of that page's address. */
  readonly waitingForAction: (key: string) => Effect.Effect<PaymentIntent, NotFound>
  /** The customer passed that step, or gave up. */
  readonly completeAction: (key: string, passed: boolean) => Effect.Effect<PaymentIntent, NotFound>
}

export const makeLaterVerbs = Effect.gen(function*() {
  const accounts = yield* Accounts
  const later = yield* makeLater
  const { timeOf } = yield* accountTime

  const factsOf = Effect.fnUntraced(function*(account: string) {
    return { account: yield* accounts.get(AccountId.make(account)), at: yield* timeOf(account) }
  })

  const completeOnce = Effect.fnUntraced(
    function*(key: string, passed: boolean): Effect.fn.Return<PaymentIntent, NotFound | CommitRefused> {
      const waiting = yield* later.waiting(key)
      return yield* later.completeAction(waiting, passed, yield* factsOf(waiting.intent.merchant_id))
    }
  )

  const verbs: LaterVerbs = {
    askProvider: Effect.fn("PaymentIntents.askProvider")((account: string, id: string) =>
      Effect.flatMap(factsOf(account), (facts) => later.askProvider(facts, id))
    ),
    expire: Effect.fn("PaymentIntents.expire")((account: string, id: string) =>
      Effect.flatMap(factsOf(account), (facts) => later.expire(facts, id))
    ),
    waitingForAction: Effect.fn("PaymentIntents.waitingForAction")((key: string) => Effect.map(later.waiting(key), ({ intent }) => intent)),
    // A commit that loses its race is decided again: another click, or the end of the payment's time, may have ended the wait.
    completeAction: Effect.fn("PaymentIntents.completeAction")((key: string, passed: boolean) =>
      Effect.catchTag(untilCommitted("payment", completeOnce(key, passed)), "VersionConflict", Effect.die)
    )
  }
  return verbs
})
