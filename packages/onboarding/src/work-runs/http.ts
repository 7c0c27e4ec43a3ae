/** The handlers of the routes of the work run. */
import { Caller } from "@svc/accounts/access/model"
import { handlersOf } from "@svc/kernel/http/api-builder"
import { Effect } from "effect"
import { WorkRunsGroup } from "./api.ts"
import { WorkRuns } from "./service.ts"

export const layer = handlersOf(WorkRunsGroup, WorkRuns, (handlers, runs) =>
  handlers.handleAll({
    get: () => Effect.flatMap(Caller, ({ account }) => runs.get(account.id)),
    refresh: () => Effect.flatMap(Caller, ({ account }) => runs.refresh(account.id))
  }))
