/** The verbs of a file: kept once, read again. */
import { AccountId } from "@svc/accounts/accounts/model"
import { makeGiveWay } from "@svc/kernel/http/giving-way"
import { collected, makeTurns } from "@svc/kernel/http/uploads"
import { InvalidState, type NotFound, notFound, type PayloadTooLarge, ValidationError } from "@svc/kernel/resource/errors"
import type { Page, PageRequest } from "@svc/kernel/resource/pages"
import { nextId } from "@svc/kernel/values/ids"
import { now } from "@svc/kernel/values/time"
import { Context, Effect, Layer, Semaphore, type Stream } from "effect"
import { createHash } from "node:crypto"
import { type File, type FileContentType, FileId, type FilePurpose, MOST_BYTES, MOST_FILES } from "./model.ts"
import { FileRepository } from "./repository.ts"
import { mismatch } from "./rules.ts"

/** Uploads that are in memory at one time. The others wait, unread. */
const TOGETHER = 4

/** Uploads that are hashed and written at one time. A megabyte takes this thread and the database some 20 ms. */
const KEPT_AT_ONCE = 1
/** Bytes that are hashed before others get their turn: some 1 ms. */
const SLICE = 512 * 1024

export interface FileUpload {
  readonly account: string
  readonly purpose: FilePurpose
  readonly filename: string | null
  readonly content_type: FileContentType
  readonly body: Stream.Stream<Uint8Array, unknown>
}

const unfit = (why: string) => new ValidationError({ code: "body", message: `body: ${why}` })

const tooMany = () =>
  new InvalidState({
    message: `This account has ${MOST_FILES} files, which is as many as it may have. Use one that is there.`,
    details: { limit: MOST_FILES }
  })

export class Files extends Context.Service<Files, {
  /** Keeps what is uploaded. The same bytes for the same purpose are one file: uploaded again, that one is the answer. */
  readonly upload: (upload: FileUpload) => Effect.Effect<File, ValidationError | PayloadTooLarge | InvalidState>
  readonly get: (account: string, id: string) => Effect.Effect<File, NotFound>
  /** The ids among these that are files of the account. */
  readonly those: (account: string, ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<File>>
  readonly content: (account: string, id: string) => Effect.Effect<{ readonly file: File; readonly bytes: Uint8Array }, NotFound>
  readonly list: (account: string, filter: { readonly purpose?: FilePurpose }, page: PageRequest) => Effect.Effect<Page<File>>
}>()("@svc/payments/Files") {
  static readonly layer = Layer.effect(
    Files,
    Effect.gen(function*() {
      const repository = yield* FileRepository
      const room = yield* Semaphore.make(TOGETHER)
      const keeping = yield* Semaphore.make(KEPT_AT_ONCE)
      const inTurn = makeTurns()

      const digestOf = Effect.fnUntraced(function*(bytes: Uint8Array) {
        const hash = createHash("sha256")
        const giveWay = makeGiveWay()
        for (let at = 0; at < bytes.length; at += SLICE) {
          hash.update(bytes.subarray(at, at + SLICE))
          yield* giveWay
        }
        return hash.digest("hex")
      })

      const keep = Effect.fnUntraced(function*({ account, content_type, filename, purpose }: FileUpload, bytes: Uint8Array) {
        if ((yield* repository.count(account)) >= MOST_FILES) return yield* tooMany()
        const file: File = {
          id: FileId.make(yield* nextId("file")),
          merchant_id: AccountId.make(account),
          purpose,
          filename,
          content_type,
          size: bytes.length,
          sha256: yield* digestOf(bytes),
          created_at: yield* now
        }
        return yield* repository.keep(file, bytes)
      }, (effect) => keeping.withPermit(effect))

      const get = Effect.fn("Files.get")(function*(account: string, id: string) {
        return (yield* repository.find(account, id)) ?? (yield* notFound("file"))
      })

      const upload = Effect.fn("Files.upload")(function*(asked: FileUpload) {
        const bytes = yield* collected(asked.body, MOST_BYTES)
        const why = mismatch(bytes, asked.content_type)
        if (why !== undefined) return yield* unfit(why)
        return yield* keep(asked, bytes)
      })

      return Files.of({
        upload: (asked) => inTurn(asked.account, room.withPermit(upload(asked))),
        get,
        those: (account, ids) => ids.length === 0 ? Effect.succeed([]) : repository.findAll(account, ids),
        content: Effect.fn("Files.content")(function*(account: string, id: string) {
          const file = yield* get(account, id)
          return { file, bytes: (yield* repository.content(account, id)) ?? (yield* notFound("file")) }
        }),
        list: Effect.fn("Files.list")(repository.list)
      })
    })
  )
}
