/** Reads requests of pages: forms, queries, and whether a form is our own. */
import { collected } from "@svc/kernel/http/uploads"
import { ByteSize, Effect, Option, Stream } from "effect"
import { type HttpServerRequest, Multipart } from "effect/http"

type Request = HttpServerRequest.HttpServerRequest

/** The longest form. */
const MAX_BYTES = 64 * 1024

/** A file that comes with a form: its bytes are taken while they come, once. */
export interface SentFile {
  readonly name: string
  readonly type: string
  readonly bytes: Stream.Stream<Uint8Array, unknown>
}

/** The same with its bytes in memory. */
export interface HeldFile extends Omit<SentFile, "bytes"> {
  readonly bytes: Uint8Array
}

export interface HeldForm {
  readonly fields: Readonly<Record<string, string>>
  readonly files: ReadonlyArray<HeldFile>
}

/** A form as far as it was read: up to its first file. */
export interface SentForm {
  readonly fields: Readonly<Record<string, string>>
  readonly file?: SentFile
  /** The whole of it, in memory; nothing where it is too large for that. */
  readonly held: Effect.Effect<HeldForm>
}

/** Of a name that stands more than once, as of several choices, all values: one a line. */
const fieldsOf = (pairs: Iterable<readonly [name: string, value: string]>): Readonly<Record<string, string>> => {
  const fields = new Map<string, string>()
  for (const [name, value] of pairs) {
    const before = fields.get(name)
    fields.set(name, before === undefined ? value : `${before}\n${value}`)
  }
  return Object.fromEntries(fields)
}

/** The fields of a form; none where it is too long or no form. */
export const readForm = Effect.fnUntraced(function*(request: Request) {
  if (Number(request.headers["content-length"] ?? Number.NaN) > MAX_BYTES) return {}
  const text = Option.getOrElse(yield* Effect.option(request.text), () => "")
  return fieldsOf(new URLSearchParams(text))
})

/** The longest upload that is passed on; how long each may be says the route that takes it. */
const limits = Multipart.limitsServices({ maxParts: 40, maxFieldSize: ByteSize.kibibytes(64), maxTotalSize: ByteSize.mebibytes(260) })

/** The longest form that is held in memory. */
const MOST_HELD = 32 * 1024 * 1024

const emptyForm: HeldForm = { fields: {}, files: [] }

/** The parts of a form, one after another: the bytes of a file come before the part that follows it. */
const partsOf = Effect.fnUntraced(function*(request: Request) {
  const pull = yield* Stream.toPull(Stream.rechunk(request.multipartStream, 1))
  return Effect.map(Effect.option(pull), Option.map(([part]) => part))
})

const fileOf = ({ content, contentType, name }: Multipart.File): SentFile => ({ name, type: contentType, bytes: content })

/** The fields of a form up to its file, whose bytes have not come yet. An input without a file sends one without a name. */
const readUpload = Effect.fnUntraced(function*(request: Request) {
  const next = yield* partsOf(request)
  const pairs: Array<readonly [string, string]> = []
  const upTo = Effect.gen(function*() {
    for (;;) {
      const part = Option.getOrUndefined(yield* next)
      if (part === undefined) return undefined
      if (part._tag === "Field") pairs.push([part.key, part.value])
      else if (part.name !== "") return fileOf(part)
      else yield* Effect.ignore(Stream.runDrain(part.content))
    }
  })
  const first = yield* upTo
  const held = Effect.gen(function*() {
    const files: Array<HeldFile> = []
    let [file, left] = [first, MOST_HELD]
    while (file !== undefined) {
      const bytes = yield* collected(file.bytes, left)
      left -= bytes.length
      files.push({ name: file.name, type: file.type, bytes })
      file = yield* upTo
    }
    return { fields: fieldsOf(pairs), files }
  }).pipe(Effect.orElseSucceed(() => emptyForm))
  const form: SentForm = { fields: fieldsOf(pairs), held, ...first === undefined ? {} : { file: first } }
  return form
}, Effect.provideContext(limits))

/** What a form sends, with or without a file. */
export const readSent = (request: Request) =>
  request.headers["content-type"]?.startsWith("multipart/form-data") === true
    ? readUpload(request)
    : Effect.map(readForm(request), (fields): SentForm => ({ fields, held: Effect.succeed({ fields, files: [] }) }))

/** What a request without a form sends. */
export const noForm: SentForm = { fields: {}, held: Effect.succeed(emptyForm) }

export const queryOf = ({ url }: Pick<Request, "url">): Readonly<Record<string, string>> =>
  Object.fromEntries(new URL(url, "http://localhost").searchParams)

/** Whether a form was sent by a page of this server, by what the browser says of its origin. */
export const isOwn = ({ headers }: Pick<Request, "headers">): boolean => {
  const site = headers["sec-fetch-site"]
  if (site !== undefined) return site === "same-origin"
  const origin = headers["origin"]
  return origin !== undefined && URL.canParse(origin) && new URL(origin).host === headers["host"]
}

/** Whether a link of another site led here: then a browser sends no strict cookie. */
export const isFromElsewhere = ({ headers }: Pick<Request, "headers">): boolean => headers["sec-fetch-site"] === "cross-site"

/** The path and query of a request. */
export const pathOf = ({ url }: Pick<Request, "url">): string => {
  const { pathname, search } = new URL(url, "http://localhost")
  return `${pathname}${search}`
}
