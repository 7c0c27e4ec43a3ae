/** From files to their facts: what was kept of equal files first, then batches in confined children. */
import type { NoWall, SandboxBusy } from "@svc/confined/model"
import type { ReadAnswer } from "@svc/programs/confined/model"
import { Array as Arr, Effect } from "effect"
import { hash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import type { AnalysisChildren } from "./children.ts"
import type { SkippedFile, SourceFile } from "./model.ts"

/** What a child reads before it is thrown away. */
const MOST_FILES = 500
/** A batch that children answer at the same time as another. */
const LEAST_FILES = 50
const AT_ONCE = 2
/** Files that may end a parser. With more, what is left of their batch is given up as a whole. */
const MOST_BROKEN = 20

/** Facts of files, deflated, under keys that say content, path and readers. They are shared by no two accounts. */
export interface FactsCache {
  readonly find: (keys: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, Uint8Array>>
  readonly keep: (entries: ReadonlyArray<{ readonly key: string; readonly facts: Uint8Array }>) => Effect.Effect<void>
}

/** Keeps nothing. */
export const noCache: FactsCache = { find: () => Effect.succeed(new Map()), keep: () => Effect.void }

/** Changes with any source of the readers: facts that others found are not asked for. */
const readersVersion = ((): string => {
  const folder = join(dirname(dirname(fileURLToPath(import.meta.resolve("@svc/programs/confined/read")))), "facts")
  const sources = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .toSorted()
  return hash("sha256", sources.map((name) => `${name}\n${readFileSync(join(folder, name), "utf8")}`).join("\n"), "hex")
})()

export const factsKey = ({ path, sha256 }: Pick<SourceFile, "path" | "sha256">): string =>
  hash("sha256", `${readersVersion}\n${sha256}\n${path}`, "hex")

/** Facts by path, and the files of which none or not all were found. */
export interface FoundFacts {
  readonly facts: ReadonlyMap<string, Uint8Array>
  readonly skipped: ReadonlyArray<SkippedFile>
}

interface Batch {
  readonly account: string
  readonly children: AnalysisChildren
  readonly cache: FactsCache
  /** Told after each batch. */
  readonly read: (files: number) => Effect.Effect<void>
}

export const findFacts = Effect.fnUntraced(function*(files: ReadonlyArray<SourceFile>, { account, cache, children, read }: Batch) {
  const keys = new Map(files.map((file) => [file.path, factsKey(file)]))
  const kept = yield* cache.find(Array.from(keys.values()))
  const facts = new Map<string, Uint8Array>()
  const skipped: Array<SkippedFile> = []
  for (const [path, key] of keys) {
    const found = kept.get(key)
    if (found !== undefined) facts.set(path, found)
  }
  yield* read(facts.size)

  const giveUp = (batch: ReadonlyArray<SourceFile>, reason: string) =>
    Effect.suspend(() => {
      skipped.push(...batch.map(({ path }) => ({ path, reason: `not read: ${reason}` })))
      return read(batch.length)
    })

  /** Keeps what the child found. The files that it says nothing of. */
  const keep = Effect.fnUntraced(function*(batch: ReadonlyArray<SourceFile>, answer: ReadAnswer) {
    const found = answer.files.filter(({ path }) => keys.has(path)).map(({ facts, path }) => ({
      path,
      facts: Buffer.from(facts, "base64")
    }))
    for (const { facts: deflated, path } of found) facts.set(path, deflated)
    skipped.push(...answer.skipped.filter(({ path }) => keys.has(path)))
    const named = new Set(answer.skipped.map(({ path }) => path))
    // What is not all of a file's facts is found again, so that the file is named again.
    const whole = found.filter(({ path }) => !named.has(path))
    yield* cache.keep(whole.map(({ facts, path }) => ({ key: keys.get(path) ?? "", facts })))
    const left = batch.filter(({ path }) => !facts.has(path) && !named.has(path))
    yield* read(batch.length - left.length)
    return left
  })

  let broken = 0
  /** A batch whose child ends is split until the file is found that ends it. What a child leaves unread goes to another one. */
  const readAll = (batch: ReadonlyArray<SourceFile>): Effect.Effect<void, NoWall | SandboxBusy> =>
    children.read(account, batch.map(({ deflated, path }) => ({ name: path, bytes: deflated }))).pipe(
      Effect.flatMap((answer) => keep(batch, answer)),
      Effect.flatMap((left) => {
        if (left.length === 0) return Effect.void
        const goesOn = left.length < batch.length && broken++ < MOST_BROKEN
        return goesOn ? readAll(left) : giveUp(left, "the parser gives no answer for it")
      }),
      Effect.catchTag("EngineFailed", ({ reason }) => {
        if (batch.length > 1 && broken < MOST_BROKEN) {
          return Effect.forEach(Arr.split(batch, 2), readAll, { concurrency: AT_ONCE, discard: true })
        }
        broken++
        return giveUp(batch, reason === "timeout" ? "it takes the parser too long" : "it ends the parser")
      })
    )

  const unread = files.filter(({ path }) => !facts.has(path))
  const size = Math.min(MOST_FILES, Math.max(LEAST_FILES, Math.ceil(unread.length / AT_ONCE)))
  yield* Effect.forEach(Arr.chunksOf(unread, size), readAll, { concurrency: AT_ONCE, discard: true })
  return { facts, skipped: skipped.toSorted((one, other) => one.path < other.path ? -1 : 1) } satisfies FoundFacts
})
