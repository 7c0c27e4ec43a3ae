/** How long a person waits for the home page of the desk, on a slow machine, with many payments behind it, and how much is sent. */
import { hashSecret } from "@svc/accounts/api-keys/secret"
import { makeId } from "@svc/kernel/values/ids"
import { chromiumPath } from "@svc/testkit/browser/chromium"
import { Clock, Effect } from "effect"
import { chromium } from "playwright-core"
import { latencies, median } from "../load/histogram.ts"
import { accountId } from "../merchants.ts"
import { createDatabase, dropDatabase, run, settleAfterLoad } from "../postgres.ts"
import { BenchFailed, startServer } from "../processes.ts"
import { atMost, figure, type Row } from "../report.ts"
import { Stage } from "../stage.ts"
import { capturedPayments } from "./listing.ts"

const DATABASE = "bench_home"
const USABLE_MILLIS = 1_500
const MOST_BYTES = 150_000
/** As for a list: its first rows. */
const ANSWER_MILLIS = 200
/** How many times slower than this machine. */
const SLOWDOWN = 4
const VISITS = 7
const QUESTIONS = 40

const SECRET = "session_of_the_benchmark"
const [USER, SESSION] = [makeId("usr", 0), makeId("ses", 0)]

/** Captures over the last thirty days, as they lie in the ledger, and somebody who is signed in. */
const seed = (count: number): ReadonlyArray<string> => [
  `INSERT INTO financial_events (id, merchant_id, sequence_id, event_type, direction, amount, currency, delta_available, delta_pending,
     delta_reserved, counter_account, counter_delta, idempotency_key, ordinal, resource_type, resource_id, hash_version, previous_hash,
     event_hash, reconciliation_status, created_at)
   SELECT 'fe_' || lpad(n::text, 26, '0'), '${accountId(0)}', n, 'payment_captured', 'credit', 2000, 'USD', 0, 2000, 0, 'P.rail_clearing',
     -2000, n::text, 0, 'payment_intent', 'pi_' || lpad(n::text, 26, '0'), 1, repeat('0', 64), repeat('0', 64), 'pending',
     now() - interval '29 days' + n * (interval '29 days' / ${count})
   FROM generate_series(1, ${count}) n`,
  `INSERT INTO balance_accounts VALUES ('${accountId(0)}', 'USD', '${makeId("ba", 0)}', 0, 2000 * ${count}::bigint, 0, now())
   ON CONFLICT DO NOTHING`,
  `INSERT INTO users (id, name, created_at, updated_at, version) VALUES ('${USER}', 'Ada Berg', now(), now(), 1)`,
  `INSERT INTO members (account_id, user_id, role, created_at, updated_at, version)
   VALUES ('${accountId(0)}', '${USER}', 'owner', now(), now(), 1)`,
  `INSERT INTO sessions (id, user_id, account_id, hash, created_at, seen_at, confirmed_at)
   VALUES ('${SESSION}', '${USER}', '${accountId(0)}', '${hashSecret(SECRET)}', now(), now(), now())`
]

interface Visit {
  readonly usable: number
  readonly bytes: number
}

/** A visit by a browser that has kept nothing, from the click until the page is drawn and its scripts have run. */
const visit = async (port: number): Promise<ReadonlyArray<Visit>> => {
  const browser = await chromium.launch({ executablePath: chromiumPath() ?? "", args: ["--no-sandbox", "--disable-gpu"] })
  try {
    const visits: Array<Visit> = []
    for (let n = 0; n < VISITS; n++) {
      const context = await browser.newContext()
      await context.addCookies([{ name: "desk", value: SECRET, url: `http://localhost:${port}/` }])
      const page = await context.newPage()
      const session = await context.newCDPSession(page)
      await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN })
      const answer = await page.goto(`http://localhost:${port}/desk`, { waitUntil: "load" })
      if (answer?.status() !== 200) throw new Error(`the home page answered ${answer?.status()}`)
      visits.push(
        await page.evaluate(async () => {
          await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))
          const sent = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
          return {
            usable: performance.now(),
            bytes: sent.reduce((sum, entry) => sum + (entry as PerformanceResourceTiming).transferSize, 0)
          }
        })
      )
      await context.close()
    }
    return visits
  } finally {
    await browser.close()
  }
}

export const home = Effect.gen(function*() {
  const { folder, plan } = yield* Stage
  yield* Effect.addFinalizer(() => Effect.orDie(dropDatabase(DATABASE)))
  const database = yield* createDatabase(DATABASE, 1)
  yield* run(DATABASE, [...capturedPayments(plan.large), ...seed(plan.large)])
  yield* settleAfterLoad(DATABASE)
  const { port } = yield* startServer(database.url, folder)
  const attempt = <A>(what: () => Promise<A>) =>
    Effect.tryPromise({ try: what, catch: (error) => new BenchFailed({ message: `The home page could not be had: ${String(error)}` }) })
  const look = attempt(async () => {
    const answer = await fetch(`http://localhost:${port}/desk`, { headers: { cookie: `desk=${SECRET}` } })
    const text = await answer.text()
    if (answer.status !== 200) throw new Error(`it answered ${answer.status}`)
    return text
  })
  const begun = yield* Clock.currentTimeMillis
  yield* Effect.repeat(look, { until: (text) => !text.includes("still being added up") })
  const added = (yield* Clock.currentTimeMillis) - begun
  const times: Array<number> = []
  for (let n = 0; n < QUESTIONS; n++) {
    const at = yield* Clock.monotonicTimeNanos
    yield* look
    times.push(Number((yield* Clock.monotonicTimeNanos) - at) / 1e6)
  }
  const { p50, p99 } = latencies(times)
  const name = `home page of the desk, ${plan.large.toLocaleString("en")} payments`
  const answered = [
    atMost(`${name}: answered, median`, p50, ANSWER_MILLIS, `${figure(p50)} ms (p99 ${figure(p99)})`, `<= ${ANSWER_MILLIS} ms`),
    { measure: `${name}: the ledger added up for the first time`, value: `${figure(added / 1_000)} s` }
  ]
  if (chromiumPath() === undefined) return [...answered, { measure: `${name}: usable`, value: "no Chromium", must: "<= 1,500 ms" }]
  const visits = yield* attempt(() => visit(port))
  const usable = median(visits.map((one) => one.usable))
  const bytes = Math.max(...visits.map((one) => one.bytes))
  return [
    ...answered,
    atMost(`${name}: usable at ${SLOWDOWN}x slowdown, median`, usable, USABLE_MILLIS, `${figure(usable)} ms`, `<= ${USABLE_MILLIS} ms`),
    atMost(`${name}: sent`, bytes, MOST_BYTES, `${figure(bytes / 1_000)} kB`, `<= ${MOST_BYTES / 1_000} kB`)
  ] satisfies ReadonlyArray<Row>
}).pipe(Effect.scoped)
