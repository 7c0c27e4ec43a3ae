/** The keys of this installation: those of `ENCRYPTION_KEYS`, or on a local start those of a file that it makes. */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import { Keyring } from "@svc/platform/encryption/keyring"
import { keyFileIn, keysOfFile } from "@svc/platform/encryption/settings"
import { Data, Effect, FileSystem, Layer } from "effect"
import type { ServerConfig } from "./config.ts"

/** An installation that the outside reaches has no keys. */
export class EncryptionKeysMissing extends Data.TaggedError("EncryptionKeysMissing")<{ readonly message: string }> {}

const missing = (file: string, hasFile: boolean) =>
  new EncryptionKeysMissing({
    message: "ENCRYPTION_KEYS is not set, and bank account numbers are sealed with it. Every process needs the same keys. " + (hasFile
      ? `The keys so far are in ${file}: set ENCRYPTION_KEYS to what stands there.`
      : "Set it to a key and keep a copy of that: npm run svc -- encryption make-key 2026a makes one.")
  })

/** Fails where a start needs keys that it was not given. */
export const ensureKeys = Effect.fnUntraced(function*({ dataDir, encryptionKeys, publicUrl }: ServerConfig) {
  if (encryptionKeys !== undefined || publicUrl === undefined) return
  const file = keyFileIn(dataDir)
  return yield* missing(
    file,
    yield* FileSystem.FileSystem.use((fs) => Effect.orElseSucceed(fs.exists(file), () => false))
  )
})

const keysOf = Effect.fnUntraced(function*(config: ServerConfig) {
  yield* ensureKeys(config)
  return config.encryptionKeys ?? (yield* keysOfFile(keyFileIn(config.dataDir)))
})

export const layer = (config: ServerConfig) =>
  Layer.unwrap(Effect.map(keysOf(config), Keyring.these)).pipe(Layer.provide([NodeFileSystem.layer, NodePath.layer]))
