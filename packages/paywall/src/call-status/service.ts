/** What became of a call, for whoever may read it. */
import { type NotFound, notFound } from "@svc/kernel/resource/errors"
import { parseJson } from "@svc/kernel/values/json"
import { Meter } from "@svc/metering/tool-calls/service/meter"
import { Context, Effect, Layer, Schema } from "effect"
import { MerchantAccount } from "../merchant/merchant-account.ts"
import { accountIn } from "../merchant/status-token.ts"
import { decodeReceipt } from "../paid-calls/model.ts"
import { PaidCalls } from "../paid-calls/service/paid-calls.ts"
import { open } from "../payment/sealed.ts"
import type { CallStatus } from "./model.ts"

const isJson = Schema.is(Schema.Json)

export class CallStatuses extends Context.Service<CallStatuses, {
  readonly get: (account: string, id: string) => Effect.Effect<CallStatus, NotFound>
  /** The account whose call the token opens; undefined for a token that was not made here for this call. */
  readonly accountOf: (id: string, token: string) => Effect.Effect<string | undefined>
}>()("@svc/paywall/CallStatuses") {
  static readonly layer = Layer.effect(
    CallStatuses,
    Effect.gen(function*() {
      const [meter, calls] = [yield* Meter, yield* PaidCalls]
      const merchantAccount = yield* MerchantAccount

      const get = Effect.fn("CallStatuses.get")(function*(account: string, id: string): Effect.fn.Return<CallStatus, NotFound> {
        const call = yield* meter.get(account, id).pipe(Effect.catchTag("NotFound", () => notFound("call")))
        // Calls that credits paid for, and those whose result is kept no longer, have nothing beside their row.
        const { paid } = yield* Effect.orElseSucceed(calls.find(account, id), () => ({ paid: undefined }))
        const { created_at, error, finished_at, mode, paid_by, price, receipt, state, tool } = call
        const { receipt: told = null, result: kept = null } = paid ?? {}
        const parsedResult = call.finished_at === null || kept === null ? null : parseJson(kept)
        const receipt_headers = told === null ? {} : decodeReceipt(told).headers
        return {
          id,
          tool,
          mode,
          state,
          price,
          paid_by,
          receipt,
          error,
          result: isJson(parsedResult) ? parsedResult : null,
          receipt_headers,
          created_at,
          finished_at
        }
      })

      return CallStatuses.of({
        get,
        accountOf: (id, token) => Effect.map(merchantAccount.secret, (secret) => accountIn(open(secret, token), id))
      })
    })
  )
}
