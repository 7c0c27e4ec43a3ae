/** Changes a checkout session: loads it, decides, and commits, again as long as another change was faster. */
import type { NotFound } from "@svc/kernel/resource/errors"
import { internalCause } from "@svc/kernel/resource/idempotency"
import { untilCommitted } from "@svc/kernel/resource/versions"
import type { CommitRefused } from "@svc/kernel/road/committer"
import { now } from "@svc/kernel/values/time"
import { type DateTime, Effect } from "effect"
import type { CheckoutSession } from "../model.ts"
import { CheckoutSessionRepository } from "../repository.ts"
import { checkoutSessionRoad, effectsOf } from "../road.ts"
import type { SessionDecision } from "../rules/decision.ts"

export const NAME = "checkout session"

/** `cause` names the verb. An undefined decision changes nothing. Gives the session as it then is. */
export const makeChanging = Effect.gen(function*() {
  const [{ get }, road] = [yield* CheckoutSessionRepository, yield* checkoutSessionRoad]

  return <E = never>(
    { account_id, id }: { readonly account_id: string; readonly id: string },
    cause: string,
    decide: (session: CheckoutSession, at: DateTime.Utc) => Effect.Effect<SessionDecision | undefined, E>
  ) =>
    untilCommitted(
      NAME,
      Effect.gen(function*(): Effect.fn.Return<CheckoutSession, E | NotFound | CommitRefused> {
        const session = yield* get(account_id, id)
        const decision = yield* decide(session, yield* now)
        if (decision === undefined) return session
        yield* road.commit(decision.session, effectsOf(decision), internalCause(cause, `${id}:${session.version}`))
        return decision.session
      })
    )
})
