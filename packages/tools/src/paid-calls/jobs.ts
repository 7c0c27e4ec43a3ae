/** What of paid calls happens without a request. */
import { Effect } from "effect"
import { UNFINISHED } from "../tool-calls/model.ts"
import { FORGOTTEN } from "./model.ts"
import { PaidCalls } from "./service.ts"

export const paidCallJobs = Effect.map(PaidCalls, ({ finish, forget }) => new Map([[UNFINISHED, finish], [FORGOTTEN, forget]] as const))
