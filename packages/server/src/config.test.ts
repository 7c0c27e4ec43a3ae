/** docs/configuration.md lists every variable of the environment that the code reads, and no other. */
import { assert, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { ServerConfig } from "./config.ts"

const root = join(import.meta.dirname, "../../..")

/** Variables of Node itself that the page lists, too. */
const ofNode = ["NODE_OPTIONS"]

/** Names that several variables begin with: `S3_BUCKET`, `S3_REGION`. */
const groups = ["EMBEDDINGS", "GITHUB", "LLM", "S3", "STT", "TTS"]

/** Names of these that are variables themselves, too, each with a value that it may have. */
const variableGroups: Readonly<Record<string, string>> = { EMBEDDINGS: "words", STT: "whisper" }

/** What the server's configuration asks of the environment. */
const askedByServer = Effect.gen(function*() {
  const names = new Set<string>()
  const recorder = ConfigProvider.make((path) =>
    Effect.sync(() => {
      const name = path.join("_")
      if (path.length === 0 || groups.includes(name)) return ConfigProvider.makeRecord(new Set(), variableGroups[name])
      names.add(name)
      return undefined
    })
  )
  yield* ServerConfig.pipe(Effect.provideService(ConfigProvider.ConfigProvider, recorder))
  return Array.from(names)
})

/** A variable that is named where it is read. */
const READING =
  /(?:Config\.(?!schema)\w+|Config\.schema|wholeNumber|oneOf|listOf|\w+Address|process\.env)[[(]\s*(?:\w+, )?"([A-Z][A-Z0-9_]+)"/gu

const namedInSources = globSync("packages/*/src/**/*.ts", { cwd: root })
  .filter((file) => !/^packages\/(?:testkit|bench)\/|\.test\.ts$/u.test(file))
  .flatMap((file) => Array.from(readFileSync(join(root, file), "utf8").matchAll(READING), ([, name = ""]) => name))
  .filter((name) => !groups.includes(name))

/** The first cells of the page's tables. */
const documented = () =>
  Array.from(readFileSync(join(root, "docs/configuration.md"), "utf8").matchAll(/^\| (`[^|]+) \|/gmu), ([, cell = ""]) => cell)
    .flatMap((cell) => Array.from(cell.matchAll(/`([A-Z0-9_]+)`/gu), ([, name = ""]) => name))

it.effect("docs/configuration.md lists every variable that the code reads, and no other", () =>
  Effect.gen(function*() {
    const read = new Set([...yield* askedByServer, ...namedInSources, ...ofNode, ...Object.keys(variableGroups)])
    for (const name of ["RATES_URL", "RATE_LIMIT_ACCOUNT_BURST", "REDIS_URL", "XDG_CACHE_HOME"]) assert.include([...read], name)
    assert.deepStrictEqual(documented().toSorted(), [...read].toSorted())
  }))
