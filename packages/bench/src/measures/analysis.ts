/** What an analysis of the sources of this repository costs: over parsing alone, the server that asks for it, and a payment meanwhile. */
import { engine as make } from "@svc/programs/confined/make"
import { pack, type Piece } from "@svc/programs/confined/pack"
import { engine as read } from "@svc/programs/confined/read"
import { loadGrammar, walking } from "@svc/programs/facts/grammars"
import { Effect } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { deflateRawSync, inflateRawSync } from "node:zlib"
import { atLeast, atMost, figure, type Row } from "../report.ts"
import { besideAnalysis } from "./beside-analysis.ts"

const PACKAGES = fileURLToPath(new URL("../../../", import.meta.url))
const MOST_FILES = 2000

/** Sources in TypeScript, deflated, by path. */
const sources = (): ReadonlyArray<Piece> =>
  readdirSync(PACKAGES, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !path.includes("node_modules")).toSorted().slice(0, MOST_FILES)
    .map((name) => ({ name, bytes: deflateRawSync(readFileSync(join(PACKAGES, name))) }))

const parseAlone = async (files: ReadonlyArray<Piece>): Promise<void> => {
  await loadGrammar("typescript")
  for (const { bytes } of files) walking("typescript", inflateRawSync(bytes).toString(), () => undefined)
}

const readFacts = async (files: ReadonlyArray<Piece>): Promise<ReadonlyArray<Piece>> =>
  (await read(pack(files))).files.map(({ facts, path }) => ({ name: path, bytes: Buffer.from(facts, "base64") }))

const makeAll = (facts: ReadonlyArray<Piece>) => make(pack(facts), { description: { project_name: "svc" }, make: "engineer", ran: [] })

const seconds = async (work: () => unknown): Promise<number> => {
  const since = performance.now()
  await work()
  return (performance.now() - since) / 1000
}

const overParsing = async (files: ReadonlyArray<Piece>) => {
  // Grammars are loaded and compiled before anything is measured.
  await readFacts(files.slice(0, 100))
  const parsed = await seconds(() => parseAlone(files))
  let facts: ReadonlyArray<Piece> = []
  const reading = await seconds(async () => {
    facts = await readFacts(files)
  })
  const making = await seconds(() => makeAll(facts))
  const whole = reading + making
  // All but one come from the cache.
  const again = await seconds(async () => {
    const changed = await readFacts(files.slice(0, 1))
    makeAll([...changed, ...facts.slice(1)])
  })
  return [
    { measure: `parsing ${files.length} files alone`, value: `${figure(parsed)} s (${figure(files.length / parsed)} files/s)` },
    { measure: "facts of them; links and all artifacts", value: `${figure(reading)} s; ${figure(making)} s` },
    atLeast("rate of the whole analysis over parsing alone", parsed / whole, 0.5, figure(parsed / whole)),
    atMost(`seconds of the whole analysis of ${files.length} files`, whole, 15, figure(whole)),
    atMost("again with one file changed, over the first", again / whole, 0.3, figure(again / whole))
  ] satisfies ReadonlyArray<Row>
}

export const analysis = Effect.gen(function*() {
  const files = sources()
  const alone = yield* Effect.promise(() => overParsing(files))
  const texts = files.map(({ bytes, name }) => ({ path: name, content: inflateRawSync(bytes).toString() }))
  return [...alone, ...(yield* besideAnalysis(texts))]
})
