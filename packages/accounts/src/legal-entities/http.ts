/** The handlers of the legal entity routes. */
import { handlersOf } from "@svc/kernel/http/api-builder"
import { expectedVersion, ifMatchOf } from "@svc/kernel/http/if-match"
import { ValidationError } from "@svc/kernel/resource/errors"
import { Effect, Layer, Result } from "effect"
import { Caller } from "../access/model.ts"
import { creatingAnyhow, listing, retrieving } from "../access/service.ts"
import { LegalEntitiesGroup, OperatorLegalEntitiesGroup } from "./api.ts"
import type { ReviewLegalEntityRequest, ReviewVerdict } from "./model.ts"
import { LegalEntities } from "./service.ts"

const merchants = handlersOf(LegalEntitiesGroup, LegalEntities, (handlers, entities) =>
  handlers.handleAll({
    create: creatingAnyhow("legal_entity.create", entities.create),
    list: listing(entities.list),
    get: retrieving(entities.get),
    update: Effect.fnUntraced(function*({ params, payload: { version, ...patch }, request }) {
      const { account } = yield* Caller
      const expected = yield* Effect.fromResult(Result.flatMap(ifMatchOf(request), (header) => expectedVersion(version, header)))
      return yield* entities.update(account.id, params.id, patch, expected)
    }),
    submit: Effect.fnUntraced(function*({ params, request }) {
      const { account } = yield* Caller
      return yield* entities.submit(account.id, params.id, yield* Effect.fromResult(ifMatchOf(request)))
    })
  }))

const lacks = (code: string, status: string, what: string) =>
  Result.fail(new ValidationError({ code, message: `${code}: a review that came to ${status} says ${what}.` }))

const verdictOf = (
  { failure_reason, requirements, verification_status }: ReviewLegalEntityRequest
): Result.Result<ReviewVerdict, ValidationError> => {
  switch (verification_status) {
    case "verified":
      return Result.succeed({ _tag: "Verified" })
    case "requires_info":
      return requirements === undefined
        ? lacks("requirements", verification_status, "what is asked for")
        : Result.succeed({ _tag: "Asks", requirements })
    case "failed":
      return failure_reason === undefined
        ? lacks("failure_reason", verification_status, "why")
        : Result.succeed({ _tag: "Failed", reason: failure_reason })
  }
}

const operators = handlersOf(OperatorLegalEntitiesGroup, LegalEntities, (handlers, entities) =>
  handlers.handleAll({
    review: Effect.fnUntraced(function*({ params, payload }) {
      return yield* entities.decide(params.id, params.legal_entity_id, yield* Effect.fromResult(verdictOf(payload)))
    })
  }))

export const layer = Layer.merge(merchants, operators)
