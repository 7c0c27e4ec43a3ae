/** What this package brings: how an account gets from its first day to live. */
import { and, nothing } from "@svc/kernel/parts/part"
import { pipe } from "effect"
import { goLiveRequests } from "./go-live-requests/resource.ts"
import * as passthroughPages from "./passthrough-pages/routes.ts"
import { passthroughSessions } from "./passthrough-sessions/resource.ts"
import { terms } from "./terms/resource.ts"
import { workRuns } from "./work-runs/resource.ts"

export const onboarding = pipe(
  terms,
  and(workRuns),
  and(passthroughSessions),
  and(goLiveRequests),
  and({ ...nothing, routes: passthroughPages.layer })
)
