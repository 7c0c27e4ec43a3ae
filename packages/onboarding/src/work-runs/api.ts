/** The routes of the work run. */
import { Does, forMerchants, RequiredScope } from "@svc/accounts/access/api"
import { described } from "@svc/kernel/resource/api"
import { VersionConflict } from "@svc/kernel/resource/errors"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { WorkRunJson } from "./model.ts"

export class WorkRunsGroup extends HttpApiGroup.make("work_runs").add(
  HttpApiEndpoint.get("get", "/work_run", { success: WorkRunJson })
    .annotate(RequiredScope, "work_runs:read")
    .annotateMerge(described(
      "Retrieve the work run",
      "The steps from the first day to live, with their states as the account's rows are now, and what comes next."
    )),
  HttpApiEndpoint.post("refresh", "/work_run/refresh", { success: WorkRunJson, error: VersionConflict })
    .annotate(RequiredScope, "work_runs:write").annotate(Does, "record")
    .annotateMerge(
      described("Refresh the work run", "Computes the work run anew and keeps it. The audit log says who did, and what changed since.")
    )
).pipe(forMerchants({ title: "Work run", description: "How far an account is on its way to live." })) {}
