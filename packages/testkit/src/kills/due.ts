/**
 * Two servers on one database that are killed again and again, at any moment, while thousands of timers fall due: settlements that
 * are late when the servers start, and disputes whose time for evidence ends while they run. Each timer must have run once in effect.
 */
import { standingAt } from "@svc/kernel/values/time"
import { Ledger } from "@svc/ledger/financial-events/service"
import { EVIDENCE_DAYS } from "@svc/payments/disputes/model"
import { Disputes } from "@svc/payments/disputes/service"
import { PaymentIntents } from "@svc/payments/payment-intents/service"
import { Clock, Effect, Exit, Schedule, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { type Chance, makeChance } from "../simulation/chance.ts"
import { makeMerchants } from "./inside.ts"
import { dataDir, startServer } from "./server.ts"

const SERVERS = 2
const MERCHANTS = 8
const DAY = 86_400_000
const LEASE_SECONDS = 5
/** A server lives so long after it is ready, or after the first timer that ran meanwhile. */
const [SHORTEST, LONGEST] = [50, 1_500]
/** What a slow machine needs to the first timer. */
const FIRST_TIMER_WITHIN = "10 seconds"
/** What a server needs to start and to live, and a little more: disputes end for so long. */
const MILLIS_PER_KILL = 8_000
const DRAINED_WITHIN_MILLIS = 240_000

export interface DueReport {
  readonly timers: number
  readonly killed: number
  /** Kills by which some timers had run and others had not. */
  readonly meanwhile: number
  /** From the last kill until all had run, milliseconds. */
  readonly drained: number
  /** What did not happen, or not once; none when all holds. */
  readonly problems: ReadonlyArray<string>
}

type Merchant = Effect.Success<ReturnType<typeof makeMerchants>>[number]

/** A payment, long settled by rights, whose dispute can be answered until this moment. */
const dispute = Effect.fnUntraced(function*({ account, id }: Merchant, until: number) {
  const [disputes, intents] = [yield* Disputes, yield* PaymentIntents]
  yield* standingAt(until - EVIDENCE_DAYS * DAY)(Effect.gen(function*() {
    const { id: intent } = yield* intents.charge({
      account,
      cause: `due:${id}:${until}`,
      customer_present: false,
      origin: { type: "test", id: `due:${until}` },
      payment: { amount: 4_900, currency: "USD" },
      payment_method_id: "tok_visa"
    })
    yield* disputes.report(account, intent, { amount: undefined, reason: "10.4", network_reference: `due_${intent}` })
  }))
}, Effect.orDie)

/** So many timers, half of them late and the others due between two moments. */
const setTimers = (merchants: ReadonlyArray<Merchant>, timers: number, from: number, to: number) => {
  const each = Math.ceil(timers / 2 / merchants.length)
  return Effect.forEach(
    merchants,
    (merchant) =>
      Effect.forEach(Array.from({ length: each }, (_, n) => n), (n) => dispute(merchant, Math.round(from + ((to - from) * n) / each)), {
        discard: true
      }),
    {
      concurrency: "unbounded",
      discard: true
    }
  )
}

/**
 * One server after another, the first killed some time after it was ready, the next once a timer has run, and so on in turn. Returns how
 * many timers had run by each kill.
 */
const place = Effect.fnUntraced(function*(chance: Chance, kills: number, ran: Effect.Effect<number, never, SqlClient.SqlClient>) {
  const folder = yield* dataDir
  const found: Array<number> = []
  for (let n = 0; n < kills; n++) {
    const scope = yield* Scope.make()
    const server = yield* Scope.provide(startServer({ dataDir: folder, leaseSeconds: LEASE_SECONDS }), scope)
    const before = yield* ran
    yield* server.ready
    if (n % 2 === 1) {
      const looks = Schedule.spaced("20 millis").pipe(Schedule.upTo({ duration: FIRST_TIMER_WITHIN }))
      yield* Effect.repeat(ran, { schedule: looks, until: (count) => count > before })
    }
    yield* Effect.sleep(chance.between(SHORTEST, LONGEST))
    yield* server.kill
    yield* Scope.close(scope, Exit.void)
    found.push(yield* ran)
  }
  return found
})

const count = Effect.fnUntraced(function*(accounts: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly open: number; readonly ran: number }>`
    SELECT (SELECT count(*)::int FROM timers WHERE account_id = ANY(${accounts}::text[])) AS open,
      (SELECT count(*)::int FROM financial_events WHERE merchant_id = ANY(${accounts}::text[]) AND event_type IN ('settlement_completed', 'dispute_expired')) AS ran`
  return row ?? { open: 0, ran: 0 }
}, Effect.orDie)

/** What did not come to its end exactly once, in the ledger and in what merchants are told. */
const wrong = Effect.fnUntraced(function*(accounts: ReadonlyArray<string>, timers: number) {
  const sql = yield* SqlClient.SqlClient
  const ledger = yield* Ledger
  const booked = yield* sql<{ readonly event_type: string; readonly resources: number; readonly n: number }>`
    SELECT event_type, count(DISTINCT resource_id)::int AS resources, count(*)::int AS n FROM financial_events
    WHERE merchant_id = ANY(${accounts}::text[]) AND event_type IN ('settlement_completed', 'dispute_expired') GROUP BY event_type ORDER BY event_type`
  const told = yield* sql<{ readonly type: string; readonly resources: number; readonly n: number }>`
    SELECT type, count(DISTINCT resource_id)::int AS resources, count(*)::int AS n FROM events
    WHERE account_id = ANY(${accounts}::text[]) AND type IN ('settlement.completed', 'dispute.closed') GROUP BY type ORDER BY type`
  const half = timers / 2
  const once = [{ event_type: "dispute_expired", resources: half, n: half }, {
    event_type: "settlement_completed",
    resources: half,
    n: half
  }]
  const heard = [{ type: "dispute.closed", resources: half, n: half }, { type: "settlement.completed", resources: half, n: half }]
  const verified = yield* Effect.forEach(accounts, (account) => ledger.verify(account))
  return [
    ...(JSON.stringify(booked) === JSON.stringify(once) ? [] : [`the ledger has ${JSON.stringify(booked)}`]),
    ...(JSON.stringify(told) === JSON.stringify(heard) ? [] : [`merchants were told ${JSON.stringify(told)}`]),
    ...verified.filter(({ ok }) => !ok).map((one) => `a ledger does not verify: ${JSON.stringify(one)}`)
  ]
}, Effect.orDie)

/** Kills each of two servers so often while so many timers, an even number, fall due. */
export const due = Effect.fn("due")(function*(seed: string, timers: number, kills: number) {
  const chance = makeChance(`due/${seed}`)
  const merchants = yield* makeMerchants(MERCHANTS)
  const accounts = merchants.map(({ id }) => id)
  const set = Math.ceil(timers / 2 / MERCHANTS) * MERCHANTS * 2
  // Those that end while timers are still being set are late, too.
  const from = yield* Clock.currentTimeMillis
  yield* setTimers(merchants, timers, from, from + (set * 10) + kills * MILLIS_PER_KILL)
  const ranBy = yield* Effect.forEach(
    Array.from({ length: SERVERS }, (_, n) => makeChance(`${seed}/${n}`)),
    (own) => place(own, kills, Effect.map(count(accounts), ({ ran }) => ran)),
    { concurrency: "unbounded" }
  )
  const meanwhile = ranBy.flat().filter((ran) => ran > 0 && ran < set).length
  const lastKill = yield* Clock.currentTimeMillis
  const last = yield* startServer({ dataDir: yield* dataDir, leaseSeconds: LEASE_SECONDS })
  yield* last.ready
  const drained: Effect.Effect<number, never, SqlClient.SqlClient> = Effect.gen(function*() {
    const { open } = yield* count(accounts)
    const millis = (yield* Clock.currentTimeMillis) - lastKill
    return open === 0 || millis > DRAINED_WITHIN_MILLIS ? millis : yield* Effect.andThen(Effect.sleep(chance.between(200, 300)), drained)
  })
  const millis = yield* drained
  const problems = yield* wrong(accounts, set)
  const report: DueReport = { timers: set, killed: SERVERS * kills, meanwhile, drained: millis, problems }
  return report
}, Effect.scoped)
