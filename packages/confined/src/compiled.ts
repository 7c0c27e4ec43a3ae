/**
 * The programs of children, compiled. Node.js strips the types of some hundred files and compiles them each time a child starts, which
 * takes longer than most requests; from its compile cache it takes less than half. The service makes the cache of a program before the
 * first child that needs it, from its own files alone, and children only read it. docs/decisions/0104 has the figures.
 */
import { realNow } from "@svc/kernel/values/time"
import { Cache, DateTime, Effect, FileSystem, Option, Path } from "effect"
import { ChildProcess, type ChildProcessSpawner } from "effect/process"
import { hash } from "node:crypto"
import type { Compiled, Engine } from "./model.ts"
import { OWN, programOf, quiet } from "./node-child.ts"

/** A program that takes longer to load than this does not load at all. */
const PATIENCE = "1 minute"
const SHORT = 16
/** A cache that was made longer ago is removed when another is made: its program may be gone. */
const MOST_DAYS = 30
const DAY = 86_400_000

/** By everybody: the code of this service is no secret. Folders have to be entered. */
const READABLE = 0o755

type Spawner = ChildProcessSpawner.ChildProcessSpawner["Service"]

/** `root`: the folder that keeps the caches. Where it cannot be written, children compile what they run. */
export const makeCompiled = Effect.fnUntraced(function*(spawner: Spawner, root: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path

  const changedAt = (file: string) =>
    Effect.map(fs.stat(file), ({ mtime }) => Option.match(mtime, { onNone: () => 0, onSome: (at) => at.getTime() }))

  /** What changes with the code at this path: files of our own packages, and for other packages npm's note of what it installed. */
  const filesOf = Effect.fnUntraced(function*(at: string) {
    if ((yield* fs.stat(at)).type !== "Directory") return [at]
    const source = path.join(at, "src")
    if (yield* fs.exists(source)) {
      return (yield* fs.readDirectory(source, { recursive: true })).filter((name) => name.endsWith(".ts")).map((name) =>
        path.join(source, name)
      )
    }
    const notes = [path.join(at, ".package-lock.json"), path.join(at, "node_modules", ".package-lock.json")]
    return [at, ...(yield* Effect.filter(notes, (note) => fs.exists(note)))]
  })

  const fingerprintOf = Effect.fnUntraced(function*(paths: ReadonlyArray<string>) {
    const files = (yield* Effect.forEach(paths, filesOf)).flat().sort()
    const times = yield* Effect.forEach(files, (file) => Effect.map(changedAt(file), (at) => `${file} ${at}`), { concurrency: 16 })
    return hash("sha256", [process.version, ...times].join("\n")).slice(0, SHORT)
  })

  const written = Effect.fnUntraced(function*(folder: string) {
    const [name] = yield* fs.readDirectory(folder)
    return name === undefined ? undefined : { folder: path.join(folder, name), name } satisfies Compiled
  })

  /** Written beside its place and moved there whole: of two processes that do so at once, the first wins. */
  const write = Effect.fnUntraced(
    function*(target: string, module: string) {
      yield* fs.makeDirectory(root, { recursive: true })
      const partial = yield* Effect.acquireRelease(
        fs.makeTempDirectory({ directory: root, prefix: "partial-" }),
        (folder) => Effect.ignore(fs.remove(folder, { recursive: true, force: true }))
      )
      yield* fs.chmod(partial, READABLE)
      const code = yield* spawner.exitCode(
        ChildProcess.make(process.execPath, [...quiet, "--input-type=module", "--eval", programOf(module)], {
          env: { NODE_COMPILE_CACHE: partial },
          extendEnv: false,
          stdin: "ignore",
          stdout: "ignore",
          stderr: "ignore"
        })
      )
      if (code !== 0) return
      // Node.js lets nobody but its own user read what it writes, and a child may be another one.
      const files = yield* fs.readDirectory(partial, { recursive: true })
      yield* Effect.forEach(files, (name) => fs.chmod(path.join(partial, name), READABLE), { concurrency: 16, discard: true })
      yield* Effect.ignore(fs.rename(partial, target))
    },
    Effect.scoped,
    Effect.timeout(PATIENCE)
  )

  /** Those of the code as it was before, and old ones. A process that still has them starts children without. */
  const removeOthers = Effect.fnUntraced(function*(target: string, program: string) {
    const oldest = DateTime.toEpochMillis(yield* realNow) - MOST_DAYS * DAY
    const others = (yield* fs.readDirectory(root)).map((name) => path.join(root, name)).filter((other) => other !== target)
    yield* Effect.forEach(others, (other) =>
      Effect.gen(function*() {
        const isOld = path.basename(other).startsWith(program) || (yield* changedAt(other)) < oldest
        if (isOld) yield* fs.remove(other, { recursive: true, force: true })
      }))
  })

  const find = Effect.fnUntraced(function*(paths: ReadonlyArray<string>) {
    const program = hash("sha256", paths.join("\n")).slice(0, SHORT)
    const target = path.join(root, `${program}-${yield* fingerprintOf(paths)}`)
    if (!(yield* fs.exists(target))) {
      yield* write(target, paths[0] ?? "")
      yield* Effect.ignore(removeOthers(target, program))
    }
    return yield* written(target)
  })

  // An engine of fetched packages is described anew for each request, so that its paths are what is remembered.
  const cache = yield* Cache.make({
    lookup: (paths: string) =>
      find(paths.split("\n")).pipe(
        Effect.tapError(({ message }) => Effect.logDebug(`Children compile what they run: ${message}`)),
        Effect.orElseSucceed(() => undefined)
      ),
    capacity: 64
  })
  /** The cache of the engine's program; undefined where none can be made, or where another process has removed it. */
  return Effect.fnUntraced(function*({ module, shows }: Engine) {
    const compiled = yield* Cache.get(cache, [module, ...shows, OWN].join("\n"))
    const isThere = compiled !== undefined && (yield* Effect.orElseSucceed(fs.exists(compiled.folder), () => false))
    return isThere ? compiled : undefined
  })
})
