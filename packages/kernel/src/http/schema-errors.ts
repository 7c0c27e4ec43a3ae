/** Turns every refusal of a request schema into a `validation_error` that names the field. */
import { Effect, SchemaIssue } from "effect"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import { ValidationError } from "../errors.ts"

/** Last in every group: it answers 400 in the wire shape where a body, path, query or header does not fit. */
export class SchemaErrors extends HttpApiMiddleware.Service<SchemaErrors>()("@svc/kernel/SchemaErrors", { error: ValidationError }) {}

const toIssues = SchemaIssue.makeFormatterStandardSchemaV1()

const fieldOf = (path: ReadonlyArray<unknown> | undefined, fallback: string): string =>
  (path ?? []).map((part) => String(typeof part === "object" && part !== null && "key" in part ? part.key : part)).join(".") || fallback

/** What Effect says of a field that is there, or not, in words for whoever sent the request. */
const readable: Readonly<Record<string, string>> = {
  "Expected no excess property": "is not known here; check its spelling",
  "Missing key": "is required"
}

/** At most this many issues are listed; a body can hold thousands. */
const LISTED = 20

export const layer = HttpApiMiddleware.layerSchemaErrorTransform(SchemaErrors, (error) => {
  if (error.kind === "Body" || error.kind === "ResponseHeaders") return Effect.fail(error)
  const place = error.kind.toLowerCase()
  const issues = toIssues(error.cause.issue).issues.slice(0, LISTED).map((issue) => ({
    code: fieldOf(issue.path, place === "payload" ? "body" : place),
    message: readable[issue.message] ?? issue.message
  }))
  const [issue] = issues
  const code = issue?.code ?? place
  return Effect.fail(new ValidationError({
    code,
    message: `${code}: ${issue?.message ?? "is not valid"}`,
    details: { in: place === "payload" ? "body" : place, issues }
  }))
})
