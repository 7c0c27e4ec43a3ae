/** The route of an account's usage. */
import { ValidationError } from "@svc/kernel/resource/errors"
import { pageFieldsOf } from "@svc/kernel/resource/pages"
import { Machine } from "@svc/kernel/resource/state-machine"
import { forCallers, ToolAuthorization } from "@svc/metering/access/api"
import { toolCallMachine } from "@svc/metering/tool-calls/machine"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { Usage } from "./model.ts"

export class UsageGroup extends HttpApiGroup.make("usage").add(
  HttpApiEndpoint.get("own", "/usage", { query: pageFieldsOf("call"), success: Usage, error: ValidationError })
    .middleware(ToolAuthorization)
    .annotateMerge(OpenApi.annotations({
      summary: "List your usage",
      description: "Calls that cost something, newest first, and the sums of the month, free calls among them."
    }))
).pipe(forCallers({ title: "Usage", description: "What was called, and what it cost." }))
  .annotate(Machine, toolCallMachine)
{}
