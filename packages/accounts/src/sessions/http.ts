/** The handlers of the routes of sessions. */
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { listOwn } from "@svc/kernel/resource/pages"
import { Effect, Layer } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import { Caller, Operator } from "../access/model.ts"
import { OperatorPersonSessionsGroup, PersonSessionsGroup } from "./api.ts"
import { Sessions } from "./service.ts"

const api = HttpApi.make("svc").add(PersonSessionsGroup).add(OperatorPersonSessionsGroup)

/** All of the account for an owner and a secret key; for everybody else their own, and no restricted key has any. */
const whose = Effect.map(
  Caller,
  ({ account, keyId, kind, person }) =>
    kind === "secret" ? { account_id: account.id } : { account_id: account.id, person_id: person?.id ?? keyId }
)

const sessions = HttpApiBuilder.group(
  api,
  "person_sessions",
  Effect.fnUntraced(function*(handlers) {
    const service = yield* Sessions
    return handlers.handleAll({
      list: ({ query }) => Effect.flatMap(whose, (of) => listOwn(of.account_id, query, service.list(of, query))),
      get: ({ params }) => Effect.flatMap(whose, (of) => service.get(of, params.id)),
      revoke: ({ params }) => Effect.flatMap(whose, (of) => service.revoke(of, params.id))
    })
  })
)

const installation = { account_id: null }

const operatorSessions = HttpApiBuilder.group(
  api,
  "operator_person_sessions",
  Effect.fnUntraced(function*(handlers) {
    const service = yield* Sessions
    return handlers.handleAll({
      list: Effect.fnUntraced(function*({ query }) {
        return yield* listOwn((yield* Operator).keyId, query, service.list(installation, query))
      }),
      get: ({ params }) => service.get(installation, params.id),
      revoke: ({ params }) => service.revoke(installation, params.id)
    })
  })
)

export const layer = Layer.merge(sessions, operatorSessions)
