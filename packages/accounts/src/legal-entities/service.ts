/** The verbs of a legal entity: load, decide, commit. */
import { type Decision, type NewRow, verbsOf } from "@svc/kernel/resource/verbs"
import { Context, type DateTime, Effect, Layer, Result } from "effect"
import { AccountId } from "../accounts/model.ts"
import { Accounts } from "../accounts/service.ts"
import {
  type CreateLegalEntityRequest,
  legalEntities,
  type LegalEntity,
  legalEntityFilters,
  type LegalEntityPatch,
  type ReviewVerdict
} from "./model.ts"
import { review } from "./provider/review.ts"
import * as rules from "./rules.ts"

const committed = ({ entity, ...effects }: rules.LegalEntityDecision): Decision<LegalEntity> => ({ resource: entity, ...effects })

type Deciding<E> = (entity: LegalEntity, at: DateTime.Utc) => Result.Result<rules.LegalEntityDecision | undefined, E>

export class LegalEntities extends Context.Service<LegalEntities>()("@svc/accounts/LegalEntities", {
  make: Effect.gen(function*() {
    const accounts = yield* Accounts
    const { change, createAnyhow, findByIds, get, list } = yield* verbsOf(legalEntities, {
      name: rules.NAME,
      prefix: "le",
      filters: legalEntityFilters
    })

    const decided = <E>(account: string, id: string, decide: Deciding<E>) =>
      change(
        account,
        id,
        (entity, at) =>
          Effect.fromResult(Result.map(decide(entity, at), (decision) => decision === undefined ? undefined : committed(decision)))
      )

    return {
      create: createAnyhow(
        "LegalEntities.create",
        (request: CreateLegalEntityRequest, { account_id, created_at, id }: NewRow<LegalEntity>) =>
          Effect.succeed(committed(rules.create(id, account_id, request, created_at)))
      ),
      get,
      findByIds,
      list,
      /** `version` is the one the caller read, when it says so. */
      update: Effect.fn("LegalEntities.update")((account: string, id: string, patch: LegalEntityPatch, version?: number) =>
        decided(account, id, (entity, at) => rules.update(entity, patch, at, version))
      ),
      /** Has it reviewed again. */
      submit: Effect.fn("LegalEntities.submit")((account: string, id: string, version?: number) =>
        decided(account, id, (entity, at) => rules.submit(entity, at, version))
      ),
      /** What the operator's review of a live account's entity came to. Fails where none is under way. */
      decide: Effect.fn("LegalEntities.decide")((account: string, id: string, verdict: ReviewVerdict) =>
        decided(account, id, (entity, at) => rules.verdictDecision(entity, verdict, at))
      ),
      /** For the timer: the review of a sandbox. That of a live account waits for the operator. */
      review: Effect.fn("LegalEntities.review")(function*(account: string, id: string) {
        const { sandbox } = yield* accounts.get(AccountId.make(account))
        if (sandbox) yield* decided(account, id, (entity, at) => Result.succeed(rules.decide(entity, review(entity), at)))
      })
    }
  })
}) {
  static readonly layer = Layer.effect(LegalEntities, LegalEntities.make)
}
