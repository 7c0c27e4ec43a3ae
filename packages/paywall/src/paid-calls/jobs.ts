/** What of paid calls happens without a request. */
import { UNFINISHED } from "@svc/metering/tool-calls/model"
import { Effect } from "effect"
import { FORGOTTEN } from "./model.ts"
import { PaidCalls } from "./service/paid-calls.ts"

export const paidCallJobs = Effect.map(PaidCalls, ({ finish, forget }) => new Map([[UNFINISHED, finish], [FORGOTTEN, forget]] as const))
