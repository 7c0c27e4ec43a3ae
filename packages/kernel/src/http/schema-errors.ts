/** Turns every refusal of a request schema into a `validation_error` that names the field, as it refuses what no schema is there for. */
import { Effect, Layer } from "effect"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import { ValidationError } from "../resource/errors.ts"
import { fieldIssuesOf } from "./field-issues.ts"
import { refusedFields } from "./refused-fields.ts"
import { refuseUnread } from "./unread.ts"

/** First in every group, and so the innermost: it answers 400 in the wire shape where a body, path, query or header does not fit. */
export class SchemaErrors extends HttpApiMiddleware.Service<SchemaErrors>()("@svc/kernel/SchemaErrors", { error: ValidationError }) {}

const schemaErrors = HttpApiMiddleware.layerSchemaErrorTransform(SchemaErrors, (error) => {
  if (error.kind === "Body" || error.kind === "ResponseHeaders") return Effect.fail(error)
  const kind = error.kind.toLowerCase()
  const place = kind === "payload" ? "body" : kind
  const [first, ...more] = fieldIssuesOf(error.cause.issue, place)
  return Effect.fail(refusedFields(place, [first ?? { code: place, message: "is not valid" }, ...more]))
})

export const layer = Layer.effect(
  SchemaErrors,
  Effect.map(
    SchemaErrors,
    (transform): SchemaErrors["Service"] => (handler, options) => refuseUnread(transform(handler, options), options.endpoint)
  )
).pipe(Layer.provide(schemaErrors))
