/** What became of a call, for whoever may read it. */
import { type NotFound, notFound } from "@svc/kernel/errors"
import { parseJson } from "@svc/kernel/json"
import { Context, Effect, Layer, Schema } from "effect"
import { House } from "../paid-calls/house.ts"
import { decodeReceipt } from "../paid-calls/model.ts"
import { PaidCalls } from "../paid-calls/service.ts"
import { accountIn } from "../paid-calls/status-token.ts"
import { open } from "../payment/sealed.ts"
import type { CallStatus } from "./model.ts"

const isJson = Schema.is(Schema.Json)

export class CallStatuses extends Context.Service<CallStatuses, {
  readonly get: (account: string, id: string) => Effect.Effect<CallStatus, NotFound>
  /** Whose call the token opens; undefined for what was not made here for this call. */
  readonly accountOf: (id: string, token: string) => Effect.Effect<string | undefined>
}>()("@svc/tools/CallStatuses") {
  static readonly layer = Layer.effect(CallStatuses, Effect.gen(function*() {
    const calls = yield* PaidCalls
    const house = yield* House

    const get = Effect.fn("CallStatuses.get")(function*(account: string, id: string): Effect.fn.Return<CallStatus, NotFound> {
      const { call, paid } = yield* calls.find(account, id).pipe(Effect.catchTag("NotFound", () => notFound("call")))
      const { created_at, error, finished_at, mode, paid_by, price, receipt, state, tool } = call
      const kept = call.finished_at === null || paid.result === null ? null : parseJson(paid.result)
      const receipt_headers = paid.receipt === null ? {} : decodeReceipt(paid.receipt).headers
      return { id, tool, mode, state, price, paid_by, receipt, error, result: isJson(kept) ? kept : null, receipt_headers, created_at, finished_at }
    })

    return CallStatuses.of({
      get,
      accountOf: (id, token) => Effect.map(house.secret, (secret) => accountIn(open(secret, token), id))
    })
  }))
}
