/**
 * What a version of the API changed of a resource, declared beside it. The service knows the newest shape alone; who speaks an older
 * version is read and answered by these, one step each, from the newest to the one asked for. A resource is known by the prefix of its id,
 * wherever in an answer it stands: alone, in a list, expanded, in an event. What needs no change is never looked at. See
 * docs/decisions/0048.
 */
import { Context, Option, Predicate, Result, Schema, SchemaAST, SchemaIssue, SchemaTransformation } from "effect"
import { refusedFields } from "../http/refused-fields.ts"
import { shownPath } from "../http/shown-path.ts"
import { Reference } from "../values/reference.ts"
import type { ValidationError } from "./errors.ts"

type Fields = Readonly<Record<string, unknown>>

export interface VersionChange {
  /** The version that brought it; those before do not know it. */
  readonly version: string
  /** How ids of the resource begin, such as `note`. */
  readonly prefix: string
  /** The name of its schema in the document. */
  readonly schema: string
  /** The operations whose bodies hold the same fields, such as `notes.create`. */
  readonly requests: ReadonlyArray<string>
  /** The fields concerned, as versions before have them, and as they are since. */
  readonly older: Schema.Top
  readonly newer: Schema.Top
  readonly olderKeys: ReadonlyArray<string>
  readonly newerKeys: ReadonlyArray<string>
  /** Nothing where the fields are not of the newer shape, as in an answer that was stored before. */
  readonly toOlder: (fields: Fields) => Option.Option<Fields>
  readonly toNewer: (fields: Fields) => Result.Result<Fields, ValidationError>
}

/** Of this service, newest first. The server finds them at the groups; a test may add some. */
export class VersionChanges extends Reference<ReadonlyArray<VersionChange>>("@svc/kernel/VersionChanges", { defaultValue: () => [] }) {}

/** Annotates a group with what versions changed of its resource. */
export class Changes extends Context.Service<Changes, ReadonlyArray<VersionChange>>()("@svc/kernel/Changes") {}

const keysOf = ({ ast }: Schema.Top): ReadonlyArray<string> =>
  SchemaAST.isObjects(ast) ? ast.propertySignatures.map(({ name }) => String(name)) : []

const formatted = SchemaIssue.makeFormatterStandardSchemaV1()

/** Declares a change. Only the fields concerned are named, as they are in JSON; each may be left out, as in requests. */
export const versionChange = <Older extends Fields, Newer extends Fields>({ newer, older, toNewer, toOlder, ...rest }:
  & Pick<VersionChange, "version" | "prefix" | "schema" | "requests">
  & {
    readonly older: Schema.Codec<Older>
    readonly newer: Schema.Codec<Newer>
    readonly toNewer: (fields: Older) => Newer
    readonly toOlder: (fields: Newer) => Older
  }): VersionChange =>
{
  const codec = older.pipe(Schema.decodeTo(newer, SchemaTransformation.transform({ decode: toNewer, encode: toOlder })))
  const decode = Schema.decodeUnknownResult(codec)
  const encode = Schema.encodeUnknownOption(codec)
  const [olderKeys, newerKeys] = [keysOf(older), keysOf(newer)]
  return {
    ...rest,
    older,
    newer,
    olderKeys,
    newerKeys,
    toOlder: (fields) => Option.map(encode(fields), (found): Fields => ({ ...found })),
    toNewer: (fields) =>
      Result.mapBoth(decode(fields), {
        onSuccess: (found): Fields => ({ ...found }),
        onFailure: ({ issue }) => {
          const [first] = formatted(issue).issues.map(({ message, path = [] }) => ({
            code: shownPath(path.map((part) => typeof part === "object" ? part.key : part)) || "body",
            message
          }))
          return refusedFields("body", [first ?? { code: "body", message: "is not valid" }])
        }
      })
  }
}

/** The changes that `version` does not know, newest first. */
export const since = (changes: ReadonlyArray<VersionChange>, version: string): ReadonlyArray<VersionChange> =>
  changes.filter((change) => change.version > version).toSorted((one, other) => other.version.localeCompare(one.version))

const pick = (fields: Fields, keys: ReadonlyArray<string>): Fields =>
  Object.fromEntries(keys.filter((key) => key in fields).map((key) => [key, fields[key]]))

/** The object with some of its fields replaced by others, which stand where the first of them stood. */
const replaced = (fields: Fields, keys: ReadonlyArray<string>, by: Fields): Fields => {
  const first = Object.keys(fields).find((key) => keys.includes(key))
  return Object.fromEntries(
    Object.entries(fields).flatMap(([key, value]) => key === first ? Object.entries(by) : keys.includes(key) ? [] : [[key, value]])
  )
}

const stepDown = (fields: Fields, { newerKeys, toOlder }: VersionChange): Fields => {
  if (!newerKeys.some((key) => key in fields)) return fields
  return Option.match(toOlder(pick(fields, newerKeys)), { onNone: () => fields, onSome: (older) => replaced(fields, newerKeys, older) })
}

/** An event says itself in which version it was written, and stays as it is. */
const saysItself = (fields: Fields): boolean => "api_version" in fields && "data" in fields

/** Whether a JSON text can hold something that changed: what holds no id of such a resource need not be read. */
export const concerns = (changes: ReadonlyArray<VersionChange>, text: string): boolean =>
  changes.some(({ prefix }) => text.includes(`"${prefix}_`))

/** A JSON value as `version` has it. `changes` are those since then. */
export const downgrade = (changes: ReadonlyArray<VersionChange>): (value: unknown) => unknown => {
  const byPrefix = Map.groupBy(changes, ({ prefix }) => prefix)
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk)
    if (!Predicate.isObject(value)) return value
    const fields: Fields = { ...value }
    if (saysItself(fields)) return value
    const inside = Object.fromEntries(Object.entries(fields).map(([key, inner]) => [key, walk(inner)]))
    const { id } = fields
    const steps = typeof id === "string" ? byPrefix.get(id.slice(0, id.indexOf("_"))) ?? [] : []
    return steps.reduce(stepDown, inside)
  }
  return walk
}

/** A body as it is since the newest version, from one as an older version has it. Fails with the field that does not fit that version. */
export const upgrade = (
  changes: ReadonlyArray<VersionChange>,
  operation: string,
  body: unknown
): Result.Result<unknown, ValidationError> => {
  if (!Predicate.isObject(body)) return Result.succeed(body)
  let fields: Fields = { ...body }
  for (const { newerKeys, olderKeys, requests, toNewer } of changes.toReversed()) {
    if (!requests.includes(operation)) continue
    const unknown = newerKeys.find((key) => key in fields && !olderKeys.includes(key))
    if (unknown !== undefined) {
      return Result.fail(
        refusedFields("body", [{
          code: unknown,
          message: "is not known in the version of this request; check its spelling, or send a newer API-Version"
        }])
      )
    }
    if (!olderKeys.some((key) => key in fields)) continue
    const newer = toNewer(pick(fields, olderKeys))
    if (Result.isFailure(newer)) return Result.fail(newer.failure)
    fields = replaced(fields, olderKeys, newer.success)
  }
  return Result.succeed(fields)
}

/** The name of a field of the newest version as an older one has it: a refusal names what was sent. */
export const downgradeField = (changes: ReadonlyArray<VersionChange>, operation: string, field: string): string =>
  changes.filter(({ requests }) => requests.includes(operation)).reduce((name, { newerKeys, olderKeys }) => {
    const [older, ...others] = olderKeys
    return older !== undefined && others.length === 0 && newerKeys.includes(name.split(".")[0] ?? "") ? older : name
  }, field)
