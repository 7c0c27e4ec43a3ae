/** The handler of the route of feedback. */
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { Effect, Option } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import { FeedbackGroup } from "./api.ts"
import { Feedback } from "./service.ts"

const api = HttpApi.make("tools").add(FeedbackGroup)

export const layer = HttpApiBuilder.group(
  api,
  "feedback",
  Effect.fnUntraced(function*(handlers) {
    const feedback = yield* Feedback
    return handlers.handleAll({
      send: ({ payload, request }) => feedback.send(payload, Option.getOrElse(request.remoteAddress, () => "unknown"))
    })
  })
)
