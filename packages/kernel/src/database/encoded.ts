/**
 * The row of a resource and the text of the wire, from its schema. Most fields stand in both as they are in memory, so
 * only the moments are formatted, while the schema's own encoder looks at every field of every object: 8 % of the
 * server's processor time under load, by its profile.
 */
import { DateTime } from "effect"
import type { Schema, SchemaAST } from "effect"
import { Timestamp } from "../values/time.ts"
import type { Row } from "./columns.ts"

/** A resource as it is stored and as it is shown. */
export interface Encoded {
  readonly row: Row
  /** JSON without the columns that are not shown. */
  readonly wire: string
}

/** A `Model.Class`, as far as it matters here. */
interface Shape<R> {
  readonly "Type": R
  readonly fields: Readonly<Record<string, Schema.Top>>
  readonly json: { readonly fields: Readonly<Record<string, Schema.Top>> }
}

type Format = (value: unknown) => unknown

/** An object that nobody else has seen yet. */
type Fresh = Record<string, unknown>

/** Whether encoding leaves a value of this type as it is. */
const isPlain = (ast: SchemaAST.AST): boolean => {
  if (ast.encoding !== undefined) return false
  switch (ast._tag) {
    case "Objects":
      return ast.propertySignatures.every(({ type }) => isPlain(type)) &&
        ast.indexSignatures.every(({ parameter, type }) => isPlain(parameter) && isPlain(type))
    case "Arrays":
      return [...ast.elements, ...ast.rest].every(isPlain)
    case "Union":
      return ast.types.every(isPlain)
    case "Suspend":
      return false
    default:
      return true
  }
}

const formatMoment: Format = (value) => DateTime.isDateTime(value) ? DateTime.formatIso(value) : value

/** Formats the fields of an object in place. */
const formatFields = (fields: Iterable<readonly [name: string, ast: SchemaAST.AST]>): (fresh: Fresh) => Fresh => {
  const moving = Array.from(fields).flatMap(([name, ast]) => {
    const format = formatOf(ast, name)
    return format === undefined ? [] : [[name, format] as const]
  })
  return (fresh) => {
    for (const [name, format] of moving) {
      const value = fresh[name]
      // What is left out stays so.
      if (value !== undefined) fresh[name] = format(value)
    }
    return fresh
  }
}

/** The schema that alone decides how a union with null, or a list, is formatted. */
const memberOf = (ast: SchemaAST.AST): SchemaAST.AST | undefined => {
  if (ast.encoding !== undefined) return undefined
  const [only, ...others] = ast._tag === "Union"
    ? ast.types.filter(({ _tag }) => _tag !== "Null")
    : ast._tag === "Arrays" && ast.elements.length === 0
    ? ast.rest
    : []
  return others.length === 0 ? only : undefined
}

/** How a field is formatted; undefined when it stays as it is. */
const formatOf = (ast: SchemaAST.AST, name: string): Format | undefined => {
  if (ast === Timestamp.ast) return formatMoment
  if (isPlain(ast)) return undefined
  if (ast.encoding === undefined && ast._tag === "Objects" && ast.indexSignatures.length === 0) {
    const format = formatFields(ast.propertySignatures.map(({ name: property, type }) => [String(property), type]))
    return (value) => typeof value === "object" ? format({ ...value }) : value
  }
  const member = memberOf(ast)
  const format = member === undefined ? undefined : formatOf(member, name)
  if (format === undefined) {
    throw new TypeError(`${name} is encoded in a way that only its schema knows; use Schema.encodeSync for this model`)
  }
  return ast._tag === "Union"
    ? (value) => value === null ? null : format(value)
    : (value) => Array.isArray(value) ? value.map(format) : value
}

/**
 * Makes the encoder of a model, once. Throws a TypeError for a model that needs more than its moments formatted.
 * A property of each model holds its encoder to `Schema.encodeSync`.
 */
export const encoderOf = <R extends { readonly id: string; readonly version: number }>(model: Shape<R>): (resource: R) => Encoded => {
  const format = formatFields(Object.entries(model.fields).map(([name, { ast }]) => [name, ast]))
  const hidden = Object.keys(model.fields).filter((column) => !Object.hasOwn(model.json.fields, column))
  // The text names the fields in the order of the model, in whatever order a rule wrote them.
  const inOrder: Fresh = Object.fromEntries(Object.keys(model.fields).map((column) => [column, undefined]))
  return (resource) => {
    const row = { ...inOrder, ...resource, id: resource.id, version: resource.version }
    format(row)
    const shown: Fresh = { ...row }
    // JSON leaves out what is undefined. An object with deleted properties is written at half the speed.
    for (const column of hidden) shown[column] = undefined
    return { row, wire: JSON.stringify(shown) }
  }
}

/**
 * The same encoder, which answers at once when it is asked for the same value again. The last value and its encoding are all that it keeps:
 * a private field of the value would make V8 store a large resource as a dictionary, and a WeakMap would keep every one until a full
 * collection.
 */
export const rememberingLast = <R extends object>(encode: (resource: R) => Encoded): (resource: R) => Encoded => {
  let last: { readonly resource: R; readonly encoded: Encoded } | undefined
  return (resource) => {
    if (last?.resource !== resource) last = { resource, encoded: encode(resource) }
    return last.encoded
  }
}
