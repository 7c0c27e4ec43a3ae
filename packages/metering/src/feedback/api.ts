/** The route of feedback. */
import { KeptAnswers } from "@svc/kernel/http/kept-answers"
import { RateLimited } from "@svc/kernel/resource/errors"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { forCallers } from "../access/api.ts"
import { FeedbackReceived, FeedbackRequest, PER_HOUR } from "./model.ts"

export class FeedbackGroup extends HttpApiGroup.make("feedback").add(
  HttpApiEndpoint.post("send", "/feedback", {
    payload: FeedbackRequest,
    success: FeedbackReceived.pipe(HttpApiSchema.status(201)),
    error: RateLimited
  }).middleware(KeptAnswers).annotateMerge(OpenApi.annotations({
    summary: "Send feedback",
    description: `Needs no key and costs nothing. ${PER_HOUR} messages an hour from one network.`
  }))
).pipe(forCallers({ title: "Feedback", description: "What is wrong, missing or good." })) {}
