/** What `svc doctor` looks at. Each check says one line: what it found, and where something is wrong, why and what next. */
import { choose } from "@svc/platform/database/embedded/account"
import { locate } from "@svc/platform/database/embedded/binaries"
import { passwordFileIn } from "@svc/platform/database/embedded/password"
import { ServerConfig } from "@svc/server/config"
import { Config, Effect, FileSystem, Path } from "effect"
import { constants } from "node:fs"
import { credentialsFile, readCredentials } from "../credentials.ts"
import { messageOf } from "../failure.ts"
import { confined } from "./confined.ts"
import { database } from "./database.ts"
import { fetched } from "./fetched.ts"
import type { Check, Finding } from "./finding.ts"
import { failed, note, ok } from "./finding.ts"
import { answererOf, apiPort, toolsPort } from "./ports.ts"

const SETTINGS = "settings"
const OLDEST_NODE: readonly [number, number] = [22, 19]

const node = Effect.sync((): Finding => {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
  const [wantedMajor, wantedMinor] = OLDEST_NODE
  return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)
    ? ok(process.versions.node)
    : failed(`${process.versions.node} is too old: the code needs ${wantedMajor}.${wantedMinor}. Run it with npm start, which fetches one.`)
})

/** The programs of the embedded Postgres are what an incomplete installation lacks first. */
const packages = Effect.gen(function*() {
  const path = yield* Path.Path
  const { databaseUrl, dataDir } = yield* ServerConfig
  if (databaseUrl !== undefined) return ok("installed; the embedded Postgres is not used")
  const { postgres } = yield* locate(yield* choose(path.join(path.resolve(dataDir), "postgres")))
  return ok(`installed; Postgres runs from ${postgres}`)
})

const folder = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const { dataDir } = yield* ServerConfig
  if (!(yield* fs.exists(dataDir))) return note(`${dataDir} is not there yet; the first start makes it`)
  const writable = yield* fs.access(dataDir, { readable: true, writable: true }).pipe(Effect.as(true), Effect.orElseSucceed(() => false))
  return writable
    ? ok(`${dataDir} can be written`)
    : failed(`${dataDir} cannot be written by this user. Change its permissions, or set DATA_DIR to another folder.`)
})

const OTHERS = constants.S_IRWXG | constants.S_IRWXO

/** Whether a file of the data folder is for its owner only. */
const privately = Effect.fnUntraced(function*(at: string, holds: string) {
  const fs = yield* FileSystem.FileSystem
  if (!(yield* fs.exists(at))) return note(`${at} is not there yet; the first start writes it`)
  const { mode } = yield* fs.stat(at)
  return process.platform !== "win32" && (mode & OTHERS) !== 0
    ? failed(`${at} can be read by others, and it holds ${holds}. Run: chmod 600 ${at}`)
    : ok(`${at} is for its owner only`)
})

const file = Effect.flatMap(credentialsFile, (at) => privately(at, "a secret key"))

const password = Effect.gen(function*() {
  const path = yield* Path.Path
  const { databaseUrl, dataDir } = yield* ServerConfig
  if (databaseUrl !== undefined) return ok("stands in DATABASE_URL; the embedded Postgres is not used")
  return yield* privately(passwordFileIn(path.resolve(dataDir)), "the password of the embedded database")
})

const key = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  if (!(yield* fs.exists(yield* credentialsFile))) return note("there is none yet")
  const credentials = yield* readCredentials
  const { account_id, base_url } = credentials
  switch (yield* answererOf(credentials)) {
    case "this installation":
      return ok(`opens ${account_id} at ${base_url}`)
    case "another installation":
      return failed(`is not known at ${base_url}: another installation of svc listens there, or the key was revoked. Run npm start`)
    case "nobody":
      return note(`could not be tried: nothing answers at ${base_url}. Start the server to try it`)
  }
})

const settings = Effect.as(ServerConfig, ok("can be used"))

/** What reads the settings says nothing of its own while they cannot be used: that is said once. */
const found = (name: string, error: unknown): Finding =>
  error instanceof Config.ConfigError && name !== SETTINGS ? note("not looked at until the settings can be used") : failed(messageOf(error))

/** A check that cannot even be made has found something too. */
const guarded = <E, R>(name: string, check: Effect.Effect<Finding, E, R>): Check<R> => ({
  name,
  check: Effect.catch(check, (error) => Effect.succeed(found(name, error)))
})

export const checks = [
  guarded("Node.js", node),
  guarded(SETTINGS, settings),
  guarded("packages", packages),
  guarded("data folder", folder),
  guarded("database", database),
  guarded("database password", password),
  guarded("foreign code", confined),
  guarded("fetched later", fetched),
  guarded("API port", apiPort),
  guarded("tools port", toolsPort),
  guarded("credentials", file),
  guarded("API key", key)
]
