/** What a body of JSON-RPC has to be answered with, read from its bytes alone: JSON-RPC 2.0, sections 4 to 6. */
import { doubledName, parseJson } from "@svc/kernel/values/json"
import { isRecord } from "@svc/kernel/values/record"
import { isUtf8 } from "node:buffer"

export type Id = string | number | null

export interface Expected {
  /** One for each answer that is due. */
  readonly ids: ReadonlyArray<Id>
  /** The body as a whole cannot be read, and is refused once, without an id. */
  readonly unreadable: boolean
  readonly isBatch: boolean
}

/** What can be given back as it came: half of a surrogate pair and numbers that are read as others can not. */
const isId = (value: unknown): value is Id =>
  value === null || (typeof value === "string" && value.isWellFormed()) ||
  (typeof value === "number" && Math.abs(value) <= Number.MAX_SAFE_INTEGER)

/** Parameters that are `null` or `[]` are none. */
const isNothing = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0)

/** The ids to answer for one message: none for a notification and for an answer. */
const dueTo = (value: unknown): ReadonlyArray<Id> => {
  if (!isRecord(value)) return [null]
  const { id } = value
  const hasId = Object.hasOwn(value, "id")
  const refusal = [hasId && isId(id) ? id : null]
  if (value["jsonrpc"] !== "2.0" || (hasId && !isId(id))) return refusal
  if (typeof value["method"] === "string") {
    const params = Object.hasOwn(value, "params") ? value["params"] : {}
    return isRecord(params) || isNothing(params) ? (hasId && isId(id) ? [id] : []) : refusal
  }
  const answers = (value["result"] !== undefined) !== (value["error"] !== undefined)
  const { error } = value
  const isWhole = error === undefined ||
    (isRecord(error) && typeof error["code"] === "number" && Number.isFinite(error["code"]) && typeof error["message"] === "string")
  return hasId && !Object.hasOwn(value, "method") && answers && isWhole ? [] : refusal
}

const unreadable: Expected = { ids: [null], unreadable: true, isBatch: false }

const parse = (bytes: Buffer): { readonly value: unknown } | undefined => {
  try {
    return isUtf8(bytes) ? { value: parseJson(bytes.toString("utf8")) } : undefined
  } catch {
    return undefined
  }
}

/** Levels of nesting that are read. */
const DEEPEST = 64

const depthOf = (value: unknown): number => {
  let depth = -1
  for (let level: ReadonlyArray<unknown> = [value]; level.length > 0; depth++) {
    level = level.flatMap((one) => typeof one === "object" && one !== null ? Object.values(one) : [])
  }
  return depth
}

/** Whether a name stands twice in one object; of a text that nests too deeply to be looked at, undefined. */
const isDoubled = (bytes: Buffer, value: unknown): boolean | undefined => {
  try {
    return doubledName(bytes.toString("utf8"), value) !== undefined
  } catch {
    return undefined
  }
}

export const expectedOf = (bytes: Buffer): Expected => {
  const parsed = parse(bytes)
  if (parsed === undefined || depthOf(parsed.value) > DEEPEST) return unreadable
  const { value } = parsed
  const doubled = isDoubled(bytes, value)
  if (doubled === undefined) return unreadable
  // Readers differ on which value counts: the body is refused as a whole, with the id of the one message it holds.
  if (doubled) {
    return { ids: [isRecord(value) && isId(value["id"]) ? value["id"] : null], unreadable: false, isBatch: false }
  }
  if (!Array.isArray(value)) return { ids: dueTo(value), unreadable: false, isBatch: false }
  return value.length === 0 ? { ...unreadable, isBatch: true } : { ids: value.flatMap(dueTo), unreadable: false, isBatch: true }
}
