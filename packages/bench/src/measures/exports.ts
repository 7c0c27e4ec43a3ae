/** What an export of a long list costs: its memory, and how long payments wait beside it. */
import { Duration, Effect, Fiber } from "effect"
import { median } from "../load/histogram.ts"
import { createDatabase, run, settleAfterLoad } from "../postgres.ts"
import { BenchFailed, load, startServer } from "../processes.ts"
import { atMost, figure, type Row } from "../report.ts"
import { Stage } from "../stage.ts"
import { forgetHighest, memory, ownSeconds } from "../usage.ts"
import { SESSION, signedIn } from "./desk.ts"
import { capturedPayments } from "./listing.ts"

const DATABASE = "bench_exports"
const MEBIBYTES = 30
const RATIO = 1.5
const PER_SECOND = 50
const ROUNDS = 3
/** Payments are those of other accounts: 0 is the one that exports. */
const MERCHANTS = 10

/** Reads an export to its end and counts its lines; nothing of it is kept. */
const exported = (port: number, query: string) =>
  Effect.tryPromise({
    try: async (signal) => {
      const answer = await fetch(`http://127.0.0.1:${port}/desk/exports/payments?${query}`, {
        headers: { cookie: `desk=${SESSION}` },
        signal
      })
      if (answer.status !== 200 || answer.body === null) throw new Error(`it answered ${answer.status}`)
      let lines = 0
      for await (const piece of answer.body) for (const byte of piece) if (byte === 10) lines++
      return lines
    },
    catch: (error) => new BenchFailed({ message: `The list could not be exported: ${String(error)}` })
  })

export const exports = Effect.gen(function*() {
  const { folder, plan } = yield* Stage
  const database = yield* createDatabase(DATABASE, 1 + MERCHANTS)
  yield* run(DATABASE, [...capturedPayments(plan.large), ...signedIn])
  yield* settleAfterLoad(DATABASE)
  const { pid, port } = yield* startServer(database.url, folder)
  const seconds = plan.quick ? 8 : 20
  const charges = load({
    kind: "charges",
    port,
    connections: 16,
    firstMerchant: 1,
    merchants: MERCHANTS,
    rate: PER_SECOND,
    warmup: 3,
    seconds
  })
  const p99 = Effect.map(charges, ({ latency }) => latency.p99)

  // The server has done all of it before, so that what is measured is the length of the export.
  yield* exported(port, `after=pi_${String(10_000).padStart(26, "0")}`)
  yield* charges
  const before = memory(pid)
  if (before !== undefined) forgetHighest(pid)
  const cpu = ownSeconds(pid) ?? 0
  const [took, lines] = yield* Effect.timed(exported(port, "time_zone=Europe/Berlin"))
  const more = (memory(pid)?.highest ?? 0) - (before?.now ?? 0)
  const used = (ownSeconds(pid) ?? 0) - cpu
  if (lines !== plan.large + 1) return yield* new BenchFailed({ message: `The export had ${lines} lines` })

  const [without, within]: [Array<number>, Array<number>] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    without.push(yield* p99)
    const running = yield* Effect.forkChild(Effect.forever(exported(port, "format=ndjson")))
    within.push(yield* p99)
    yield* Fiber.interrupt(running)
  }
  const [alone, beside] = [median(without), median(within)]
  const many = plan.large.toLocaleString("en")
  return [
    atMost(
      `${many} payments exported as CSV, more memory of the server`,
      more,
      MEBIBYTES,
      before === undefined
        ? "only Linux tells"
        : `${figure(more)} MiB (from ${figure(before.now)} MiB, in ${figure(Duration.toSeconds(took))} s, ${
          figure(used)
        } s of its processor)`,
      `<= ${MEBIBYTES} MiB`
    ),
    atMost(
      `a charge's requests at ${PER_SECOND} charges/s beside an export, p99 over p99 without one`,
      beside / alone,
      RATIO,
      `${figure(beside / alone)} (${figure(beside)} ms over ${figure(alone)} ms)`
    )
  ] satisfies ReadonlyArray<Row>
}).pipe(Effect.scoped)
