/** The handlers of the report routes. */
import { Caller } from "@svc/accounts/access/model"
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { refusedFields } from "@svc/kernel/http/refused-fields"
import { ValidationError } from "@svc/kernel/resource/errors"
import { checkPage, listOwn } from "@svc/kernel/resource/pages"
import { type DateTime, Effect, Result, Stream } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import { ReportsGroup } from "./api.ts"
import { Reports } from "./service/reports.ts"

interface Query {
  readonly source?: string
  readonly from?: DateTime.Utc
  readonly to?: DateTime.Utc
}

/** What a file is of, which only the query can say. */
const askedBy = ({ from, source, to }: Query) => {
  if (source !== undefined && from !== undefined && to !== undefined) return Result.succeed({ source, from, to })
  const code = source === undefined ? "source" : from === undefined ? "from" : "to"
  return Result.fail(refusedFields("query", [{ code, message: "is required beside a file; it stands in the query" }]))
}

const twice = ({ from, source, to }: Query): ValidationError | undefined =>
  source === undefined && from === undefined && to === undefined
    ? undefined
    : refusedFields("query", [{ code: "query", message: "belongs to a file. Beside JSON, source, from and to stand in the body" }])

export const layer = HttpApiBuilder.group(
  HttpApi.make("svc").add(ReportsGroup),
  "reconciliation_reports",
  Effect.fnUntraced(function*(handlers) {
    const reports = yield* Reports
    return handlers.handleAll({
      list: Effect.fnUntraced(function*({ query }) {
        const { account } = yield* Caller
        const page = yield* Effect.fromResult(checkPage(query))
        const { after: _after, before: _before, merchant_id: _merchant, page: _page, per_page: _perPage, ...filter } = query
        return yield* listOwn(account.id, page, reports.list(account.id, filter, page))
      }),
      get: Effect.fnUntraced(function*({ params, query: { status, type, ...page } }) {
        const filter = { ...(status === undefined ? {} : { status }), ...(type === undefined ? {} : { type }) }
        return yield* reports.get((yield* Caller).account.id, params.id, filter, page)
      }),
      create: Effect.fnUntraced(function*({ payload, query }) {
        const { account } = yield* Caller
        if (Stream.isStream(payload)) {
          return yield* reports.upload(account.id, yield* Effect.fromResult(askedBy(query)), Stream.orDie(payload))
        }
        const refused = twice(query)
        return refused === undefined ? yield* reports.create(account.id, payload) : yield* refused
      })
    })
  })
)
