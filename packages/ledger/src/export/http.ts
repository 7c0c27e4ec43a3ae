/** The handler of the export. */
import { Caller } from "@svc/accounts/access/model"
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { Effect, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import * as HttpApi from "effect/http-api/HttpApi"
import { LedgerExportGroup } from "./api.ts"
import { NDJSON } from "./model.ts"
import { LedgerExport } from "./service.ts"

const api = HttpApi.make("svc").add(LedgerExportGroup)

export const layer = HttpApiBuilder.group(api, "ledger_export", Effect.fnUntraced(function*(handlers) {
  const { lines } = yield* LedgerExport
  return handlers.handleAll({
    export: Effect.fnUntraced(function*() {
      const { account } = yield* Caller
      return HttpServerResponse.stream(Stream.encodeText(lines(account.id)), {
        contentType: NDJSON,
        headers: { "content-disposition": `attachment; filename="ledger-${account.id}.ndjson"`, "x-content-type-options": "nosniff", "cache-control": "no-store" }
      })
    })
  })
}))
