/** The payments API with its documentation: the OpenAPI document and the docs pages derive from it. */
import { CURRENT_API_VERSION } from "@svc/kernel/api-version"
import * as OpenApi from "effect/http-api/OpenApi"
import { contract } from "./api.ts"
import { catalog } from "./catalog.ts"
import { complete } from "./openapi.ts"
import { factsOf } from "./openapi/facts.ts"

export class Api extends contract
  .annotateMerge(OpenApi.annotations({
    title: "Payments API",
    version: CURRENT_API_VERSION,
    description: "Take payments, keep books that anyone can verify, and hear of what happens by signed webhooks. Amounts are minor units, times are UTC with milliseconds, every refusal has one shape.",
    transform: ({ components, info, openapi, paths, tags }) => complete({ components, info, openapi, paths, tags }, factsOf(contract), catalog)
  }))
{}
