/** The verbs of a file: kept once, read again. */
import { AccountId } from "@svc/accounts/accounts/model"
import { InvalidState, type NotFound, notFound, type PayloadTooLarge, ValidationError } from "@svc/kernel/errors"
import { collected, makeTurns } from "@svc/kernel/http/uploads"
import { nextId } from "@svc/kernel/ids"
import type { Page, PageRequest } from "@svc/kernel/pages"
import { now } from "@svc/kernel/time"
import { Context, Effect, Layer, Semaphore, type Stream } from "effect"
import { createHash } from "node:crypto"
import { File, type FileContentType, FileId, type FilePurpose, MOST_BYTES, MOST_FILES } from "./model.ts"
import { FileRepository } from "./repository.ts"
import { mismatch } from "./rules.ts"

/** Uploads that are in memory at one time. The others wait, unread. */
const TOGETHER = 4

export interface Upload {
  readonly account: string
  readonly purpose: FilePurpose
  readonly filename: string | null
  readonly content_type: FileContentType
  readonly body: Stream.Stream<Uint8Array, unknown>
}

const unfit = (why: string) => new ValidationError({ code: "body", message: `body: ${why}` })

const tooMany = () => new InvalidState({ message: `This account has ${MOST_FILES} files, which is as many as it may have. Use one that is there.`, details: { limit: MOST_FILES } })

export class Files extends Context.Service<Files, {
  /** Keeps what is uploaded. The same bytes for the same purpose are one file: uploaded again, that one is the answer. */
  readonly upload: (upload: Upload) => Effect.Effect<File, ValidationError | PayloadTooLarge | InvalidState>
  readonly get: (account: string, id: string) => Effect.Effect<File, NotFound>
  /** Those of the ids that are files of the account. */
  readonly those: (account: string, ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<File>>
  readonly content: (account: string, id: string) => Effect.Effect<{ readonly file: File; readonly bytes: Uint8Array }, NotFound>
  readonly list: (account: string, filter: { readonly purpose?: FilePurpose }, page: PageRequest) => Effect.Effect<Page<File>>
}>()("@svc/payments/Files") {
  static readonly layer = Layer.effect(Files, Effect.gen(function*() {
    const repository = yield* FileRepository
    const room = yield* Semaphore.make(TOGETHER)
    const inTurn = makeTurns()

    const get = Effect.fn("Files.get")(function*(account: string, id: string) {
      return (yield* repository.find(account, id)) ?? (yield* notFound("file"))
    })

    const upload = Effect.fn("Files.upload")(function*({ account, body, content_type, filename, purpose }: Upload) {
      const bytes = yield* collected(body, MOST_BYTES)
      const why = mismatch(bytes, content_type)
      if (why !== undefined) return yield* unfit(why)
      if ((yield* repository.count(account)) >= MOST_FILES) return yield* tooMany()
      const sha256 = createHash("sha256").update(bytes).digest("hex")
      const file = new File({ id: FileId.make(yield* nextId("file")), merchant_id: AccountId.make(account), purpose, filename, content_type, size: bytes.length, sha256, created_at: yield* now })
      return yield* repository.keep(file, bytes)
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
  }))
}
