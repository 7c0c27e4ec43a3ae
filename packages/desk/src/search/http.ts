/** The handler of the search. */
import { Caller } from "@svc/accounts/access/model"
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { Effect } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import { SearchGroup } from "./api.ts"
import { Search } from "./service.ts"

export const layer = HttpApiBuilder.group(
  HttpApi.make("svc").add(SearchGroup),
  "search",
  Effect.fnUntraced(function*(group) {
    const { find } = yield* Search
    return group.handleAll({ find: ({ query: { q = "" } }) => Effect.flatMap(Caller, (caller) => find(caller, q)) })
  })
)
