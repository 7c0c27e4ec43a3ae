/** A client that pays what a call costs: it answers one of the challenges that the error has, here with a token of the sandbox. */
import { Tools } from "@svc/tools/catalog/group"
import { Effect } from "effect"
import * as Base64Url from "effect/encoding/Base64Url"
import { RpcClient } from "effect/rpc"

export const payOneCent = Effect.gen(function*() {
  const tools = yield* RpcClient.make(Tools)
  return yield* Effect.catchTag(tools.ping_payment({}), "PaymentRequired", ({ challenges }) => {
    const challenge = challenges.find(({ method }) => method === "stripe")
    const credential = Base64Url.encode(JSON.stringify({ challenge, payload: { spt: "spt_test_1" } }))
    return tools.ping_payment({}, { headers: { authorization: `Payment ${credential}` } })
  })
})
