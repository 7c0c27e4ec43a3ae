/** The handlers of the routes of an account's token for GitHub. */
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { Effect } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import { accountByItsKey } from "../access/model.ts"
import { GithubTokensGroup } from "./api.ts"
import { GithubTokens } from "./service.ts"

const api = HttpApi.make("tools").add(GithubTokensGroup)

export const layer = HttpApiBuilder.group(
  api,
  "github_tokens",
  Effect.fnUntraced(function*(handlers) {
    const tokens = yield* GithubTokens
    return handlers.handleAll({
      store: Effect.fnUntraced(function*({ payload }) {
        yield* tokens.store(yield* accountByItsKey, payload.token)
      }),
      remove: Effect.fnUntraced(function*() {
        yield* tokens.remove(yield* accountByItsKey)
      })
    })
  })
)
