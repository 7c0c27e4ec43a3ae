/** The handlers of the legal entity routes. */
import { ValidationError } from "@svc/kernel/errors"
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { expectedVersion, ifMatchOf } from "@svc/kernel/http/if-match"
import { mayBeKeyed } from "@svc/kernel/http/keyed"
import { respond } from "@svc/kernel/http/reply"
import { checkPage, listOwn } from "@svc/kernel/pages"
import { Effect, Layer, Result } from "effect"
import { HttpServerResponse } from "effect/http"
import * as HttpApi from "effect/http-api/HttpApi"
import { Caller } from "../access/model.ts"
import { LegalEntitiesGroup, OperatorLegalEntitiesGroup } from "./api.ts"
import type { ReviewLegalEntityRequest, Verdict } from "./model.ts"
import { LegalEntities } from "./service.ts"

const merchants = HttpApiBuilder.group(HttpApi.make("svc").add(LegalEntitiesGroup), "legal_entities", Effect.fnUntraced(function*(handlers) {
  const entities = yield* LegalEntities
  const own = Effect.map(Caller, ({ account }) => account.id)
  return handlers.handleAll({
    create: Effect.fnUntraced(function*({ payload, request }) {
      const keyed = yield* mayBeKeyed("legal_entity.create", request, payload)
      const made = yield* entities.create(yield* own, payload, keyed)
      return keyed === undefined
        ? HttpServerResponse.text(made.body, { status: made.status, contentType: "application/json" })
        : respond({ ...made, key: keyed.key })
    }),
    list: Effect.fnUntraced(function*({ query }) {
      const account = yield* own
      const page = yield* Effect.fromResult(checkPage(query))
      const { after: _after, before: _before, merchant_id: _merchant, page: _page, per_page: _perPage, ...filter } = query
      return yield* listOwn(account, page, entities.list(account, filter, page))
    }),
    get: Effect.fnUntraced(function*({ params }) {
      return yield* entities.get(yield* own, params.id)
    }),
    update: Effect.fnUntraced(function*({ params, payload: { version, ...patch }, request }) {
      const expected = yield* Effect.fromResult(Result.flatMap(ifMatchOf(request), (header) => expectedVersion(version, header)))
      return yield* entities.update(yield* own, params.id, patch, expected)
    }),
    submit: Effect.fnUntraced(function*({ params, request }) {
      return yield* entities.submit(yield* own, params.id, yield* Effect.fromResult(ifMatchOf(request)))
    })
  })
}))

const lacks = (code: string, status: string, what: string) => Result.fail(new ValidationError({ code, message: `${code}: a review that came to ${status} says ${what}.` }))

const verdictOf = ({ failure_reason, requirements, verification_status }: ReviewLegalEntityRequest): Result.Result<Verdict, ValidationError> => {
  switch (verification_status) {
    case "verified":
      return Result.succeed({ _tag: "Verified" })
    case "requires_info":
      return requirements === undefined ? lacks("requirements", verification_status, "what is asked for") : Result.succeed({ _tag: "Asks", requirements })
    case "failed":
      return failure_reason === undefined ? lacks("failure_reason", verification_status, "why") : Result.succeed({ _tag: "Failed", reason: failure_reason })
  }
}

const operators = HttpApiBuilder.group(HttpApi.make("svc").add(OperatorLegalEntitiesGroup), "operator_legal_entities", Effect.fnUntraced(function*(handlers) {
  const entities = yield* LegalEntities
  return handlers.handleAll({
    review: Effect.fnUntraced(function*({ params, payload }) {
      return yield* entities.decide(params.id, params.legal_entity_id, yield* Effect.fromResult(verdictOf(payload)))
    })
  })
}))

export const layer = Layer.merge(merchants, operators)
