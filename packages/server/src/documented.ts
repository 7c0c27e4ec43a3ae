/** The payments API with its documentation: the OpenAPI document and the docs pages derive from it. */
import { CURRENT_API_VERSION } from "@svc/kernel/resource/api-version"
import * as OpenApi from "effect/http-api/OpenApi"
import { contract } from "./api.ts"
import { catalog } from "./catalog.ts"
import { complete } from "./openapi.ts"
import { factsOf } from "./openapi/facts.ts"

const description = "Take payments, keep books that anyone can verify, and hear of what happens by signed webhooks. " +
  "Amounts are minor units, times are UTC with milliseconds, every refusal has one shape.\n\n" +
  "Restricted keys need the scope that an operation names in its security requirement.\n\n" +
  "A path that is not served is answered 404 `not_found`, a method that a path has not 405 `method_not_allowed`, headers beyond 16 KiB 431 `headers_too_large`, " +
  "an `Expect` other than `100-continue` 417 `expectation_failed`, and what is not HTTP at all 400, each with the shape of every other refusal.\n\n" +
  "What an operation that takes a key does not read is refused with 400: parameters of the query that it does not name, on a write a body other than `{}` where it names none, and an `If-Match` where it has no such header.\n\n" +
  "Every write heeds `Idempotency-Key`: the same request with the same key gets the same answer and does nothing.\n\n" +
  "Paths have one spelling: capitals, doubled slashes and a slash at the end make another path. " +
  "Bodies are JSON in UTF-8, not compressed; of a name that stands twice in an object the last one counts."

export class Api extends contract
  .annotateMerge(OpenApi.annotations({
    title: "Payments API",
    version: CURRENT_API_VERSION,
    description,
    license: { name: "MIT", identifier: "MIT" },
    servers: [
      { url: "/", description: "The installation that serves this document" },
      { url: "http://localhost:4000", description: "npm start on this machine" }
    ],
    transform: ({ components, info, openapi, paths, servers, tags }) =>
      complete({ openapi, info, servers, tags, paths, components }, factsOf(contract), catalog)
  }))
{}
