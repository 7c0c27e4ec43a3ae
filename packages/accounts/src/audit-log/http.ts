/** The handlers of the audit log's routes. */
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { listOwn } from "@svc/kernel/resource/pages"
import { Effect } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import { Caller } from "../access/model.ts"
import { AuditLogGroup } from "./api.ts"
import { AuditLog } from "./service.ts"

export const layer = HttpApiBuilder.group(
  HttpApi.make("svc").add(AuditLogGroup),
  "audit_log",
  Effect.fnUntraced(function*(handlers) {
    const service = yield* AuditLog
    const account = Effect.map(Caller, (caller) => caller.account.id)
    return handlers.handleAll({
      list: Effect.fnUntraced(function*({ query: { after, before, merchant_id, page, per_page, ...filter } }) {
        const own = yield* account
        const auditFilter = {
          per_page,
          ...(page === undefined ? {} : { page }),
          ...(after === undefined ? {} : { after }),
          ...(before === undefined ? {} : { before }),
          ...(merchant_id === undefined ? {} : { merchant_id })
        }
        return yield* listOwn(own, auditFilter, service.list(own, filter, auditFilter))
      }),
      get: ({ params }) => Effect.flatMap(account, (own) => service.get(own, params.id))
    })
  })
)
