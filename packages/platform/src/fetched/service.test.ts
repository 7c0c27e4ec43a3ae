/** Packages after the start, with npm and its registry: a lock file's hashes decide, and a failure is not repeated at each call. */
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Exit } from "effect"
import { TestClock } from "effect/testing"
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fetchNote, type FetchState, type PackageGroup } from "./model.ts"
import { FetchedPackages } from "./service.ts"
import { FetchSettings, type FetchTime } from "./settings.ts"

const HASH = "sha512-q4Mq/+XO7UNDdMiPpR/LIBIW1Zl4V0Z6UT9aKGqIAnBCtCb3lvZJM1KbDbdzdC8fKflwflModfjR29Nt0EpcwA=="

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "svc-fetched-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
)

/** A group with one package of 1 kB. */
const groupWith = (integrity: string) =>
  Effect.map(folder, (folder): PackageGroup => {
    const dependencies = { "empty-npm-package": "1.0.0" }
    const locked = { version: "1.0.0", integrity, license: "ISC" }
    const packages = { "": { name: "svc-test", dependencies }, "node_modules/empty-npm-package": locked }
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "svc-test", private: true, dependencies }))
    writeFileSync(join(folder, "package-lock.json"), JSON.stringify({ name: "svc-test", lockfileVersion: 3, requires: true, packages }))
    return { name: "test", folder, brings: "Nothing", megabytes: 1, instead: "nothing" }
  })

const servedBy = Effect.fnUntraced(function*(time: FetchTime) {
  const target = yield* folder
  const packages = yield* Effect.provide(FetchedPackages, FetchedPackages.layerOf({ time, folder: target }))
  return { ...packages, target }
})

const aMoment = TestClock.withLive(Effect.sleep("100 millis"))

/** Asks until npm is done. */
const settled = (state: Effect.Effect<FetchState>) =>
  Effect.repeat(Effect.andThen(aMoment, state), { until: ({ _tag }) => _tag === "Ready" || _tag === "NotFetched" })

/** Without a network npm tries for more than two minutes, and then says so. */
const PATIENCE = 300_000

const isReady = (state: FetchState) => assert.strictEqual(state._tag, "Ready", state._tag === "NotFetched" ? state.message : "")

describe("packages after the start", () => {
  it.effect("are fetched when they are first needed, whole, and then stay", () =>
    Effect.gen(function*() {
      const group = yield* groupWith(HASH)
      const target = yield* folder
      yield* Effect.gen(function*() {
        const { folderOf, state } = yield* FetchedPackages
        assert.strictEqual(fetchNote(group, yield* state(group)), "Nothing: fetched when first needed (1 MB)")
        assert.strictEqual((yield* Effect.flip(folderOf(group)))._tag, "BeingFetched")
        assert.strictEqual((yield* state(group))._tag, "UnderWay")
        assert.strictEqual((yield* Effect.flip(folderOf(group)))._tag, "BeingFetched")
        isReady(yield* settled(state(group)))
        const ready = yield* folderOf(group)
        assert.isTrue(existsSync(join(ready, "node_modules/empty-npm-package/package.json")))
        assert.strictEqual(readdirSync(target).length, 1, "nothing is left beside it")
      }).pipe(Effect.provide(FetchedPackages.layerOf({ time: "when_needed", folder: target })))
      const later = Effect.flatMap(FetchedPackages, ({ folderOf }) => folderOf(group))
      assert.include(yield* Effect.provide(later, FetchedPackages.layerOf({ time: "never", folder: target })), target)
    }), PATIENCE)

  it.effect("of another hash are refused, and tried again later, not at each call", () =>
    Effect.gen(function*() {
      const group = yield* groupWith(HASH.replace("q4Mq", "AAAA"))
      const target = yield* folder
      yield* Effect.gen(function*() {
        const { folderOf, state } = yield* FetchedPackages
        assert.strictEqual((yield* Effect.flip(folderOf(group)))._tag, "BeingFetched")
        yield* settled(state(group))
        const failure = yield* Effect.flip(folderOf(group))
        assert.strictEqual(failure._tag, "NotFetched")
        assert.match(failure.message, /could not be fetched: .*integrity/iu)
        assert.deepStrictEqual(readdirSync(target), [])
        yield* TestClock.adjust("9 minutes")
        assert.strictEqual((yield* Effect.flip(folderOf(group)))._tag, "NotFetched")
        yield* TestClock.adjust("1 minute")
        assert.strictEqual((yield* Effect.flip(folderOf(group)))._tag, "BeingFetched")
      }).pipe(Effect.provide(FetchedPackages.layerOf({ time: "when_needed", folder: target })))
    }), PATIENCE)

  it.effect("are not fetched where the settings say never", () =>
    Effect.gen(function*() {
      const group = yield* groupWith(HASH)
      const { folderOf, target } = yield* servedBy("never")
      const failure = yield* Effect.flip(folderOf(group))
      assert.deepInclude(failure, {
        _tag: "NotFetched",
        remedy: "The operator sets FETCH_PACKAGES to when_needed or at_start, or installs nothing."
      })
      assert.deepStrictEqual(readdirSync(target), [])
    }))

  it.effect("are fetched at the start where the settings say so and this machine needs them", () =>
    Effect.gen(function*() {
      const group = yield* groupWith(HASH)
      const target = yield* folder
      yield* Effect.gen(function*() {
        const { atStart, state } = yield* FetchedPackages
        yield* atStart(group, Effect.succeed(false))
        yield* TestClock.adjust("1 minute")
        assert.strictEqual((yield* state(group))._tag, "Missing")
        yield* atStart(group, Effect.succeed(true))
        yield* TestClock.adjust("9 seconds")
        assert.strictEqual((yield* state(group))._tag, "Missing", "first the server answers")
        yield* TestClock.adjust("1 second")
        isReady(yield* settled(state(group)))
      }).pipe(Effect.provide(FetchedPackages.layerOf({ time: "at_start", folder: target })))
    }), PATIENCE)

  it.effect.each<readonly [Readonly<Record<string, string>>, FetchTime]>([
    [{}, "when_needed"],
    [{ PUBLIC_URL: "https://pay.example" }, "never"],
    [{ PUBLIC_URL: "https://pay.example", FETCH_PACKAGES: "at_start" }, "at_start"],
    [{ FETCH_PACKAGES: "never" }, "never"]
  ])("with %o are fetched %s", ([environment, time]) =>
    Effect.gen(function*() {
      const provider = ConfigProvider.layer(ConfigProvider.fromEnvRecord(environment))
      assert.strictEqual(yield* Effect.provide(FetchSettings, provider), time)
    }))

  it.effect("is a word of three", () =>
    Effect.gen(function*() {
      const provider = ConfigProvider.layer(ConfigProvider.fromEnvRecord({ FETCH_PACKAGES: "sometimes" }))
      assert.isTrue(Exit.isFailure(yield* Effect.exit(Effect.provide(FetchSettings, provider))))
    }))
})
