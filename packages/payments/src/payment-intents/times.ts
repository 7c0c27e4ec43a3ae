/** What the passing of time does to an intent: the provider is asked again, a hold or a wait ends. */
import { AccountId } from "@svc/accounts/accounts/model"
import type { Accounts } from "@svc/accounts/accounts/service"
import type { NotFound } from "@svc/kernel/errors"
import { internalCause } from "@svc/kernel/idempotency"
import type { CommitRefused } from "@svc/kernel/road/committer"
import { now } from "@svc/kernel/time"
import { DateTime, Effect } from "effect"
import type { Rails } from "../rails/rail.ts"
import { change, decision } from "./decision.ts"
import { EXPIRES } from "./model.ts"
import type { PaymentIntentRepository } from "./repository.ts"
import type { IntentRoad } from "./road.ts"
import { expire } from "./rules.ts"
import { settleOpenCall } from "./settle.ts"

interface Services {
  readonly accounts: Accounts["Service"]
  readonly road: IntentRoad["Service"]
  readonly rails: Rails["Service"]
  readonly repository: PaymentIntentRepository["Service"]
}

/** Seconds to wait when an intent's time ends while the provider has yet to say what became of it. */
const POSTPONE_SECONDS = 60

const factsOf = Effect.fnUntraced(function*({ accounts }: Services, account: string) {
  return { account: yield* accounts.get(AccountId.make(account)), at: yield* now }
})

/** Asks the provider about a call whose answer is still to come. */
export const askProvider = Effect.fnUntraced(function*(
  services: Services,
  account: string,
  id: string
): Effect.fn.Return<void, NotFound | CommitRefused> {
  const intent = yield* services.repository.find(account, id)
  if (intent === undefined || intent.open_call === null) return
  yield* settleOpenCall(services, intent, intent.open_call, yield* factsOf(services, account))
})

/** Ends a hold or a wait, unless the provider now says what became of it. */
export const endOfTime = Effect.fnUntraced(function*(
  services: Services,
  account: string,
  id: string
): Effect.fn.Return<void, NotFound | CommitRefused> {
  const found = yield* services.repository.find(account, id)
  if (found === undefined) return
  const { road } = services
  const facts = yield* factsOf(services, account)
  const asked = found.open_call === null ? undefined : yield* settleOpenCall(services, found, found.open_call, facts)
  // An answer moved the intent on, and its timer with it.
  if (asked?._tag === "Answered") return
  const intent = asked?.intent ?? found
  if (asked?._tag === "StillOpen" && (!asked.reached || intent.open_call?.request !== null)) {
    // Money may be held for it: not even its end may be decided without the provider.
    const due_at = DateTime.add(facts.at, { seconds: POSTPONE_SECONDS })
    const later = decision(change(intent, facts.at, {}), { set: [{ kind: EXPIRES, resource_id: id, due_at }] })
    return yield* road.commit(later, internalCause(EXPIRES, id))
  }
  const decided = expire(intent, facts.at)
  if (decided !== undefined) yield* road.commit(decided, internalCause(EXPIRES, id))
})
