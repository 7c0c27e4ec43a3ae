/** Analyses in real confined children. */
import { assert, describe, layer } from "@effect/vitest"
import { Confined } from "@svc/confined/service"
import { FetchedPackages } from "@svc/platform/fetched/service"
import { BUBBLEWRAP_MISSING, bubblewrapPath } from "@svc/testkit/bubblewrap"
import { Effect, Layer, Stream } from "effect"
import { packTar } from "modern-tar"
import { gzipSync, inflateRawSync } from "node:zlib"
import { type AnalysisRequest, makeAnalysis, type Source } from "./analysis.ts"
import { analysisEngines } from "./children.ts"
import { makeRunCommands } from "./commands.ts"
import { type FactsCache, noCache } from "./facts.ts"

const shop = {
  "package.json": `{\n  "name": "shop",\n  "main": "src/index.ts",\n  "scripts": { "test": "cat src/price.ts" }\n}\n`,
  "src/index.ts": `import { price } from "./price.ts"\n\nexport function total(): number {\n  return price() * 2\n}\n`,
  "src/price.ts": `export function price(): number {\n  return 21\n}\n`
}
const filesOf = (files: Readonly<Record<string, string>>): Source => ({
  files: Object.entries(files).map(([path, content]) => ({ path, content }))
})

/** `S` and a number: what no artifact may hold, written where people write it. */
const secretive = {
  "package.json": [
    "{",
    "  \"name\": \"shop\",",
    "  \"main\": \"src/index.ts\",",
    "  \"scripts\": {",
    "    \"start\": \"DB_PASSWORD=S01-hunter2 node src/index.ts\",",
    "    \"check\": \"curl -u admin:S02-hunter2 https://shop.example\"",
    "  },",
    "  \"dependencies\": { \"express\": \"^5.0.0\" }",
    "}",
    ""
  ].join("\n"),
  ".npmrc": [
    "//registry.npmjs.org/:_authToken=S03-hunter2",
    "//npm.shop.example/:_password=S04-hunter2",
    "//npm.shop.example/:_auth=S05-hunter2",
    ""
  ].join("\n"),
  "fly.toml": [
    "app = \"shop\"",
    "[env]",
    "  DB_PASSWORD = \"S06-hunter2\"",
    "  PORT = \"3000\"",
    ""
  ].join("\n"),
  "wrangler.toml": [
    "name = \"shop\"",
    "main = \"src/index.ts\"",
    "[vars]",
    "API_KEY = \"S07-hunter2\"",
    ""
  ].join("\n"),
  "render.yaml": [
    "services:",
    "  - type: web",
    "    name: shop",
    "    envVars:",
    "      - key: DB_PASSWORD",
    "        value: S08-hunter2",
    "      - key: API_TOKEN",
    "        value: \"S09-hunter2\"",
    ""
  ].join("\n"),
  "compose.yaml": [
    "services:",
    "  db:",
    "    image: postgres:17",
    "    environment:",
    "      POSTGRES_PASSWORD: S10-hunter2",
    "  cache:",
    "    image: redis:8",
    "    environment:",
    "      - REDIS_PASSWORD=S11-hunter2",
    "    command: redis-server --requirepass S12-hunter2",
    "    healthcheck:",
    "      test: redis-cli -a S13-hunter2 ping",
    ""
  ].join("\n"),
  "Dockerfile": [
    "FROM node:26",
    "ENV DB_PASSWORD=S14-hunter2",
    "ENV API_TOKEN S15-hunter2",
    "HEALTHCHECK CMD curl -u admin:S16-hunter2 http://localhost",
    "CMD [\"node\", \"src/index.ts\", \"--password\", \"S17-hunter2\"]",
    ""
  ].join("\n"),
  "Makefile": [
    "test:",
    "\tTOKEN=S18-hunter2 go test ./...",
    "dump:",
    "\tPGPASSWORD=S19-hunter2 pg_dump shop",
    ""
  ].join("\n"),
  ".env.example": [
    "DB_PASSWORD=S20-hunter2",
    "PORT=3000",
    ""
  ].join("\n"),
  "settings.py": [
    "import os",
    "SECRET_KEY = 'S21-hunter2'",
    "DATABASES = {'default': {'PASSWORD': 'S22-hunter2'}}",
    "API_KEY = os.environ.get(\"API_KEY\", \"S23-hunter2\")",
    ""
  ].join("\n"),
  "src/index.ts": [
    "import express from \"express\"",
    "const app = express()",
    "export const SHOP_SECRET = process.env.SHOP_SECRET ?? \"S24-hunter2\"",
    "export const feed = \"https://shop.example/feed?token=S25-hunter2\"",
    "app.get(\"/prices\", async (_, answer) =>",
    "  answer.json(await fetch(\"https://shop.example/prices?api_key=S26-hunter2\")))",
    "app.listen(3000)",
    ""
  ].join("\n"),
  "README.md": [
    "# shop",
    "",
    "```sh",
    "API_KEY=S27-hunter2 npm start",
    "```",
    ""
  ].join("\n")
}

const request: AnalysisRequest = {
  account: "acc_1",
  description: { project_name: "shop" },
  make: "all",
  runsCommands: false,
  cache: noCache,
  progress: () => Effect.void
}

const breaking = (seconds = 20) => ({
  ...analysisEngines,
  read: {
    ...analysisEngines.read,
    module: `${import.meta.dirname}/breaking-reader.fixture.ts`,
    limits: { ...analysisEngines.read.limits, seconds }
  }
})

const analysisOf = (source: Source, more: Partial<AnalysisRequest> = {}, engines = analysisEngines) =>
  Effect.gen(function*() {
    const { analyze, take } = yield* makeAnalysis(engines)
    const { files, skipped } = yield* take("acc_1", source)
    const made = yield* analyze(files, { ...request, ...more })
    return { ...made, skipped: [...made.skipped, ...skipped], files }
  })

const summaryOf = ({ artifacts }: Effect.Success<ReturnType<typeof analysisOf>>) =>
  artifacts.find(({ path }) => path === "architecture-summary.md")?.text ?? assert.fail("it has no summary")

const inMemory = () => {
  const entries = new Map<string, Uint8Array>()
  const asked: Array<number> = []
  const cache: FactsCache = {
    find: (keys) =>
      Effect.sync(() => {
        const found = new Map(keys.flatMap((key) => entries.has(key) ? [[key, entries.get(key) as Uint8Array] as const] : []))
        asked.push(keys.length - found.size)
        return found
      }),
    keep: (kept) => Effect.sync(() => kept.forEach(({ facts, key }) => entries.set(key, facts)))
  }
  return { cache, asked }
}

const many = (count: number, more: Readonly<Record<string, string>> = {}) => ({
  ...Object.fromEntries(Array.from({ length: count }, (_, at) => [`src/f${at}.ts`, `export const f${at} = ${at}\n`])),
  ...more
})

describe.skipIf(bubblewrapPath() === undefined)(bubblewrapPath() === undefined ? BUBBLEWRAP_MISSING : "an analysis", () => {
  const confined = Confined.layerOf({ confined: "bubblewrap", places: 4, node: process.execPath })
  layer(Layer.provide(confined, FetchedPackages.layer("never")), {
    excludeTestServices: true,
    timeout: "60 seconds"
  })("in confined children", (it) => {
    it.effect("gives the same artifacts for a tarball as for its files, and tells how far it is", () =>
      Effect.gen(function*() {
        const tar = gzipSync(
          yield* Effect.promise(() =>
            packTar(
              Object.entries(shop).toReversed().map(([path, body]) => ({
                header: { name: `a-shop-1/${path}`, type: "file", size: Buffer.byteLength(body) },
                body
              }))
            )
          )
        )
        const steps: Array<number> = []
        const progress: AnalysisRequest["progress"] = (step) => Effect.sync(() => void steps.push(step.progress / step.total))
        const ofTarball = yield* analysisOf({ tarball: { size: tar.length, stream: Stream.make(tar) } }, { progress })
        const ofFiles = yield* analysisOf(filesOf(shop))
        assert.deepStrictEqual(ofTarball, ofFiles)
        assert.include(summaryOf(ofFiles), "`src/index.ts` exporting `total` (`package.json:3`, `src/index.ts:3-5`)")
        assert.deepStrictEqual(steps, steps.toSorted((one, other) => one - other))
        assert.strictEqual(steps.at(-1), 1)
      }))

    it.effect("quotes no password and no token, and still tells what they are for", () =>
      Effect.gen(function*() {
        const { artifacts, files, skipped } = yield* analysisOf(filesOf(secretive))
        assert.deepStrictEqual(skipped, [])
        const quoting = artifacts.filter(({ citations, text }) => /S\d\d-|hunter2/u.test(text + JSON.stringify(citations)))
        assert.deepStrictEqual(quoting.map(({ path }) => path), [])
        assert.isTrue(files.every(({ deflated }) => !inflateRawSync(deflated).includes("hunter2")))
        const said = artifacts.map(({ text }) => text).join("\n")
        for (const name of ["POSTGRES_PASSWORD", "REDIS_PASSWORD", "SHOP_SECRET", "API_KEY", "requirepass"]) assert.include(said, name)
      }))

    it.effect("runs the programs that were asked for, and no others", () =>
      Effect.gen(function*() {
        const asked = yield* analysisOf(filesOf(shop), { programs: ["search"] })
        const all = yield* analysisOf(filesOf(shop))
        assert.deepStrictEqual(asked.programs, ["search"])
        assert.deepStrictEqual(asked.artifacts, all.artifacts.filter(({ program }) => program === "search"))
      }))

    it.effect("reads again only what has changed, and makes the same of what was kept", () =>
      Effect.gen(function*() {
        const { asked, cache } = inMemory()
        const first = yield* analysisOf(filesOf(shop), { cache })
        const again = yield* analysisOf(filesOf(shop), { cache })
        assert.deepStrictEqual(again, first)
        yield* analysisOf(filesOf({ ...shop, "src/price.ts": "export const price = () => 22\n" }), { cache })
        assert.deepStrictEqual(asked, [3, 0, 1])
      }))

    it.effect("names a file again of which not all was read, and tells it to its readers", () =>
      Effect.gen(function*() {
        const { asked, cache } = inMemory()
        const files = filesOf({ ...shop, "pyproject.toml": "= =\n" })
        const first = yield* analysisOf(files, { cache, make: "engineer" })
        const again = yield* analysisOf(files, { cache, make: "engineer" })
        assert.deepStrictEqual(again, first)
        assert.deepStrictEqual(asked, [4, 1])
        assert.deepStrictEqual(first.skipped.map(({ path }) => path), ["pyproject.toml"])
        assert.include(first.artifacts.find(({ path }) => path === "repo-run-stats.json")?.text, "pyproject.toml")
      }))

    it.effect.each([
      ["ends by a signal", "ABORT", "not read: it ends the parser"],
      ["ends without a word", "EXIT", "not read: it ends the parser"],
      ["answers for another file instead", "LIE", "not read: the parser gives no answer for it"]
    ])("whose parser %s names the file, and reads all others", ([, marker, reason]) =>
      Effect.gen(function*() {
        const files = many(18, { "src/bad.ts": `// ${marker}\n`, "src/worse.ts": `// ${marker}\n` })
        const { artifacts, skipped } = yield* analysisOf(filesOf(files), {}, breaking())
        assert.deepStrictEqual(skipped, [{ path: "src/bad.ts", reason }, { path: "src/worse.ts", reason }])
        assert.isNotEmpty(artifacts)
      }))

    it.effect("whose parser never ends names the file, too", () =>
      Effect.gen(function*() {
        const { skipped } = yield* analysisOf(filesOf(many(1, { "src/slow.ts": "// HOLD\n" })), {}, breaking(8))
        assert.deepStrictEqual(skipped, [{ path: "src/slow.ts", reason: "not read: it takes the parser too long" }])
      }))

    it.effect("runs the commands that need nothing, and says why it runs no others", () =>
      Effect.gen(function*() {
        const files = {
          ...shop,
          "web/package.json": `{\n  "name": "web",\n  "dependencies": { "a": "1" },\n  "scripts": { "test": "true" }\n}\n`
        }
        const { take } = yield* makeAnalysis()
        const run = yield* makeRunCommands
        const taken = (yield* take("acc_1", filesOf(files))).files
        const at = { path: "package.json", start_line: 1, end_line: 1 }
        const command = (command: string, folder = ".", needs: string | null = null) => ({ command, folder, needs, ...at })
        const ran = yield* run([
          command("cat src/price.ts"),
          command("ls", "src"),
          command("echo no >&2; exit 3"),
          command("echo kept > here && cat here"),
          command("ls here"),
          command("no-such-program"),
          command("true", "web", "its dependencies are not installed in a snapshot"),
          command("cat < /dev/tcp/127.0.0.1/1"),
          command("yes")
        ], taken)
        assert.deepStrictEqual(ran.map(({ exit_code, output, reason }) => [exit_code, output.slice(0, 60), reason]).slice(0, 7), [
          [0, shop["src/price.ts"].trim(), null],
          [0, "index.ts\nprice.ts", null],
          [3, "no", null],
          [0, "kept", null],
          [2, "ls: cannot access 'here': No such file or directory", null],
          [null, "/bin/sh: 1: no-such-program: not found", "a program that it needs is not on this server"],
          [null, "", "its dependencies are not installed in a snapshot"]
        ])
        assert.notStrictEqual(ran[7]?.exit_code, 0)
        assert.strictEqual(ran[8]?.reason, "it printed more than 1 MiB")
      }))

    it.effect("gives up where every file ends the parser", () =>
      Effect.gen(function*() {
        const error = yield* Effect.flip(analysisOf(filesOf({ "a.ts": "// ABORT" }), {}, breaking()))
        assert.strictEqual(error._tag, "AnalysisFailed")
      }))
  })
})
