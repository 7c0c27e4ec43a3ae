/** The handlers of the agent key routes. */
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { expectedVersion, ifMatchOf } from "@svc/kernel/http/if-match"
import { listOwn } from "@svc/kernel/resource/pages"
import { Effect, Result } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import { Caller } from "../access/model.ts"
import { AgentKeysGroup } from "./api.ts"
import { issuedOf, recordOf } from "./model.ts"
import { AgentKeys } from "./service/agent-keys.ts"

const api = HttpApi.make("svc").add(AgentKeysGroup)

export const layer = HttpApiBuilder.group(
  api,
  "agent_keys",
  Effect.fnUntraced(function*(handlers) {
    const service = yield* AgentKeys
    const account = Effect.map(Caller, (caller) => caller.account)
    return handlers.handleAll({
      issue: ({ payload }) => Effect.map(Effect.flatMap(Caller, (caller) => service.create(caller, payload)), issuedOf),
      list: Effect.fnUntraced(function*({ query }) {
        const { id } = yield* account
        const { data, ...page } = yield* listOwn(id, query, service.list(id, query))
        return { agent_keys: data.map(recordOf), ...page }
      }),
      get: ({ params }) => Effect.map(Effect.flatMap(account, ({ id }) => service.get(id, params.id)), recordOf),
      update: Effect.fnUntraced(function*({ params, payload: { version, ...patch }, request }) {
        const expected = yield* Effect.fromResult(Result.flatMap(ifMatchOf(request), (header) => expectedVersion(version, header)))
        const by = yield* Caller
        return recordOf(yield* service.update(by.account.id, params.id, patch, { version: expected, by }))
      }),
      revoke: ({ params }) => Effect.map(Effect.flatMap(account, ({ id }) => service.revoke(id, params.id)), recordOf)
    })
  })
)
