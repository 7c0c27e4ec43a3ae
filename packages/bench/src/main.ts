/**
 * The benchmark: each figure beside what must be reached.
 *
 *   npm run bench [-- --quick] [-- --only
 *   charges,one-request,hot,latency,pages,webhooks,listing,clock,settlements,deadlines,reconciliation,search,vectors,tools,credits,budget,renewals,metrics,sessions,books,utilities,analysis,desk,exports,flood,home,restart]
 *
 * A full run writes docs/evidence/bench.md. With `--quick` or `--only` it prints and writes nothing.
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { layer as embeddedLayer } from "@svc/platform/database/embedded"
import { Clock, Console, Effect, Layer } from "effect"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { misses } from "./causes.ts"
import { type Fact, facts } from "./machine.ts"
import { analysis } from "./measures/analysis.ts"
import { books } from "./measures/books.ts"
import { budget } from "./measures/budget.ts"
import { charges } from "./measures/charges.ts"
import { clock } from "./measures/clock.ts"
import { credits } from "./measures/credits.ts"
import { deadlines } from "./measures/deadlines.ts"
import { desk } from "./measures/desk.ts"
import { exports } from "./measures/exports.ts"
import { flood } from "./measures/flood.ts"
import { home } from "./measures/home.ts"
import { hotMerchant } from "./measures/hot-merchant.ts"
import { latency } from "./measures/latency.ts"
import { listing } from "./measures/listing.ts"
import { metrics } from "./measures/metrics.ts"
import { oneRequest } from "./measures/one-request.ts"
import { pages } from "./measures/pages.ts"
import { reconciliation } from "./measures/reconciliation.ts"
import { renewals } from "./measures/renewals.ts"
import { restart } from "./measures/restart.ts"
import { search } from "./measures/search.ts"
import { sessions } from "./measures/sessions.ts"
import { settlements } from "./measures/settlements.ts"
import { tools } from "./measures/tools.ts"
import { utilities } from "./measures/utilities.ts"
import { vectors } from "./measures/vectors.ts"
import { webhooks } from "./measures/webhooks.ts"
import { full, quick } from "./plan.ts"
import { BenchFailed, ROOT } from "./processes.ts"
import { markdown, plain, type Row } from "./report.ts"
import { layer as stageLayer } from "./stage.ts"

const measures = {
  charges,
  "one-request": oneRequest,
  hot: hotMerchant,
  latency,
  pages,
  webhooks,
  listing,
  clock,
  settlements,
  deadlines,
  reconciliation,
  search,
  vectors,
  tools,
  credits,
  budget,
  renewals,
  metrics,
  sessions,
  books,
  utilities,
  analysis,
  desk,
  exports,
  flood,
  home,
  restart
}
const names = Object.keys(measures)

const read = Effect.try({
  try: () => parseArgs({ options: { quick: { type: "boolean", default: false }, only: { type: "string" } } }).values,
  catch: (error) =>
    new BenchFailed({
      message: `${error instanceof Error ? error.message : String(error)}. Use --quick, or --only with names of: ${names.join(", ")}.`
    })
})

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "svc-bench-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

const page = (known: ReadonlyArray<Fact>, rows: ReadonlyArray<Row>, seconds: number): string =>
  [
    "# Benchmark",
    "",
    "Written by `npm run bench`; how the figures are taken is in [README.md](README.md).",
    "",
    ...known.map(({ name, value }) => `- ${name}: ${value}`),
    `- duration: ${Math.round(seconds)} s`,
    "",
    markdown(rows),
    "",
    "## What is not reached, and why",
    "",
    ...misses(rows).map((line) => `- ${line}`),
    ""
  ].join("\n")

const publish = (text: string) =>
  Effect.sync(() => {
    mkdirSync(join(ROOT, "docs/evidence"), { recursive: true })
    writeFileSync(join(ROOT, "docs/evidence/bench.md"), text)
  })

const program = Effect.gen(function*() {
  const options = yield* read
  const wanted = options.only?.split(",").map((name) => name.trim())
  const unknown = wanted?.find((name) => !names.includes(name))
  if (unknown !== undefined) {
    return yield* new BenchFailed({ message: `There is no measure "${unknown}". Use --only with names of: ${names.join(", ")}.` })
  }
  const path = yield* folder
  const plan = options.quick ? quick : full
  const begun = yield* Clock.currentTimeMillis
  const run = Effect.gen(function*() {
    const known = yield* facts("npm run bench")
    yield* Console.log(known.map(({ name, value }) => `${name}: ${value}`).join("\n"))
    const rows: Array<Row> = []
    for (const [name, measure] of Object.entries(measures)) {
      if (wanted !== undefined && !wanted.includes(name)) continue
      yield* Console.log(`\n${name}`)
      const found = yield* measure
      rows.push(...found)
      yield* Console.log(plain(found))
    }
    const seconds = ((yield* Clock.currentTimeMillis) - begun) / 1000
    yield* Console.log(`\n${[plain(rows), ...misses(rows)].join("\n\n")}\n\n${Math.round(seconds)} s in all`)
    if (plan.quick || wanted !== undefined) {
      return yield* Console.log("Not published: a full run on an idle machine writes docs/evidence/bench.md.")
    }
    yield* publish(page(known, rows, seconds))
    yield* Console.log("Written to docs/evidence/bench.md")
  })
  const postgres = embeddedLayer({ dataDir: join(path, "postgres") })
  return yield* run.pipe(Effect.provide(stageLayer(plan, path).pipe(Layer.provideMerge(postgres))))
}).pipe(Effect.scoped)

NodeRuntime.runMain(
  program.pipe(Effect.tapError((error) => Console.error(`bench: ${error.message}`))),
  { disableErrorReporting: true }
)
