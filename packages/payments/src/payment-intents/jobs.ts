/** What happens to payment intents when their time has come. */
import { AccountId } from "@svc/accounts/accounts/model"
import { Accounts } from "@svc/accounts/accounts/service"
import { Committer } from "@svc/kernel/road/committer"
import { now } from "@svc/kernel/time"
import { DateTime, Effect } from "effect"
import { Rails } from "../rails/rail.ts"
import { PaymentIntentRepository } from "./repository.ts"
import { commitOf } from "./road.ts"
import { ASK, change, decision, expire, EXPIRES } from "./rules.ts"
import { settleOpenCall } from "./settle.ts"

/** Seconds to wait when an intent's time ends while the provider has yet to say what became of it. */
const POSTPONE_SECONDS = 60

/** The timers of payment intents, by kind. */
export const paymentIntentJobs = Effect.gen(function*() {
  const committer = yield* Committer
  const accounts = yield* Accounts
  const rails = yield* Rails
  const repository = yield* PaymentIntentRepository

  const askProvider = Effect.fn("PaymentIntentJobs.askProvider")(function*(account: string, id: string) {
    const intent = yield* repository.find(account, id)
    if (intent === undefined || intent.open_call === null) return
    const facts = { account: yield* accounts.get(AccountId.make(account)), at: yield* now }
    yield* settleOpenCall({ committer, rails }, intent, intent.open_call, facts)
  })

  const endOfTime = Effect.fn("PaymentIntentJobs.expire")(function*(account: string, id: string) {
    const found = yield* repository.find(account, id)
    if (found === undefined) return
    const facts = { account: yield* accounts.get(AccountId.make(account)), at: yield* now }
    const asked = found.open_call === null ? undefined : yield* settleOpenCall({ committer, rails }, found, found.open_call, facts)
    // An answer moved the intent on, and its timer with it.
    if (asked?._tag === "Answered") return
    const intent = asked?.intent ?? found
    if (asked?._tag === "StillOpen" && (!asked.reached || intent.open_call?.request !== null)) {
      // Money may be held for it: not even its end may be decided without the provider.
      const due_at = DateTime.add(facts.at, { seconds: POSTPONE_SECONDS })
      const later = decision(change(intent, facts.at, {}), { set: [{ kind: EXPIRES, resource_id: id, due_at }] })
      return yield* committer.commit(commitOf(later, `${EXPIRES}:${id}`))
    }
    const decided = expire(intent, facts.at)
    if (decided !== undefined) yield* committer.commit(commitOf(decided, `${EXPIRES}:${id}`))
  })

  return new Map([[ASK, askProvider], [EXPIRES, endOfTime]] as const)
})
