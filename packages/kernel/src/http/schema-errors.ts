/** Turns every refusal of a request schema into a `validation_error` that names the field, as it refuses what no schema is there for. */
import { Effect, Layer, SchemaIssue } from "effect"
import type { SchemaAST } from "effect"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import { ValidationError } from "../errors.ts"
import { refusedFields, UNKNOWN } from "./refused-fields.ts"
import { shownPath } from "./shown-path.ts"
import { refuseUnread } from "./unread.ts"

/** First in every group, and so the innermost: it answers 400 in the wire shape where a body, path, query or header does not fit. */
export class SchemaErrors extends HttpApiMiddleware.Service<SchemaErrors>()("@svc/kernel/SchemaErrors", { error: ValidationError }) {}

const toIssues = SchemaIssue.makeFormatterStandardSchemaV1()

/** What is wrong, and in which field. */
interface Found {
  readonly path: ReadonlyArray<unknown>
  readonly message: string
}

/** At most this many values of an enum are listed. */
const VALUES = 20

/** The values that a schema of nothing but literals allows; undefined for any other schema. */
const valuesOf = (ast: SchemaAST.AST): ReadonlyArray<string> | undefined => {
  if (ast._tag === "Literal") return [typeof ast.literal === "string" ? JSON.stringify(ast.literal) : String(ast.literal)]
  if (ast._tag === "Null") return ["null"]
  // A key that may be left out needs no value for that.
  if (ast._tag === "Undefined") return []
  if (ast._tag !== "Union") return undefined
  const members = ast.types.map(valuesOf)
  return members.every((values) => values !== undefined) ? members.flat() : undefined
}

/** What an enum expects. Effect would say its identifier, which names a schema and means nothing to a caller. */
const expectedOf = ({ ast }: SchemaIssue.AnyOf): string | undefined => {
  const values = typeof ast.annotations?.["message"] === "string" ? undefined : valuesOf(ast)
  if (values === undefined || values.length === 0) return undefined
  const more = values.length > VALUES ? ` and ${values.length - VALUES} more` : ""
  return `Expected one of ${values.slice(0, VALUES).join(", ")}${more}`
}

/** Effect's own messages but for those of enums, which no hook of its formatter reaches. */
const foundIn = (issue: SchemaIssue.Issue, path: ReadonlyArray<unknown> = []): ReadonlyArray<Found> => {
  switch (issue._tag) {
    case "Pointer":
      return foundIn(issue.issue, [...path, ...issue.path])
    case "Encoding":
      return foundIn(issue.issue, path)
    case "Composite":
      return issue.issues.flatMap((inner) => foundIn(inner, path))
    case "AnyOf": {
      if (issue.issues.length > 0) return issue.issues.flatMap((inner) => foundIn(inner, path))
      const message = expectedOf(issue)
      if (message !== undefined) return [{ path, message }]
    }
  }
  return toIssues(issue).issues.map(({ message, path: inner = [] }) => ({ path: [...path, ...inner], message }))
}

/** A parameter of the query that may be repeated, such as `expand[]`, goes by its name, whichever of its values is meant. */
const repeatable = (path: ReadonlyArray<unknown>): ReadonlyArray<unknown> =>
  typeof path[0] === "string" && path[0].endsWith("[]") ? [path[0].slice(0, -2)] : path

const fieldOf = (path: ReadonlyArray<unknown>, place: string): string => {
  const keys = path.map((part) => typeof part === "object" && part !== null && "key" in part ? part.key : part)
  return shownPath(place === "query" ? repeatable(keys) : keys) || place
}

/** What Effect says of a field that is there, or not, in words for whoever sent the request. */
const readable: Readonly<Record<string, string>> = {
  "Expected no excess property": UNKNOWN,
  "Missing key": "is required"
}

/** Of a body that is no object Effect says which schema it expected, by a name that nobody outside knows. */
const SCHEMA_NAME = /^Expected [A-Z]\w+$/
const NO_OBJECT = "Expected a JSON object with the fields of this operation; they stand in /openapi.json"

/** At most this many issues are listed; a body can hold thousands. */
const LISTED = 20

const schemaErrors = HttpApiMiddleware.layerSchemaErrorTransform(SchemaErrors, (error) => {
  if (error.kind === "Body" || error.kind === "ResponseHeaders") return Effect.fail(error)
  const kind = error.kind.toLowerCase()
  const place = kind === "payload" ? "body" : kind
  const [first, ...more] = foundIn(error.cause.issue).slice(0, LISTED).map((issue) => ({
    code: fieldOf(issue.path, place),
    message: readable[issue.message] ?? (place === "body" && issue.path.length === 0 ? issue.message.replace(SCHEMA_NAME, NO_OBJECT) : issue.message)
  }))
  return Effect.fail(refusedFields(place, [first ?? { code: place, message: "is not valid" }, ...more]))
})

export const layer = Layer.effect(
  SchemaErrors,
  Effect.map(SchemaErrors, (transform): SchemaErrors["Service"] => (handler, options) => refuseUnread(transform(handler, options), options.endpoint))
).pipe(Layer.provide(schemaErrors))
