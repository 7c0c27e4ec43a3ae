/** The handlers of the event routes. */
import { Caller } from "@svc/accounts/access/model"
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { listOwn } from "@svc/kernel/resource/pages"
import { Effect } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import { jsonText, pageJson } from "../raw-json.ts"
import { EventsGroup } from "./api.ts"
import { loggedEventJson } from "./model.ts"
import { Events } from "./service.ts"

// A group's handlers find their place by the names of API and group, so that they can be built without the other groups.
const api = HttpApi.make("svc").add(EventsGroup)

export const layer = HttpApiBuilder.group(
  api,
  "events",
  Effect.fnUntraced(function*(handlers) {
    const service = yield* Events
    const account = Effect.map(Caller, (caller) => caller.account.id)
    return handlers.handleAll({
      list: Effect.fnUntraced(function*({ query: { after_seq, type, ...page } }) {
        const own = yield* account
        return jsonText(pageJson(yield* listOwn(own, page, service.list(own, { after_seq, type }, page)), loggedEventJson))
      }),
      get: Effect.fnUntraced(function*({ params }) {
        return jsonText(loggedEventJson(yield* service.get(yield* account, params.id)))
      })
    })
  })
)
