/** Notes visits of a checkout session, and ends a session that nobody pays. */
import { notFound } from "@svc/kernel/resource/errors"
import { internalCause } from "@svc/kernel/resource/idempotency"
import { atVersion } from "@svc/kernel/resource/versions"
import { Committer } from "@svc/kernel/road/committer"
import { now } from "@svc/kernel/values/time"
import { Effect, Result } from "effect"
import { ABANDONED, type CheckoutSession, EXPIRES } from "../model.ts"
import { CheckoutSessionRepository } from "../repository.ts"
import { visited } from "../rules/decision.ts"
import * as rules from "../rules/ending.ts"
import { makeChanging, NAME } from "./changing.ts"

export const makeEnding = Effect.gen(function*() {
  const [change, committer, { findByAddress }] = [yield* makeChanging, yield* Committer, yield* CheckoutSessionRepository]

  return {
    at: Effect.fn("CheckoutSessions.at")(function*(id: string, secret: string) {
      return (yield* findByAddress(id, secret)) ?? (yield* notFound(NAME))
    }),

    visit: Effect.fn("CheckoutSessions.visit")(function*(session: CheckoutSession) {
      const at = yield* now
      const timer = visited(session, at)
      if (timer === undefined) return
      const cause = internalCause("checkout_session.visit", session.id)
      const commit = { account_id: session.account_id, at, cause, writes: [], entries: [], events: [], set: [timer], clear: [] }
      // No row is written, so no race can be lost.
      yield* Effect.orDie(committer.commit(commit))
    }),

    expire: Effect.fn("CheckoutSessions.expire")((account_id: string, id: string, version?: number) =>
      change(
        { account_id, id },
        "checkout_session.expire",
        (session, at) => Effect.fromResult(Result.flatMap(atVersion(NAME, session, version), () => rules.expire(session, at)))
      )
    ),

    expireInTime: Effect.fn("CheckoutSessions.expireInTime")((account_id: string, id: string) =>
      Effect.asVoid(change({ account_id, id }, EXPIRES, (session, at) => Effect.succeed(rules.expireInTime(session, at))))
    ),

    abandon: Effect.fn("CheckoutSessions.abandon")((account_id: string, id: string) =>
      Effect.asVoid(change({ account_id, id }, ABANDONED, (session, at) => Effect.succeed(rules.abandon(session, at))))
    )
  }
})
