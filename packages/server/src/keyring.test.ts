import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { assert, describe, it } from "@effect/vitest"
import { Keyring, makeKey } from "@svc/platform/encryption/keyring"
import { keyFileIn } from "@svc/platform/encryption/settings"
import { ConfigProvider, Effect, FileSystem, Layer } from "effect"
import { ServerConfig } from "./config.ts"
import * as keyring from "./keyring.ts"

/** The ring of a start with this environment. */
const ring = (environment: Readonly<Record<string, string>>) =>
  Effect.gen(function*() {
    const config = yield* ServerConfig.parse(ConfigProvider.fromEnvRecord(environment))
    return yield* Effect.provide(Keyring, Layer.fresh(keyring.layer(config)))
  })

const folder = Effect.flatMap(FileSystem.FileSystem, (fs) => fs.makeTempDirectoryScoped({ prefix: "svc-keys-" }))

describe("the keys of an installation", () => {
  it.effect("are those of ENCRYPTION_KEYS, and else of a file that the first local start makes", () =>
    Effect.gen(function*() {
      const DATA_DIR = yield* folder
      assert.strictEqual(
        (yield* ring({ DATA_DIR, ENCRYPTION_KEYS: `${makeKey("new")},${makeKey("old")}`, PUBLIC_URL: "https://pay.example" })).current,
        "new"
      )
      const { current } = yield* ring({ DATA_DIR })
      assert.match(current, /^local-/u)
      assert.strictEqual((yield* ring({ DATA_DIR })).current, current)
    }).pipe(Effect.scoped, Effect.provide(NodeFileSystem.layer)))

  it.effect("must be set where the outside reaches it, and the refusal says to what", () =>
    Effect.gen(function*() {
      const DATA_DIR = yield* folder
      const refused = Effect.flip(ring({ DATA_DIR, PUBLIC_URL: "https://pay.example" }))
      assert.include(String((yield* refused).message), "npm run svc -- encryption make-key")
      yield* ring({ DATA_DIR })
      assert.include(String((yield* refused).message), keyFileIn(DATA_DIR))
    }).pipe(Effect.scoped, Effect.provide(NodeFileSystem.layer)))
})
