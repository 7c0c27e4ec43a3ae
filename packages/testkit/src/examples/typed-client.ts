/** The client of README.md: it calls a tool by its types, and is told where to pay. */
import { Tools } from "@svc/tools/catalog/group"
import { Effect, Layer } from "effect"
import { FetchHttpClient } from "effect/http"
import { RpcClient, RpcSerialization } from "effect/rpc"

const protocol = (url: string) => Layer.provide(RpcClient.layerProtocolHttp({ url }), [FetchHttpClient.layer, RpcSerialization.layerNdjson])

export const ping = (url: string, key: string) =>
  Effect.gen(function*() {
    const tools = yield* RpcClient.make(Tools)
    const call = tools.ping_payment({}, { headers: { authorization: `Bearer ${key}` } })
    return yield* Effect.catchTag(call, "PaymentRequired", ({ body }) => Effect.succeed(`Pay at ${String(body["payment_url"])}`))
  }).pipe(Effect.scoped, Effect.provide(protocol(url)))
