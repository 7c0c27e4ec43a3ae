/** What the wall around foreign work costs: a run of code, a page, a document, memory of the server, and a payment meanwhile. */
import { Confined } from "@svc/confined/service"
import { makeSandbox } from "@svc/engines/sandbox/sandbox"
import { FetchedPackages } from "@svc/platform/fetched/service"
import { Console, Duration, Effect, Layer } from "effect"
import { execFile } from "node:child_process"
import { median } from "../load/histogram.ts"
import { createDatabase, dropDatabase, run, settleAfterLoad } from "../postgres.ts"
import { BenchFailed, load, type Server, startServer } from "../processes.ts"
import { atMost, figure, type Row, spread } from "../report.ts"
import { Stage } from "../stage.ts"
import { GRANTS } from "./credits.ts"
import { document, PAGES, pages, pdfOf } from "./foreign-bytes.ts"
import { serverGrowth } from "./server-growth.ts"

const RUNS = 30
/** Requests of payments a second; a charge is three of them. */
const REQUESTS = 50
const SANDBOXES = 4
const DOCUMENTS = 2
const PLACES = SANDBOXES + DOCUMENTS
const DATABASE = "bench_utilities"
/** Keeps a core busy for some seconds. */
const BUSY = JSON.stringify({ runtime: "python", code: "for _ in range(10 ** 7): pass", timeout_seconds: 30 })

/** The interpreter as any program is started. */
const bare = Effect.callback<void, BenchFailed>((resume) => {
  execFile(
    "/usr/bin/python3",
    ["-c", "print(1)"],
    (error) => resume(error === null ? Effect.void : Effect.fail(new BenchFailed({ message: error.message })))
  )
})

const millis = <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.map(Effect.timed(work), ([duration]) => Duration.toMillis(duration))

/** One after the other in turn, so that both meet the same machine. */
const start = Effect.gen(function*() {
  const { run: runCode } = yield* makeSandbox
  const confined = runCode({ account: "acct_bench", runtime: "python", code: "print(1)", stdin: "", seconds: 30 })
  const times = { bare: new Array<number>(), confined: new Array<number>() }
  for (let n = -3; n < RUNS; n++) {
    const [without, within] = [yield* millis(bare), yield* millis(confined)]
    if (n < 0) continue
    times.bare.push(without)
    times.confined.push(within)
  }
  const shown = (values: ReadonlyArray<number>) => spread(values, median(values), "ms")
  const ratio = median(times.confined) / median(times.bare)
  return [
    { measure: "print(1) by the bare interpreter", value: shown(times.bare) },
    atMost("print(1) within bubblewrap over the bare interpreter", ratio, 3, `${figure(ratio)} (${shown(times.confined)})`)
  ] satisfies ReadonlyArray<Row>
})

/** Payments alone, then beside sandboxes and documents, in turn. */
const beside = Effect.fnUntraced(function*(server: Server) {
  const { plan } = yield* Stage
  const job = {
    connections: plan.connections,
    firstMerchant: 0,
    merchants: plan.merchants,
    warmup: 0,
    seconds: plan.latencySeconds / 3
  } as const
  const payments = load({ ...job, kind: "charges", port: server.port, rate: REQUESTS / 3 })
  const calls = (tool: string, connections: number, args: string) =>
    load({
      ...job,
      kind: "tool_calls",
      port: server.toolsPort,
      connections,
      merchants: connections,
      tool,
      arguments: args,
      caller: { _tag: "Merchants" }
    })
  const sandboxes = calls("svc_code_sandbox", SANDBOXES, BUSY)
  const pdf = yield* Effect.promise(() => pdfOf(PAGES))
  const documents = calls("svc_document_parsing", DOCUMENTS, JSON.stringify({ document_base64: pdf.toString("base64") }))
  yield* settleAfterLoad(DATABASE)
  yield* payments
  const p99 = { alone: new Array<number>(), beside: new Array<number>() }
  for (let n = 0; n < 3; n++) {
    const alone = (yield* payments).latency.p99
    const [meanwhile, ran, read] = yield* Effect.all([payments, sandboxes, documents], { concurrency: 3 })
    p99.alone.push(alone)
    p99.beside.push(meanwhile.latency.p99)
    yield* Console.log(
      `  round ${n + 1}: p99 ${figure(alone)} ms alone, ${
        figure(meanwhile.latency.p99)
      } beside ${ran.done} runs of code and ${read.done} documents`
    )
  }
  const ratios = p99.beside.map((value, n) => value / (p99.alone[n] ?? Number.NaN))
  const ratio = median(ratios)
  return [
    { measure: `p99 of a payment's request at ${REQUESTS} a second`, value: spread(p99.alone, median(p99.alone), "ms") },
    atMost(
      `p99 of a payment's request while ${SANDBOXES} sandboxes and ${DOCUMENTS} documents run, over alone`,
      ratio,
      1.5,
      `${spread(ratios, ratio)} (${figure(median(p99.beside))} ms)`
    )
  ] satisfies ReadonlyArray<Row>
})

export const utilities = Effect.gen(function*() {
  const { wall } = yield* Confined
  const found = yield* Effect.result(wall)
  if (found._tag === "Failure" || found.success.rung !== "bubblewrap") {
    return [{ measure: "sandboxes within bubblewrap", value: "this machine has no bubblewrap", must: "<= 3" }] satisfies ReadonlyArray<Row>
  }
  const { folder, plan } = yield* Stage
  yield* Effect.addFinalizer(() => Effect.orDie(dropDatabase(DATABASE)))
  const { url } = yield* createDatabase(DATABASE, plan.merchants)
  yield* run(DATABASE, [GRANTS], [PLACES])
  const settings = { CONFINED_PLACES: String(PLACES), TOOLS_EGRESS_ALLOW: "127.0.0.1" }
  const server = yield* startServer(url, `${folder}/utilities`, undefined, settings)
  return [
    ...(yield* start),
    ...(yield* pages),
    ...(yield* document),
    ...(yield* serverGrowth(server)),
    ...(yield* beside(server))
  ] satisfies ReadonlyArray<Row>
}).pipe(
  Effect.scoped,
  Effect.catchTags({
    DocumentRefused: ({ message }) => Effect.fail(new BenchFailed({ message })),
    DocumentPicture: () => Effect.fail(new BenchFailed({ message: "The PDF was taken for a picture" })),
    EngineFailed: ({ message }) => Effect.fail(new BenchFailed({ message })),
    NoWall: ({ message }) => Effect.fail(new BenchFailed({ message })),
    RuntimeAbsent: ({ message }) => Effect.fail(new BenchFailed({ message })),
    SandboxBusy: ({ message }) => Effect.fail(new BenchFailed({ message }))
  }),
  Effect.provide(
    Layer.provideMerge(Confined.layerOf({ confined: "best", places: PLACES, node: process.execPath }), FetchedPackages.layer("never"))
  )
)
