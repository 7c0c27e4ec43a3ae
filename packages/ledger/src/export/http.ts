/** The handler of the export. */
import { Caller } from "@svc/accounts/access/model"
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { whileTaken } from "@svc/kernel/http/streamed"
import { notFound } from "@svc/kernel/resource/errors"
import { Duration, Effect, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import * as HttpApi from "effect/http-api/HttpApi"
import { LedgerExportGroup } from "./api.ts"
import { NDJSON } from "./model.ts"
import { LedgerExport } from "./service.ts"

/** In which a piece of 300 KiB is taken: 15 KiB a second. */
const PATIENCE = Duration.seconds(20)

const api = HttpApi.make("svc").add(LedgerExportGroup)

export const layer = HttpApiBuilder.group(
  api,
  "ledger_export",
  Effect.fnUntraced(function*(handlers) {
    const { lines } = yield* LedgerExport
    const exported = Effect.fnUntraced(function*(account: string) {
      const bytes = yield* whileTaken(Stream.encodeText(yield* lines(account)), PATIENCE)
      return HttpServerResponse.stream(bytes, {
        contentType: NDJSON,
        headers: {
          "content-disposition": `attachment; filename="ledger-${account}.ndjson"`,
          "x-content-type-options": "nosniff",
          "cache-control": "no-store"
        }
      })
    })
    return handlers.handleAll({
      export: () => Effect.flatMap(Caller, ({ account }) => exported(account.id)),
      // Of an operator the caller's account is that of the path.
      export_account: Effect.fnUntraced(function*({ params }) {
        const { account } = yield* Caller
        return params.id === account.id ? yield* exported(account.id) : yield* notFound("account")
      })
    })
  })
)
