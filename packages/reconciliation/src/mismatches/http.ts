/** The handlers of the mismatch routes. */
import { Caller } from "@svc/accounts/access/model"
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { mayBeKeyed } from "@svc/kernel/http/keyed"
import { respond } from "@svc/kernel/http/reply"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import * as HttpApi from "effect/http-api/HttpApi"
import { MismatchesGroup } from "./api.ts"
import { Mismatches } from "./service.ts"

export const layer = HttpApiBuilder.group(
  HttpApi.make("svc").add(MismatchesGroup),
  "reconciliation_mismatches",
  Effect.fnUntraced(function*(handlers) {
    const mismatches = yield* Mismatches
    return handlers.handleAll({
      resolve: Effect.fnUntraced(function*({ params, payload, request }) {
        const { account, keyId } = yield* Caller
        const keyed = yield* mayBeKeyed("reconciliation_mismatch.resolve", request, payload)
        const { replayed = false, ...reply } = yield* mismatches.resolve({ account, id: params.id, payload, by: keyId, keyed })
        return keyed === undefined
          ? HttpServerResponse.text(reply.body, { status: reply.status, contentType: "application/json" })
          : respond({ ...reply, replayed, key: keyed.key })
      })
    })
  })
)
