/** The handlers of the account routes. */
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { expectedVersion, ifMatchOf } from "@svc/kernel/http/if-match"
import { notFound } from "@svc/kernel/resource/errors"
import { listOwn } from "@svc/kernel/resource/pages"
import { Effect, Layer } from "effect"
import type { HttpServerRequest } from "effect/http"
import * as HttpApi from "effect/http-api/HttpApi"
import { Caller, Operator } from "../access/model.ts"
import { AccountsGroup, OperatorAccountsGroup } from "./api.ts"
import { AccountId, type AccountMove } from "./model.ts"
import { Accounts } from "./service.ts"

// A group's handlers find their place by the names of API and group, so that they can be built without the other groups.
const api = HttpApi.make("svc").add(AccountsGroup).add(OperatorAccountsGroup)

const accounts = HttpApiBuilder.group(
  api,
  "accounts",
  Effect.fnUntraced(function*(handlers) {
    const service = yield* Accounts
    const own = Effect.map(Caller, ({ account }) => AccountId.make(account.id))
    return handlers.handleAll({
      // The account of a key is never gone.
      own: () => own.pipe(Effect.flatMap(service.get), Effect.orDie),
      get: Effect.fnUntraced(function*({ params }) {
        return params.id === (yield* own) ? yield* service.get(params.id) : yield* notFound("account")
      }),
      update: Effect.fnUntraced(function*({ headers, payload: { version, ...patch } }) {
        const expected = yield* Effect.fromResult(expectedVersion(version, headers["if-match"]))
        return yield* service.update(yield* own, patch, expected).pipe(Effect.catchTag("NotFound", Effect.die))
      })
    })
  })
)

interface Target {
  readonly params: { readonly id: AccountId }
  readonly request: HttpServerRequest.HttpServerRequest
}

const operatorAccounts = HttpApiBuilder.group(
  api,
  "operator_accounts",
  Effect.fnUntraced(function*(handlers) {
    const service = yield* Accounts
    const move = (trigger: AccountMove) =>
      Effect.fnUntraced(function*({ params, request }: Target) {
        return yield* service.move(params.id, trigger, yield* Effect.fromResult(ifMatchOf(request)))
      })
    return handlers.handleAll({
      list: Effect.fnUntraced(function*({ query }) {
        const { after: _after, before: _before, page: _page, per_page: _perPage, ...filter } = query
        return yield* listOwn((yield* Operator).keyId, query, service.list(filter, query))
      }),
      create: ({ payload }) =>
        Effect.map(service.create(payload), ({ account, key: { record, secret } }) => ({ ...account, api_key: { ...record, secret } })),
      set_terms: Effect.fnUntraced(function*({ headers, params, payload: { version, ...patch } }) {
        return yield* service.setTerms(params.id, patch, yield* Effect.fromResult(expectedVersion(version, headers["if-match"])))
      }),
      activate: move("activate"),
      suspend: move("suspend"),
      reactivate: move("reactivate"),
      close: move("close")
    })
  })
)

export const layer = Layer.merge(accounts, operatorAccounts)
