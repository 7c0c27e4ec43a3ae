/** Whether a merchant with a hundred times the payments waits longer for page 1 of them, or for one of them. */
import { Effect } from "effect"
import { median } from "../load/histogram.ts"
import { accountId } from "../merchants.ts"
import { createDatabase, run, settle } from "../postgres.ts"
import { load, type Program, startServer } from "../processes.ts"
import { atMost, figure, type Row } from "../report.ts"
import { Stage } from "../stage.ts"

const intentId = (n: number): string => `pi_${String(n).padStart(26, "0")}`

/** Captured payments of the first merchant as the service writes them. In the transaction that emptied the table nothing is logged. */
export const capturedPayments = (count: number): ReadonlyArray<string> => [
  "BEGIN",
  "TRUNCATE payment_intents",
  `INSERT INTO payment_intents (merchant_id, id, amount, currency, state, idempotency_key, metadata, customer_id, payment_method_id, country,
     provider_reference, selected_rail, authorized_amount, captured_amount, refunded_amount, disputed_amount, fee_amount, unsettled_amount,
     capture_on_authorize, risk_cleared, routing, attempts, refunds, created_at, updated_at, version)
   SELECT '${
    accountId(0)
  }', 'pi_' || lpad(n::text, 26, '0'), 100 + n % 100000, 'USD', 'captured', 'key-' || n, jsonb_build_object('order_id', 'ord-' || n),
     'cus_' || n % 5000, 'tok_visa', 'DE', 'sim_' || lpad(n::text, 24, '0'), 'card_a', 100 + n % 100000, 100 + n % 100000, 0, 0, 30, 70 + n % 100000,
     false, false, '{"rules":[],"candidates":[{"rail":"card_a","score":100,"reason":"fallback order"}]}',
     jsonb_build_array(jsonb_build_object('id', 'att_' || lpad(n::text, 26, '0'), 'rail', 'card_a', 'amount', 100 + n % 100000, 'outcome', 'approved',
       'decline_code', null, 'provider_reference', 'sim_' || lpad(n::text, 24, '0'), 'rule', 'fallback order', 'score', 100,
       'created_at', '2026-01-01T00:00:00.000Z', 'finished_at', '2026-01-01T00:00:00.000Z')),
     '[]', '2026-01-01'::timestamptz + n * interval '1 second', '2026-01-01'::timestamptz + n * interval '1 second', 3
   FROM generate_series(1, ${count}) n`,
  "COMMIT"
]

interface Merchant {
  readonly server: Program
  readonly intents: number
}

/** A database whose first merchant has so many payments. */
export const databaseWith = Effect.fnUntraced(function*(name: string, intents: number) {
  const database = yield* createDatabase(name, 1)
  yield* run(name, capturedPayments(intents))
  yield* run(name, ["VACUUM ANALYZE payment_intents"])
  return database
})

const merchant = Effect.fnUntraced(function*(name: string, intents: number) {
  const { folder } = yield* Stage
  const database = yield* databaseWith(name, intents)
  return { server: yield* startServer(database.url, folder), intents } satisfies Merchant
})

const ROUNDS = 5
const SAMPLES = 97

/** Ids all over the merchant's history. */
const onePaths = ({ intents }: Merchant): ReadonlyArray<string> =>
  Array.from(
    { length: SAMPLES },
    (_, n) => `/v1/payment_intents/${intentId(1 + Math.floor(((n * 61) % SAMPLES) * (intents - 1) / SAMPLES))}`
  )

export const listing = Effect.gen(function*() {
  const { plan } = yield* Stage
  const small = yield* merchant("bench_small", plan.small)
  const large = yield* merchant("bench_large", plan.large)
  yield* settle
  const read = (of: Merchant, paths: ReadonlyArray<string>) =>
    Effect.map(
      load({ kind: "reads", port: of.server.port, connections: 1, firstMerchant: 0, merchants: 1, paths, reads: plan.reads }),
      ({ latency }) => latency.p50
    )
  const compare = Effect.fnUntraced(function*(what: string, paths: (of: Merchant) => ReadonlyArray<string>) {
    const few: Array<number> = []
    const many: Array<number> = []
    for (let n = 0; n < ROUNDS; n++) {
      few.push(yield* read(small, paths(small)))
      many.push(yield* read(large, paths(large)))
    }
    const ratio = median(many) / median(few)
    const text = `${figure(ratio)} (${figure(median(many))} ms over ${figure(median(few))} ms)`
    return atMost(`${what}: ${plan.large.toLocaleString("en")} intents over ${plan.small.toLocaleString("en")}, medians`, ratio, 1.3, text)
  })
  return [
    yield* compare("page 1 of the list", () => ["/v1/payment_intents"]),
    yield* compare("reading one intent", onePaths)
  ] satisfies ReadonlyArray<Row>
}).pipe(Effect.scoped)
