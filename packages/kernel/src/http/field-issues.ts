/** What a schema refuses, by field, in words for whoever sent it. */
import { SchemaIssue } from "effect"
import type { SchemaAST } from "effect"
import { type FieldIssue, MISSING, UNKNOWN } from "./refused-fields.ts"
import { shownPath } from "./shown-path.ts"
import { similarName } from "./similar-name.ts"

const toIssues = SchemaIssue.makeFormatterStandardSchemaV1()

/** What is wrong, and in which field. */
interface Found {
  readonly path: ReadonlyArray<unknown>
  readonly message: string
  /** The schema that does not have the key. */
  readonly ast?: SchemaAST.AST
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

/** Of a value of another type Effect says the name of the schema it expected, which nobody outside knows. */
const SCHEMA_NAME = /^Expected [A-Z]\w+$/

const exampleIn = ({ annotations, checks }: SchemaAST.AST): unknown =>
  [annotations, ...(checks ?? []).map((check) => check.annotations)]
    .map((one) => one?.["examples"])
    .find((examples) => Array.isArray(examples))?.[0]

/** The form of a value that a schema with a name expects: the fields of an object, an example of a text. */
const formOf = (ast: SchemaAST.AST): string | undefined => {
  switch (ast._tag) {
    case "Objects": {
      const names = ast.propertySignatures.map(({ name }) => String(name))
      const more = names.length > VALUES ? ` and ${names.length - VALUES} more` : ""
      return names.length === 0 ? "Expected an object" : `Expected an object with the fields ${names.slice(0, VALUES).join(", ")}${more}`
    }
    case "Arrays":
      return "Expected an array"
    case "String": {
      const example = exampleIn(ast)
      return example === undefined ? "Expected a string" : `Expected a string such as ${JSON.stringify(example)}`
    }
    case "Number":
      return "Expected a number"
    case "Boolean":
      return "Expected true or false"
    default:
      return undefined
  }
}

/** What is said of a key that the schema does not have: the name that was meant, where one is near. */
const unknownMessage = (key: unknown, ast: SchemaAST.AST): string => {
  const known = ast._tag === "Objects" ? ast.propertySignatures.map(({ name }) => String(name)) : []
  const meant = typeof key === "string" ? similarName(key, known) : undefined
  return meant === undefined ? UNKNOWN : `is not known here; did you mean ${meant}?`
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
    case "UnexpectedKey":
      return [{ path, message: UNKNOWN, ast: issue.ast }]
    case "AnyOf": {
      if (issue.issues.length > 0) return issue.issues.flatMap((inner) => foundIn(inner, path))
      const message = expectedOf(issue)
      if (message !== undefined) return [{ path, message }]
    }
  }
  const ast = issue._tag === "InvalidType" && path.length > 0 ? issue.ast : undefined
  return toIssues(issue).issues.map(({ message, path: inner = [] }) => ({
    path: [...path, ...inner],
    message: ast !== undefined && SCHEMA_NAME.test(message) ? formOf(ast) ?? message : message
  }))
}

/** A parameter of the query that may be repeated, such as `expand[]`, goes by its name, whichever of its values is meant. */
const repeatable = (path: ReadonlyArray<unknown>): ReadonlyArray<unknown> =>
  typeof path[0] === "string" && path[0].endsWith("[]") ? [path[0].slice(0, -2)] : path

const fieldOf = (path: ReadonlyArray<unknown>, place: string): string => {
  const keys = path.map((part) => typeof part === "object" && part !== null && "key" in part ? part.key : part)
  return shownPath(place === "query" ? repeatable(keys) : keys) || place
}

/** What Effect says of a field that is not there, in words for whoever sent the request. */
const readable: Readonly<Record<string, string>> = { "Missing key": MISSING }

/** What is said of a body that is no object. */
const NO_OBJECT = "Expected a JSON object with the fields of this operation; they stand in /openapi.json"

/** At most this many issues are listed; a body can hold thousands. */
const LISTED = 20

/** Each field that is refused, and why. `place` is where the fields stand: `body`, `query`, `params` or `headers`. */
export const fieldIssuesOf = (issue: SchemaIssue.Issue, place: string): ReadonlyArray<FieldIssue> =>
  foundIn(issue).slice(0, LISTED).map(({ ast, message, path }) => ({
    code: fieldOf(path, place),
    message: ast !== undefined
      ? unknownMessage(path.at(-1), ast)
      : readable[message] ?? (place === "body" && path.length === 0 ? message.replace(SCHEMA_NAME, NO_OBJECT) : message)
  }))
