/** The handler of the export. */
import { Caller } from "@svc/accounts/access/model"
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { whileTaken } from "@svc/kernel/http/streamed"
import { Duration, Effect, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import * as HttpApi from "effect/http-api/HttpApi"
import { LedgerExportGroup } from "./api.ts"
import { NDJSON } from "./model.ts"
import { LedgerExport } from "./service.ts"

/** In which a piece of 300 KiB is taken: 15 KiB a second. */
const PATIENCE = Duration.seconds(20)

const api = HttpApi.make("svc").add(LedgerExportGroup)

export const layer = HttpApiBuilder.group(api, "ledger_export", Effect.fnUntraced(function*(handlers) {
  const { lines } = yield* LedgerExport
  return handlers.handleAll({
    export: Effect.fnUntraced(function*() {
      const { account } = yield* Caller
      const bytes = yield* whileTaken(Stream.encodeText(yield* lines(account.id)), PATIENCE)
      return HttpServerResponse.stream(bytes, {
        contentType: NDJSON,
        headers: { "content-disposition": `attachment; filename="ledger-${account.id}.ndjson"`, "x-content-type-options": "nosniff", "cache-control": "no-store" }
      })
    })
  })
}))
