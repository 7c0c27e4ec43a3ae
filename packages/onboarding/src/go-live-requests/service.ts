/** The verbs of a request to go live: the merchant asks, the operator decides. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { Accounts } from "@svc/accounts/accounts/service"
import { ApiKeys, type IssuedApiKey } from "@svc/accounts/api-keys/service"
import { People } from "@svc/accounts/people/service"
import { accountTime } from "@svc/kernel/clocks/account-time"
import { withActor } from "@svc/kernel/parts/actor"
import { roadOf } from "@svc/kernel/resource/change"
import { notFound } from "@svc/kernel/resource/errors"
import { Idempotency } from "@svc/kernel/resource/idempotency"
import { keyedVerbs, type Work } from "@svc/kernel/resource/keyed-verbs"
import { makeId } from "@svc/kernel/values/ids"
import { realNow } from "@svc/kernel/values/time"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Terms } from "../terms/service.ts"
import { WorkRuns } from "../work-runs/service.ts"
import { type GoLiveRequest, goLiveRequests } from "./model.ts"
import { GoLiveRepository } from "./repository.ts"
import * as rules from "./rules.ts"

export interface Approved {
  readonly request: GoLiveRequest
  /** Where no person asked: nobody owns the live account yet. */
  readonly key: IssuedApiKey | undefined
}

export class GoLiveRequests extends Context.Service<GoLiveRequests>()("@svc/onboarding/GoLiveRequests", {
  make: Effect.gen(function*() {
    const [accounts, keys, people, terms, runs] = [yield* Accounts, yield* ApiKeys, yield* People, yield* Terms, yield* WorkRuns]
    const repository = yield* GoLiveRepository
    const { answer, repeat } = yield* roadOf(goLiveRequests, { type: "go_live_request" })
    const transaction = withActor(yield* SqlClient.SqlClient)
    const within = <A, E>(change: Effect.Effect<A, E>) => Effect.catchTag(transaction(change), "SqlError", Effect.die)
    const { timeOf } = yield* accountTime
    const { findAnybodys, get, list, listEverybodys } = repository
    const verbs = keyedVerbs<AccountFacts, GoLiveRequest, never>(yield* Idempotency, { name: "go live request", get })

    /** Once: while one waits, and after it was approved, that one is answered. */
    const create = Effect.fnUntraced(function*(work: Work<AccountFacts, undefined, { readonly by: string }>) {
      const { account, at, payload: { by } } = work
      const existing = yield* repository.findOpen(account.id)
      if (existing !== undefined) return yield* repeat(work, existing, at)
      const asked = { id: makeId("glr", at.epochMilliseconds), by, at }
      const request = yield* Effect.fromResult(rules.create(account, yield* runs.missing(account.id), asked))
      return yield* answer(work, request, {}, 201)
    })

    const locked = Effect.fnUntraced(function*(id: string, by: string) {
      const request = (yield* repository.lockAnybodys(id)) ?? (yield* notFound("go live request"))
      return { request, deciding: { by, at: yield* timeOf(request.merchant_id), decided_at: yield* realNow } }
    })

    /** Opens the live account, in the world's time: the sandbox may have a clock of its own. */
    const openLive = Effect.fnUntraced(function*({ merchant_id, requested_by }: GoLiveRequest) {
      const live = yield* accounts.openLive(yield* Effect.orDie(accounts.get(merchant_id)))
      yield* terms.carry(merchant_id, live.id)
      const hasOwner = yield* people.copyOwner({ from: merchant_id, to: live.id, user: requested_by })
      const first = { accountId: live.id, kind: "secret", name: "First key", scopes: [] } as const
      return { id: live.id, key: hasOwner ? undefined : yield* Effect.orDie(keys.issue(first)) }
    })

    return {
      get,
      list,
      listEverybodys,
      create: verbs.making("GoLiveRequests.create", create),
      /** A request of any account, for the operator. */
      getAnybodys: Effect.fn("GoLiveRequests.getAnybodys")(function*(id: string) {
        return (yield* findAnybodys(id)) ?? (yield* notFound("go live request"))
      }),
      /** All of it is one transaction: there is no request that is approved without its live account, and no account without a request. */
      approve: Effect.fn("GoLiveRequests.approve")((id: string, by: string) =>
        within(Effect.gen(function*() {
          const { deciding, request } = yield* locked(id, by)
          const missing = yield* runs.missing(request.merchant_id)
          yield* Effect.fromResult(rules.checkApproval(request, yield* accounts.facts(request.merchant_id), missing))
          const { id: live, key } = yield* openLive(request)
          const decided = rules.approved(request, live, deciding)
          yield* repository.decide(request.merchant_id, decided)
          return { request: decided, key } satisfies Approved
        }))
      ),
      reject: Effect.fn("GoLiveRequests.reject")((id: string, by: string, reason: string) =>
        within(Effect.gen(function*() {
          const { deciding, request } = yield* locked(id, by)
          const decided = yield* Effect.fromResult(rules.reject(request, reason, deciding))
          yield* repository.decide(request.merchant_id, decided)
          return decided
        }))
      )
    }
  })
}) {
  static readonly layer = Layer.effect(GoLiveRequests, GoLiveRequests.make).pipe(Layer.provide(GoLiveRepository.layer))
}
