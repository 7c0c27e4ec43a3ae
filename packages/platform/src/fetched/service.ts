/** Fetches packages that are too heavy for a first start when they are first needed, by lock files of their own. */
import * as NodeChildProcessSpawner from "@effect/platform-node/NodeChildProcessSpawner"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import { realNow } from "@svc/kernel/values/time"
import { Context, DateTime, Effect, FileSystem, Layer, Option, Semaphore } from "effect"
import { ChildProcessSpawner } from "effect/process"
import { hash } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { cacheFolder } from "../database/embedded/binaries.ts"
import { BeingFetched, type FetchState, NotFetched, type PackageGroup } from "./model.ts"
import { installIn } from "./npm.ts"
import type { FetchTime } from "./settings.ts"

/** For so long packages may take. */
const PATIENCE_MINUTES = 10
/** A folder beside its place that is older was left behind by a process that was killed. */
const LEFT_MINUTES = 15
/** A fetch that failed is tried again when somebody asks after so long. */
const PAUSE_MINUTES = 10
/** A server that starts answers its first requests before it fetches anything. */
const START_DELAY = "10 seconds"

const MINUTE = 60_000
const now = Effect.map(realNow, DateTime.toEpochMillis)
const LOCK_FILES = ["package.json", "package-lock.json"]

const orInstead = ({ instead }: PackageGroup): string => instead === undefined ? "" : `, or installs ${instead}`

const never = (group: PackageGroup) =>
  new NotFetched({
    message: `${group.brings}: the packages are not installed, and this server fetches nothing.`,
    remedy: `The operator sets FETCH_PACKAGES to when_needed or at_start${orInstead(group)}.`
  })

const failed = (group: PackageGroup, why: string) =>
  new NotFetched({
    message: `${group.brings}: the packages could not be fetched: ${why}.`,
    remedy: `The operator checks the network and the free space${orInstead(group)}. ` +
      `The fetch is tried again ${PAUSE_MINUTES} minutes later.`
  })

export interface FetchOptions {
  readonly time: FetchTime
  /** Of all groups. */
  readonly folder: string
}

export class FetchedPackages extends Context.Service<FetchedPackages, {
  /** How far the packages are. Fetches nothing. */
  readonly state: (group: PackageGroup) => Effect.Effect<FetchState>
  /** The folder of their `node_modules`. Where it is missing, the fetch begins if the settings allow it, and the caller comes again. */
  readonly folderOf: (group: PackageGroup) => Effect.Effect<string, BeingFetched | NotFetched>
  /** Fetches the packages soon after the start, if the settings say so and this machine needs them. */
  readonly atStart: (group: PackageGroup, isNeeded: Effect.Effect<boolean>) => Effect.Effect<void>
}>()("@svc/platform/FetchedPackages") {
  static readonly make = Effect.fnUntraced(function*({ folder, time }: FetchOptions) {
    const fs = yield* FileSystem.FileSystem
    const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
    const scope = yield* Effect.scope
    const oneAtATime = yield* Semaphore.make(1)
    const underWay = new Set<string>()
    const failures = new Map<string, { readonly error: NotFetched; readonly at: number }>()

    /** The name changes with the lock file, so a folder that exists is whole and right. */
    const targetOf = (group: PackageGroup) => {
      const lock = readFileSync(join(group.folder, "package-lock.json"))
      return join(folder, `${group.name}-${process.platform}-${process.arch}-${hash("sha256", lock).slice(0, 16)}`)
    }
    const partialOf = (group: PackageGroup) => `${targetOf(group)}.partial`

    const isThere = (path: string) => Effect.orElseSucceed(fs.exists(path), () => false)

    /** Whether some process installs there. */
    const isBusy = Effect.fnUntraced(function*(partial: string) {
      const modified = yield* Effect.orElseSucceed(Effect.map(fs.stat(partial), ({ mtime }) => mtime), () => Option.none<Date>())
      const oldest = (yield* now) - LEFT_MINUTES * MINUTE
      return Option.exists(modified, (at) => at.getTime() > oldest)
    })

    const state = Effect.fn("FetchedPackages.state")(function*(group: PackageGroup) {
      const target = targetOf(group)
      if (yield* isThere(target)) return { _tag: "Ready", folder: target } satisfies FetchState
      if (underWay.has(target) || (yield* isBusy(partialOf(group)))) return { _tag: "UnderWay" } satisfies FetchState
      const failure = failures.get(target)
      if (failure !== undefined && (yield* now) < failure.at + PAUSE_MINUTES * MINUTE) return failure.error
      return time === "never" ? never(group) : { _tag: "Missing" } satisfies FetchState
    })

    /** Installed beside its place and moved there whole. The folder beside it is also the lock between processes. */
    const install = Effect.fnUntraced(function*(group: PackageGroup) {
      const partial = partialOf(group)
      if (!(yield* isBusy(partial))) yield* fs.remove(partial, { recursive: true, force: true })
      yield* fs.makeDirectory(folder, { recursive: true })
      yield* Effect.acquireRelease(
        fs.makeDirectory(partial),
        () => Effect.ignore(fs.remove(partial, { recursive: true, force: true }))
      )
      yield* Effect.forEach(LOCK_FILES, (name) => fs.copyFile(join(group.folder, name), join(partial, name)))
      const failure = yield* installIn(spawner, partial)
      if (failure !== undefined) return yield* failed(group, failure)
      yield* fs.rename(partial, targetOf(group))
    }, Effect.scoped)

    const fetchGroup = Effect.fn("FetchedPackages.fetch")(function*(group: PackageGroup) {
      const target = targetOf(group)
      const inTime = Effect.timeoutOrElse(install(group), {
        duration: PATIENCE_MINUTES * MINUTE,
        orElse: () => Effect.fail(failed(group, `npm took more than ${PATIENCE_MINUTES} minutes`))
      })
      const failure = yield* oneAtATime.withPermit(inTime).pipe(
        Effect.as(undefined),
        // Another process that is faster is no failure.
        Effect.catchReason("PlatformError", "AlreadyExists", () => Effect.undefined),
        Effect.catch((error) => Effect.succeed(error._tag === "NotFetched" ? error : failed(group, error.message)))
      )
      if (failure === undefined) return void failures.delete(target)
      failures.set(target, { error: failure, at: yield* now })
      yield* Effect.logWarning(failure.message)
    })

    const start = (group: PackageGroup) =>
      Effect.suspend(() => {
        const target = targetOf(group)
        underWay.add(target)
        return Effect.forkIn(Effect.ensuring(fetchGroup(group), Effect.sync(() => underWay.delete(target))), scope)
      })

    const folderOf = Effect.fn("FetchedPackages.folderOf")(function*(group: PackageGroup) {
      const known = yield* state(group)
      if (known._tag === "Ready") return known.folder
      if (known._tag === "NotFetched") return yield* known
      if (known._tag === "Missing") yield* start(group)
      return yield* new BeingFetched({ message: `${group.brings}: ${group.megabytes} MB of packages are being fetched.` })
    })

    const atStart = (group: PackageGroup, isNeeded: Effect.Effect<boolean>) =>
      time !== "at_start" ? Effect.void : isNeeded.pipe(
        Effect.flatMap((needed) => needed ? Effect.ignore(folderOf(group)) : Effect.void),
        Effect.delay(START_DELAY),
        Effect.forkIn(scope),
        Effect.asVoid
      )

    return FetchedPackages.of({ state, folderOf, atStart })
  })

  static readonly layerOf = (options: FetchOptions) =>
    Layer.effect(FetchedPackages, FetchedPackages.make(options)).pipe(
      Layer.provide(NodeChildProcessSpawner.layer),
      Layer.provide([NodeFileSystem.layer, NodePath.layer])
    )

  /** In the folder of this machine for what all checkouts and installations use. */
  static readonly layer = (time: FetchTime) => FetchedPackages.layerOf({ time, folder: join(cacheFolder(), "packages") })
}
