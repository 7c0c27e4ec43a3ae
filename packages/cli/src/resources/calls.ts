/** The call that a command line comes to: flags for what an endpoint takes, and the request that was typed with them. */
import { type EndpointFacts, factsOf } from "@svc/desk/api/endpoints"
import { honoursKey } from "@svc/kernel/http/kept-answers"
import { fromJsonText } from "@svc/kernel/values/json-codec"
import { Effect, FileSystem, Option, Schema, Stdio, Stream } from "effect"
import { Flag } from "effect/cli"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { CalledWrongly } from "../failure.ts"
import { typed, type Verb } from "./contract.ts"
import { type Body, bodyOf, fieldsOf, flagsOf, type Given, queryOf } from "./flags.ts"
import { type Call, newKey, type Upload } from "./request.ts"

/** Types of files that an endpoint takes in the place of JSON. */
const uploadsOf = ({ payload }: HttpApiEndpoint.Top): ReadonlyArray<string> =>
  Array.from(payload, ([type, { encoding }]) => encoding._tag === "Stream" ? [type] : []).flat()

export const isList = ({ method, query }: EndpointFacts): boolean => method === "GET" && Object.hasOwn(query, "per_page")

export const DEFAULT_ROWS = 20

/** The flags that an endpoint has for what it is. */
const ownFlags = (facts: EndpointFacts, endpoint: HttpApiEndpoint.Top, uploads: ReadonlyArray<string>) => {
  const flags = new Map<string, Flag.Flag<unknown>>()
  if (Object.keys(facts.body).length > 0) {
    const words = "The body as JSON: @file.json, - for standard input, or the JSON itself. Flags win over it"
    flags.set("data", Flag.withDescription(Flag.String("data"), words))
  }
  if (uploads.length > 0) {
    flags.set("file", Flag.withDescription(Flag.File("file", { mustExist: true }), `The file to send: ${uploads.join(", ")}`))
  }
  if (honoursKey(endpoint)) {
    const words = "The key of this act; a new one unless given, which a failure prints"
    flags.set("idempotency-key", Flag.withDescription(Flag.String("idempotency-key"), words))
  }
  if (facts.readsVersion) {
    flags.set("if-match", Flag.withDescription(Flag.Int("if-match"), "Act only while the resource is at this version"))
  }
  if (isList(facts)) {
    const limit = Flag.withSchema(Flag.Int("limit"), Schema.Int.check(Schema.isGreaterThan(0)))
    flags.set("limit", Flag.withDescription(limit, `How many rows at most; ${DEFAULT_ROWS} unless given`))
    flags.set("all", Flag.withDescription(Flag.Boolean("all"), "All rows"))
  } else if (facts.method === "GET") {
    flags.set("output", Flag.withDescription(Flag.String("output"), "Write the answer to this file"))
  }
  return Object.fromEntries(Array.from(flags, ([name, flag]) => [name, Flag.optional(flag)]))
}

type OwnFlag = "all" | "data" | "file" | "idempotency-key" | "if-match" | "limit" | "output"
type Flags = Readonly<Record<string, Given>>

export const textOf = (flags: Flags, name: OwnFlag): string | undefined => {
  const value = Option.getOrUndefined(flags[name] ?? Option.none())
  return typeof value === "string" ? value : undefined
}

export const numberOf = (flags: Flags, name: OwnFlag): number | undefined => {
  const value = Option.getOrUndefined(flags[name] ?? Option.none())
  return typeof value === "number" ? value : undefined
}

const decodeBody = Schema.decodeEffect(fromJsonText(Schema.Record(Schema.String, Schema.Unknown)))

/** The body of `--data`. */
const readData = Effect.fnUntraced(function*(data: string | undefined) {
  if (data === undefined) return undefined
  const wrong = (message: string) => () => new CalledWrongly({ message })
  const [fs, stdio] = [yield* FileSystem.FileSystem, yield* Stdio.Stdio]
  const text = yield* data === "-"
    ? Effect.mapError(Stream.mkString(Stream.decodeText(stdio.stdin)), wrong("Standard input cannot be read."))
    : data.startsWith("@")
    ? Effect.mapError(fs.readFileString(data.slice(1)), wrong(`Cannot read ${data.slice(1)}.`))
    : Effect.succeed(data)
  return yield* Effect.mapError(decodeBody(text), wrong("--data is no JSON object. Give one, @file.json, or - for standard input."))
})

/** What files of a type are called. */
const typeOf = (file: string, uploads: ReadonlyArray<string>): string | undefined => {
  const ending = (/\.(\w+)$/u.exec(file)?.[1] ?? "").toLowerCase().replace("jpg", "jpeg")
  return uploads.length === 1 ? uploads[0] : uploads.find((type) => type.endsWith(`/${ending}`))
}

const readUpload = Effect.fnUntraced(function*(file: string | undefined, uploads: ReadonlyArray<string>, hasBody: boolean) {
  if (file === undefined) {
    if (uploads.length === 0 || hasBody) return undefined
    return yield* new CalledWrongly({ message: `Name the file to send with --file: ${uploads.join(", ")}.` })
  }
  const contentType = typeOf(file, uploads)
  if (contentType === undefined) return yield* new CalledWrongly({ message: `${file} is none of ${uploads.join(", ")} by its name.` })
  return { file, contentType } satisfies Upload
})

/** What is required and was not given; undefined where all of it was. */
const missingIn = ({ required }: EndpointFacts, body: Body): CalledWrongly | undefined => {
  const missing = required.filter((name) => name !== "idempotency_key" && body[name] === undefined)
  const flags = missing.map((name) => `--${typed(name)}`).join(", ")
  return missing.length === 0 ? undefined : new CalledWrongly({ message: `Missing: ${flags}. Give each as a flag, or in --data.` })
}

/** What was typed: of the fields of query and body, and of the flags that an endpoint has for what it is. */
interface Typed {
  readonly fields: Flags
  readonly own: Flags
}

const fileName = (path: string): string => path.split(/[/\\]/u).at(-1) ?? path

/** The flags of an endpoint, and the call that they come to. */
export const callOf = ({ endpoint }: Verb) => {
  const facts = factsOf(endpoint)
  const uploads = uploadsOf(endpoint)
  const query = fieldsOf(facts.query, [], isList(facts) ? ["per_page"] : [])
  const body = fieldsOf(facts.body, facts.required, ["idempotency_key"])
  const hasBody = Object.keys(facts.body).length > 0
  const takesName = Object.hasOwn(facts.query, "filename")
  const isKeyed = honoursKey(endpoint)

  /** A field of both is a parameter beside a file, and else of the body. */
  const parametersOf = ({ fields }: Typed, upload: Upload | undefined): ReadonlyArray<readonly [string, string]> => {
    if (upload === undefined) return queryOf(query.filter(({ name }) => !body.some((field) => field.name === name)), fields)
    const given = queryOf(query, fields)
    const isNamed = !takesName || given.some(([name]) => name === "filename")
    return isNamed ? given : [...given, ["filename", fileName(upload.file)]]
  }

  const read = Effect.fnUntraced(function*(path: string, given: Typed) {
    const upload = yield* readUpload(textOf(given.own, "file"), uploads, hasBody)
    const { idempotency_key: named, ...sent } = bodyOf(body, given.fields, (yield* readData(textOf(given.own, "data"))) ?? {})
    const missing = upload === undefined ? missingIn(facts, sent) : undefined
    if (missing !== undefined) return yield* missing
    const key = textOf(given.own, "idempotency-key") ?? (typeof named === "string" ? named : yield* newKey)
    const version = numberOf(given.own, "if-match")
    const call: Call = {
      method: facts.method,
      path,
      query: parametersOf(given, upload),
      headers: {
        ...isKeyed ? { "idempotency-key": key } : {},
        ...version === undefined ? {} : { "if-match": `"${version}"` }
      },
      ...upload !== undefined ? { upload } : hasBody ? { body: sent } : {}
    }
    return call
  })
  return { facts, read, fields: flagsOf([...query, ...body]), own: ownFlags(facts, endpoint, uploads) }
}
