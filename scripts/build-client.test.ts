/** The client as a program outside of this repository has it: packed, installed, compiled against and run. */
import { assert, layer } from "@effect/vitest"
import { layer as service, openMerchant } from "@svc/testkit/contract/service"
import { Context, Effect, Layer } from "effect"
import { HttpServer } from "effect/http"
import { execFile } from "node:child_process"
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { buildClient } from "./build-client.ts"

const root = join(import.meta.dirname, "..")
const run = promisify(execFile)

const settings = {
  compilerOptions: {
    target: "es2024",
    module: "nodenext",
    strict: true,
    exactOptionalPropertyTypes: true,
    types: ["node"],
    // The declarations of the client are checked as well.
    skipLibCheck: false,
    outDir: "out"
  },
  files: ["with-effect.ts", "with-fetch.ts"]
}

/** A project that has the client, what it declares to need, and the types of Node. */
const project = Effect.acquireRelease(
  Effect.promise(async () => {
    const folder = await mkdtemp(join(tmpdir(), "svc-client-"))
    const [built, installed] = [join(folder, "built"), join(folder, "node_modules/@svc/client")]
    await buildClient(built)
    const { stdout } = await run("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: built })
    await mkdir(installed, { recursive: true })
    await run("tar", ["-xzf", join(folder, stdout.trim()), "--strip-components=1", "-C", installed])
    const { dependencies, peerDependencies }: Record<string, object> = JSON.parse(await readFile(join(installed, "package.json"), "utf8"))
    for (const name of [...Object.keys({ ...dependencies, ...peerDependencies }), "@types/node"]) {
      const path = join(folder, "node_modules", name)
      await mkdir(dirname(path), { recursive: true })
      await symlink(join(root, "node_modules", name), path)
    }
    for (const file of settings.files) await copyFile(join(root, "packages/client/examples", file), join(folder, file))
    await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module" }))
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify(settings))
    await run(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "--singleThreaded"], { cwd: folder })
    return folder
  }),
  (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
)

class Project extends Context.Service<Project, { readonly folder: string }>()("@svc/scripts/build-client.test/Project") {
  static readonly layer = Layer.effect(Project, Effect.map(project, (folder) => ({ folder })))
}

/** What a program says to a merchant's own sandbox. */
const saysOf = Effect.fnUntraced(function*(file: string) {
  const { folder } = yield* Project
  const { address } = yield* HttpServer.HttpServer
  const { key } = yield* openMerchant(file)
  const env = { PATH: process.env["PATH"], BASE_URL: HttpServer.formatAddress(address), SECRET_KEY: key }
  const { stdout } = yield* Effect.promise(() => run(process.execPath, [join(folder, "out", file)], { env }))
  return JSON.parse(stdout) as unknown
})

layer(Layer.merge(service, Project.layer), { excludeTestServices: true, timeout: 60_000 })("the client, installed elsewhere", (it) => {
  it.effect("serves a program with Effect", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* saysOf("with-effect.js"), {
        state: "captured",
        refunded: 500,
        declined: "insufficient_funds",
        ok: true,
        checked: 6
      })
    }))

  it.effect("serves a program without Effect, and loads none of it", () =>
    Effect.gen(function*() {
      const { folder } = yield* Project
      assert.deepStrictEqual(yield* saysOf("with-fetch.js"), {
        state: "captured",
        refunded: 500,
        declined: "insufficient_funds",
        listed: [true]
      })
      const code = yield* Effect.promise(() => readFile(join(folder, "node_modules/@svc/client/fetch.js"), "utf8"))
      assert.deepStrictEqual(Array.from(code.matchAll(/^import .* from "(.*)";$/gm), ([, name]) => name), ["jsonc-parser"])
    }))
})
