/** The routes of this package. The client imports this file, and no implementation. */
import * as HttpApi from "effect/http-api/HttpApi"
import { GoLiveRequestsGroup, OperatorGoLiveRequestsGroup } from "./go-live-requests/api.ts"
import { PassthroughSessionsGroup } from "./passthrough-sessions/api.ts"
import { TermsAcceptancesGroup, TermsGroup } from "./terms/api.ts"
import { WorkRunsGroup } from "./work-runs/api.ts"

export const contract = HttpApi.make("svc")
  .add(TermsGroup).add(TermsAcceptancesGroup).add(WorkRunsGroup).add(PassthroughSessionsGroup)
  .add(GoLiveRequestsGroup).add(OperatorGoLiveRequestsGroup)
