/** The handler of the route of what needs a person. */
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { Effect } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import { Caller } from "../access/model.ts"
import { AttentionGroup } from "./api.ts"
import { Attention } from "./service.ts"

export const layer = HttpApiBuilder.group(
  HttpApi.make("svc").add(AttentionGroup),
  "attention",
  Effect.fnUntraced(function*(handlers) {
    const { list } = yield* Attention
    return handlers.handleAll({ list: () => Effect.map(Effect.flatMap(Caller, list), (data) => ({ data })) })
  })
)
