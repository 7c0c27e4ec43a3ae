/** Where the keys come from: `ENCRYPTION_KEYS`, or a file that the first local start makes. */
import { Config, Effect, FileSystem, Path, Result, Schema } from "effect"
import { randomBytes } from "node:crypto"
import { makeKey, readKeys, type RingKey } from "./keyring.ts"

/** What is wrong is said without the value: it is a secret. */
const Keys = Schema.String.check(
  Schema.makeFilter((text) => Result.match(readKeys(text), { onFailure: (why) => `${why}.`, onSuccess: () => undefined }))
)

/** `ENCRYPTION_KEYS`: undefined when it is unset. */
export const EncryptionKeys: Config.Config<ReadonlyArray<RingKey> | undefined> = Config.schema(Keys, "ENCRYPTION_KEYS").pipe(
  Config.map((text): ReadonlyArray<RingKey> | undefined => Result.getOrThrow(readKeys(text))),
  Config.withDefault(undefined)
)

/** The keys of a local start, below `DATA_DIR`. */
export const keyFileIn = (dataDir: string): string => `${dataDir}/encryption.keys`

/** The file of keys cannot be read, written or understood. */
export class KeyFileUnusable extends Schema.TaggedError<KeyFileUnusable>()("KeyFileUnusable", { message: Schema.String }) {}

const unusable = (file: string, why: string, next: string) =>
  new KeyFileUnusable({ message: `The encryption keys in ${file} cannot be used: ${why}. ${next}` })

/** Writes the file unless it is there: of two starts at once one is first, and the other reads what that wrote. */
const write = Effect.fnUntraced(function*(file: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const draft = `${file}.${randomBytes(6).toString("hex")}`
  yield* fs.makeDirectory(path.dirname(file), { recursive: true })
  yield* fs.writeFileString(draft, `${makeKey(`local-${randomBytes(4).toString("hex")}`)}\n`, { mode: 0o600 })
  yield* Effect.ensuring(
    Effect.catchIf(fs.link(draft, file), ({ reason }) => reason._tag === "AlreadyExists", () => Effect.void),
    Effect.ignore(fs.remove(draft))
  )
})

/** The keys in the file, which is made with one when it is not there. */
export const keysOfFile = Effect.fn("keysOfFile")(function*(file: string) {
  const fs = yield* FileSystem.FileSystem
  const text = yield* Effect.gen(function*() {
    if (!(yield* fs.exists(file))) yield* write(file)
    return yield* fs.readFileString(file)
  }).pipe(Effect.mapError(({ message }) => unusable(file, message, "Check its permissions and the free space.")))
  return yield* Effect.mapError(
    Effect.fromResult(readKeys(text)),
    (why) => unusable(file, `it ${why}`, "Restore the file from a backup: what was sealed with its keys opens with nothing else.")
  )
})
