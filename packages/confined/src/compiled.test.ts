import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem } from "effect"
import { ChildProcessSpawner } from "effect/process"
import { join } from "node:path"
import { makeCompiled } from "./compiled.ts"
import type { Engine } from "./model.ts"

const engineOf = (module: string): Engine => ({
  module,
  shows: [],
  webAssembly: false,
  warm: false,
  limits: { memory: 1, seconds: 1, output: 1 }
})

const MODULE = "export const engine = (bytes: Uint8Array): number => bytes.length\n"

/** A module in a folder of its own, and caches as a service that has just started knows them. */
const setup = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const folder = yield* fs.makeTempDirectoryScoped({ prefix: "svc-compiled-" })
  const root = join(folder, "compiled")
  const module = join(folder, "engine.ts")
  yield* fs.writeFileString(module, MODULE)
  const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
  const start = (at = root) => Effect.map(makeCompiled(spawner, at), (compiledOf) => compiledOf(engineOf(module)))
  return { fs, root, module, start }
})

layer(NodeServices.layer, { excludeTestServices: true })("the cache of a child's program", (it) => {
  it.effect("is made once for the code as it stands, and takes the place of the one before", () =>
    Effect.gen(function*() {
      const { fs, module, root, start } = yield* setup
      const first = yield* Effect.flatten(start())
      assert.match(first?.name ?? "", new RegExp(`^${process.version}-.*-\\d+$`, "u"))
      assert.isNotEmpty(yield* fs.readDirectory(first?.folder ?? ""))
      assert.deepStrictEqual(yield* Effect.flatten(start()), first)
      yield* fs.utimes(module, 1, 1)
      const second = yield* Effect.flatten(start())
      assert.notStrictEqual(second?.folder, first?.folder)
      assert.lengthOf(yield* fs.readDirectory(root), 1)
    }))

  it.effect("is one of two that are made at the same time", () =>
    Effect.gen(function*() {
      const { fs, root, start } = yield* setup
      const [one, other] = yield* Effect.all([Effect.flatten(start()), Effect.flatten(start())], { concurrency: 2 })
      assert.isDefined(one)
      assert.deepStrictEqual(one, other)
      assert.lengthOf(yield* fs.readDirectory(root), 1)
    }))

  it.effect("is done without where the module does not load, or nothing can be written", () =>
    Effect.gen(function*() {
      const { fs, module, root, start } = yield* setup
      assert.isUndefined(yield* Effect.flatten(start(join(module, "compiled"))))
      yield* fs.writeFileString(module, "throw new Error('does not load')")
      assert.isUndefined(yield* Effect.flatten(start()))
      assert.isEmpty(yield* fs.readDirectory(root), "what was begun is removed")
    }))
})
