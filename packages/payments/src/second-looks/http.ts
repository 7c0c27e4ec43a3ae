/** The handlers of the second look routes. */
import { Caller } from "@svc/accounts/access/model"
import { acting, listing, retrieving } from "@svc/accounts/access/service"
import { handlersOf } from "@svc/kernel/http/api-builder"
import { Effect } from "effect"
import { SecondLooksGroup } from "./api.ts"
import { SecondLooks } from "./service.ts"

export const layer = handlersOf(SecondLooksGroup, SecondLooks, (handlers, looks) =>
  handlers.handleAll({
    get: retrieving(looks.get),
    list: listing(looks.list),
    approve: (asked) =>
      Effect.flatMap(Caller, (reviewer) =>
        acting("second_look.approve", (command) => looks.approve({ ...command, payload: { reviewer } }))(asked)),
    reject: (asked) =>
      Effect.flatMap(Caller, (reviewer) =>
        acting("second_look.reject", (command) =>
          looks.reject({ ...command, payload: { reviewer } }))(asked))
  }))
