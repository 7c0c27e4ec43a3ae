/** How long one process takes for dispute deadlines and payouts that fall due at one moment, and how long its answers take meanwhile. */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import { Keyring } from "@svc/platform/encryption/keyring"
import { keyFileIn, keysOfFile } from "@svc/platform/encryption/settings"
import { Clock, DateTime, Duration, Effect, Fiber, Schedule } from "effect"
import { randomUUID } from "node:crypto"
import { authorize, capture, create, type Send, Unexpected } from "../load/charge.ts"
import { Pool } from "../load/pool.ts"
import { accountIdSql, secretKey } from "../merchants.ts"
import { createDatabase, query, run, settleAfterLoad } from "../postgres.ts"
import { BenchFailed, load, startServer } from "../processes.ts"
import { atMost, figure, type Row } from "../report.ts"
import { Stage } from "../stage.ts"
import { withBusyCores } from "../usage.ts"

const SECONDS = 20
/** How much longer an answer may take than when nothing falls due. */
const TIMES = 2
const CONNECTIONS = 16
/** Whose deadlines and payouts they are. */
const MERCHANTS = 100
/** Seconds of requests, with nothing due and then with everything. */
const LOADED = 10
const WARMUP = 2
/** Deadlines, and payouts, that fall due before anything is measured, so that the code they run is compiled. */
const FIRST = 1_000
/** How long before they fall due that is written, milliseconds: the writing itself is not to be measured. */
const AHEAD = 20_000
const AMOUNT = 2_000

const numbered = (prefix: string, n: string) => `'${prefix}_' || lpad((${n})::text, 26, '0')`
const merchant = accountIdSql.replace("n::text", "(n % 100)::text")

/**
 * A bank account for each merchant, sealed with the key of the server; and payouts at the bank, whose money is reserved and which are
 * counted.
 */
const seed = (keyring: Keyring["Service"], count: number): ReadonlyArray<string> => {
  const boxes = Array.from(
    { length: MERCHANTS },
    (_, n) => `(${n}, '${JSON.stringify(keyring.seal("DE89370400440532013000", `ti_${String(n).padStart(26, "0")}`))}'::jsonb)`
  )
  return [
    `INSERT INTO transfer_instruments (account_id, id, type, status, currency, holder_name, last4, sealed, is_default, wrong_tries, created_at, updated_at, version)
     SELECT ${accountIdSql}, ${
      numbered("ti", "n")
    }, 'bank_account', 'active', 'USD', 'Bench', '3000', box, true, 0, now(), now(), 1 FROM (VALUES ${boxes.join(", ")}) AS boxes(n, box)`,
    `INSERT INTO payouts (merchant_id, id, amount, currency, status, destination_id, fee_amount, automatic, submit_at, created_at, updated_at, version)
     SELECT ${merchant}, ${numbered("po", "n")}, ${AMOUNT}, 'USD', 'processing', ${
      numbered("ti", "n % 100")
    }, 0, false, now(), now(), now(), 1 FROM generate_series(0, ${count - 1}) n`,
    `INSERT INTO counters (account_id, name, key, period, window_start, spent, reserved, updated_at)
     SELECT ${accountIdSql}, 'payouts_in_flight', ${numbered("ti", "n")}, 'life', '1970-01-01T00:00:00Z', 0, ${
      count / MERCHANTS
    }, now() FROM generate_series(0, ${MERCHANTS - 1}) n`,
    `UPDATE balance_accounts SET reserved = reserved + ${
      AMOUNT * count / MERCHANTS
    } WHERE account_id < 'acct_' || lpad('${MERCHANTS}', 26, '0')`
  ]
}

/** So many of them, behind those that are past, fall due at one moment, an instant of ISO 8601. */
const dueAt = (past: number, count: number, moment: string): string =>
  `WITH those AS (SELECT merchant_id, id FROM disputes WHERE status = 'open' ORDER BY id LIMIT ${count}),
     open AS (UPDATE disputes d SET evidence_due_by = '${moment}' FROM those WHERE d.merchant_id = those.merchant_id AND d.id = those.id),
     asked AS (UPDATE timers t SET due_at = '${moment}' FROM those WHERE t.account_id = those.merchant_id AND t.kind = 'dispute.due' AND t.resource_id = those.id)
   INSERT INTO timers (account_id, kind, resource_id, due_at, attempts) SELECT ${merchant}, 'payout.due', ${
    numbered("po", "n")
  }, '${moment}', 0 FROM generate_series(${past}, ${past + count - 1}) n`

const LEFT =
  `SELECT (SELECT count(*) FROM (SELECT 1 FROM timers WHERE due_at <= now() AND NOT held AND kind IN ('dispute.due', 'payout.due') LIMIT 1))::float8 AS left`

const FOUND = `SELECT
  (SELECT count(*) FROM payouts WHERE status = 'completed')::float8 AS paid,
  (SELECT count(*) FROM disputes WHERE status = 'expired')::float8 AS expired,
  (SELECT count(*) FROM financial_events WHERE event_type = 'payout_completed')::float8 AS payouts,
  (SELECT count(*) FROM financial_events WHERE event_type = 'dispute_expired')::float8 AS disputes`

interface Found {
  readonly paid: number
  readonly expired: number
  readonly payouts: number
  readonly disputes: number
}

/** A captured payment that its customer disputes. */
const disputed = (send: Send) => (n: number) =>
  Effect.tryPromise({
    try: async () => {
      const id = await create(send, n % MERCHANTS)
      await authorize(send, n % MERCHANTS, id)
      await capture(send, n % MERCHANTS, id)
      const answer = await send(
        "POST",
        "/v1/disputes/simulate",
        secretKey(n % MERCHANTS),
        JSON.stringify({ payment_intent_id: id, idempotency_key: randomUUID() })
      )
      if (answer.status !== 201) throw new Unexpected("dispute", answer)
    },
    catch: (error) => new BenchFailed({ message: `A payment could not be disputed: ${String(error)}` })
  })

export const deadlines = Effect.gen(function*() {
  const { folder, maximum, plan } = yield* Stage
  const count = plan.deadlines / 2
  const all = FIRST + count
  const database = yield* createDatabase("bench_deadlines", MERCHANTS + plan.merchants)
  const server = yield* startServer(database.url, folder)
  const keyring = Keyring.make(yield* Effect.provide(keysOfFile(keyFileIn(folder)), [NodeFileSystem.layer, NodePath.layer]))
  const pool = yield* Effect.acquireRelease(
    Effect.sync(() => new Pool(server.port, CONNECTIONS)),
    (open) => Effect.sync(() => open.close())
  )
  const send: Send = (method, path, key, body) => pool.send(method, path, key, body)
  yield* Effect.forEach(Array.from({ length: all }, (_, n) => n), disputed(send), { concurrency: CONNECTIONS, discard: true })
  yield* run(database.name, seed(keyring, all))
  // A look that costs little: it is taken while everything is measured.
  const whenAllRan = Effect.repeat(query<{ left: number }>(database.name, LEFT), {
    until: ([row]) => row?.left === 0,
    schedule: Schedule.spaced("200 millis").pipe(Schedule.upTo({ duration: "5 minutes" }))
  })
  yield* run(database.name, [dueAt(0, FIRST, DateTime.formatIso(yield* DateTime.now))])
  yield* whenAllRan
  const rate = (yield* maximum) / 2
  yield* settleAfterLoad(database.name)
  const half = load({
    kind: "charges",
    port: server.port,
    connections: plan.connections,
    firstMerchant: MERCHANTS,
    merchants: plan.merchants,
    rate,
    warmup: WARMUP,
    seconds: LOADED
  })
  const { latency: quiet } = yield* half
  const moment = (yield* Clock.currentTimeMillis) + AHEAD
  yield* run(database.name, [dueAt(FIRST, count, DateTime.formatIso(DateTime.makeUnsafe(moment)))])
  yield* settleAfterLoad(database.name)
  const until = (millis: number) =>
    Effect.flatMap(Clock.currentTimeMillis, (present) => Effect.sleep(Duration.millis(Math.max(0, millis - present))))
  yield* until(moment - WARMUP * 1000)
  const requests = yield* Effect.forkChild(withBusyCores(half))
  yield* until(moment)
  const expected: Found = { paid: all, expired: all, payouts: all, disputes: all }
  yield* whenAllRan
  const seconds = ((yield* Clock.currentTimeMillis) - moment) / 1000
  const { busy: cores, value: { latency: busy } } = yield* Fiber.join(requests)
  const found = yield* query<Found>(database.name, FOUND)
  if (JSON.stringify(found[0]) !== JSON.stringify(expected)) {
    return yield* new BenchFailed({
      message: `After the deadlines there should be ${JSON.stringify(expected)}; there is ${JSON.stringify(found[0])}`
    })
  }
  const times = busy.p99 / quiet.p99
  return [
    atMost(
      `${plan.deadlines.toLocaleString("en")} dispute deadlines and payouts due at one moment, each once, under half load`,
      seconds,
      SECONDS,
      `${figure(seconds)} s`,
      `<= ${SECONDS} s`
    ),
    atMost(
      `a request meanwhile at ${figure(rate)} charges/s (half), p99 against that with nothing due`,
      times,
      TIMES,
      `${figure(times)} times (${figure(busy.p99)} ms against ${figure(quiet.p99)} ms)`,
      `<= ${TIMES} times`
    ),
    { measure: "cores of the machine that were busy meanwhile", value: figure(cores) }
  ] satisfies ReadonlyArray<Row>
}).pipe(Effect.scoped)
