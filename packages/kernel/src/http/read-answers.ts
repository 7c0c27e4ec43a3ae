/** For clients of a contract: answers read by the kernel's reader of JSON. Effect's client reads JSON with V8 and nothing else. */
import type * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { fromJsonText } from "../values/json-codec.ts"
import { withEndpoints } from "./with-endpoints.ts"

/**
 * The contract, with every body of a success as text whose schema reads it. Refusals hold no names but their own, which Effect
 * reads as they are. For a contract whose answers are JSON or empty, as ours are.
 */
export const readAnswers = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): HttpApi.HttpApi<Id, Groups> =>
  withEndpoints(api, ({ successes }) => ({
    success: new Set(
      Array.from(successes).flatMap(([status, schemas]) =>
        schemas.map((schema) =>
          HttpApiSchema.isNoContent(schema.ast)
            ? schema
            : fromJsonText(schema).pipe(HttpApiSchema.asText({ contentType: "application/json" }), HttpApiSchema.status(status))
        )
      )
    )
  }))
