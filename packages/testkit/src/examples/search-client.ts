/** A client that says what stands in the way of a result. */
import { Tools } from "@svc/tools/catalog/group"
import { Effect } from "effect"
import { RpcClient } from "effect/rpc"

export const search = (query: string, key: string) =>
  Effect.gen(function*() {
    const tools = yield* RpcClient.make(Tools)
    const headers = { authorization: `Bearer ${key}` }
    const call = tools.svc_web_search({ operation: "search", namespace: "help", query }, { headers })
    return yield* Effect.catchTags(call, {
      CreditsExhausted: ({ body }) => Effect.succeed(`Buy credits, or pay at ${String(body["payment_url"])}`),
      KeyRefused: ({ message }) => Effect.succeed(message)
    })
  })
