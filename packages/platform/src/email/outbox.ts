/**
 * The outbox of a local start: emails that go nowhere, each a file that any mail program opens. The names sort by time, and only the
 * newest are kept.
 */
import { idPattern } from "@svc/kernel/values/ids"
import { Effect, FileSystem, Path, type PlatformError } from "effect"
import type { SendMailOptions } from "nodemailer"
import { type Letter, readLetter } from "./letter.ts"
import { senderOf } from "./message.ts"
import { type EmailReceipt, emailUnavailable } from "./model.ts"

/** Emails that are kept; older ones are removed as others come. */
export const KEPT = 500

const NAME = idPattern("eml")
const ENDING = ".eml"
const isLetter = (file: string): boolean => file.endsWith(ENDING) && NAME.test(file.slice(0, -ENDING.length))

/** The folder below `DATA_DIR`. */
export const outboxIn = (dataDir: string): string => `${dataDir}/outbox`

/** The bytes of an email as a mail server would get it, and with those in it who get a blind copy. */
const bytesOf = (message: SendMailOptions): Effect.Effect<Buffer> =>
  Effect.orDie(Effect.tryPromise(async () => {
    // Loaded with the first email.
    const { default: MailComposer } = await import("nodemailer/lib/mail-composer")
    const compiled = new MailComposer(message).compile()
    compiled.keepBcc = true
    return compiled.build()
  }))

/** Puts emails into the folder. A file is there whole or not at all. */
export const makeOutbox = Effect.fnUntraced(function*(folder: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path

  const put = Effect.fnUntraced(function*(name: string, bytes: Uint8Array) {
    // Only a user that may read the service's data may read its emails.
    yield* fs.makeDirectory(folder, { recursive: true, mode: 0o700 })
    const draft = path.join(folder, `${name}.new`)
    yield* fs.writeFile(draft, bytes, { mode: 0o600 })
    yield* fs.rename(draft, path.join(folder, `${name}${ENDING}`))
    const old = (yield* fs.readDirectory(folder)).filter(isLetter).sort().slice(0, -KEPT)
    // Another process may have removed the same ones.
    yield* Effect.forEach(old, (file) => fs.remove(path.join(folder, file), { force: true }), { discard: true })
  })

  /** `name` is an id of the kind `eml`. */
  return Effect.fnUntraced(function*(name: string, message: SendMailOptions, recipients: ReadonlyArray<string>) {
    yield* Effect.catch(
      Effect.flatMap(bytesOf(message), (bytes) => put(name, bytes)),
      (error) =>
        Effect.andThen(
          Effect.logError("the outbox cannot be written", error),
          emailUnavailable("the outbox below DATA_DIR cannot be written")
        )
    )
    return { from: senderOf(message), message_id: String(message.messageId), accepted: recipients, rejected: [] } satisfies EmailReceipt
  })
})

/** An email of the outbox, by the name of its file without the ending. */
export interface OutboxLetter extends Letter {
  readonly name: string
  readonly file: string
}

const open = Effect.fnUntraced(function*(folder: string, file: string) {
  const fs = yield* FileSystem.FileSystem
  const place = (yield* Path.Path).join(folder, file)
  return { name: file.slice(0, -ENDING.length), file: place, ...readLetter(yield* fs.readFile(place)) } satisfies OutboxLetter
})

const isAbsent = (error: PlatformError.PlatformError): boolean => error.reason._tag === "NotFound"
const ifAbsent = <B>(otherwise: B) => <A, R>(effect: Effect.Effect<A, PlatformError.PlatformError, R>) =>
  Effect.catchIf(effect, isAbsent, () => Effect.succeed(otherwise))

/** All that the outbox holds, newest first. */
export const listOutbox = Effect.fnUntraced(function*(folder: string) {
  const fs = yield* FileSystem.FileSystem
  const files = (yield* fs.readDirectory(folder).pipe(ifAbsent<Array<string>>([]))).filter(isLetter).sort().reverse()
  const letters = yield* Effect.forEach(files, (file) => open(folder, file).pipe(ifAbsent(undefined)))
  return letters.filter((letter) => letter !== undefined)
})

/** An email by its name; undefined when there is none. */
export const findInOutbox = (folder: string, name: string) =>
  NAME.test(name) ? open(folder, `${name}${ENDING}`).pipe(ifAbsent(undefined)) : Effect.succeed(undefined)
