/** The route of a call's state. */
import { NotFound, RateLimited, Unauthorized } from "@svc/kernel/resource/errors"
import { forCallers } from "@svc/metering/access/api"
import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { CallStatus } from "./model.ts"

export class CallsGroup extends HttpApiGroup.make("calls").add(
  HttpApiEndpoint.get("status", "/calls/:id", {
    params: { id: Schema.String },
    query: { token: Schema.optionalKey(Schema.String) },
    success: CallStatus,
    error: [NotFound, Unauthorized, RateLimited]
  }).annotateMerge(OpenApi.annotations({
    summary: "Read the state of a call",
    description:
      "The `status_url` of an answer 202 leads here. Read with the key of the account that called, or with the `token` of that address. While it is pending, ask again after some seconds and pay nothing."
  }))
).pipe(forCallers({ title: "Calls", description: "What became of a call that cost something." })) {}
