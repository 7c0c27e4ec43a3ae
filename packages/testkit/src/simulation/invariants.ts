/** What must hold after every history, whatever went wrong in it. The ids are those of docs/invariants.md. */
import type { StateMachine } from "@svc/kernel/resource/state-machine"
import { fromJsonText } from "@svc/kernel/values/json-codec"
import { Ledger } from "@svc/ledger/financial-events/service"
import { PaymentIntents } from "@svc/payments/payment-intents/service"
import { catalog } from "@svc/server/catalog"
import { Rebuild } from "@svc/webhooks/log/rebuild"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { billingBroken } from "./billing-invariants.ts"
import { conversionsBroken } from "./conversions.ts"
import { disputesBroken } from "./disputes.ts"
import { heldBroken } from "./held.ts"
import type { Played } from "./history.ts"
import { legsBroken } from "./legs.ts"
import { payoutsBroken } from "./payouts.ts"

interface IntentRow {
  readonly id: string
  readonly merchant_id: string
  readonly state: string
  readonly currency: string
  readonly amount: number
  readonly authorized_amount: number
  readonly captured_amount: number
  readonly refunded_amount: number
  readonly fee_amount: number
  readonly unsettled_amount: number
  readonly provider_reference: string | null
  readonly open_call: unknown
  readonly version: number
}

interface Booked {
  readonly resource_id: string
  readonly captured: number
  readonly refunded: number
  readonly fees: number
  readonly pending: number
}

const readId = Schema.decodeSync(fromJsonText(Schema.Struct({ id: Schema.String })))
const readState = Schema.decodeSync(
  fromJsonText(Schema.Struct({ state: Schema.optionalKey(Schema.String), status: Schema.optionalKey(Schema.String) }))
)

type Problems = Array<string>

const accountsOf = ({ accounts }: Played) => accounts.map(({ id }) => id)

/** M1, M3: every posting balances, and what the events moved is what the balances hold. */
const balances = Effect.fnUntraced(function*(played: Played, problems: Problems) {
  const own = accountsOf(played)
  const sql = yield* SqlClient.SqlClient
  const wrong = yield* sql`
    SELECT coalesce(e.merchant_id, b.account_id) AS account, coalesce(e.currency, b.currency) AS currency
    FROM (SELECT merchant_id, currency, sum(delta_available) AS available, sum(delta_pending) AS pending, sum(delta_reserved) AS reserved
      FROM financial_events WHERE merchant_id = ANY(${own}::text[]) GROUP BY merchant_id, currency) e
    FULL JOIN (SELECT * FROM balance_accounts WHERE account_id = ANY(${own}::text[])) b ON b.account_id = e.merchant_id AND b.currency = e.currency
    WHERE (coalesce(e.available, 0), coalesce(e.pending, 0), coalesce(e.reserved, 0))
      <> (coalesce(b.available, 0), coalesce(b.pending, 0), coalesce(b.reserved, 0))
      OR b.pending < 0 OR b.reserved < 0`
  for (const row of wrong) problems.push(`M1: ${JSON.stringify(row)}`)
  const unbalanced = yield* sql`SELECT currency FROM financial_events WHERE merchant_id = ANY(${own}::text[])
    GROUP BY currency HAVING sum(delta_available + delta_pending + delta_reserved + counter_delta) <> 0`
  for (const row of unbalanced) problems.push(`M1: postings do not sum to zero ${JSON.stringify(row)}`)
})

/** M2, M5: an intent's amounts are what its ledger says and what the provider did. */
const money = Effect.fnUntraced(function*(played: Played, problems: Problems) {
  const sql = yield* SqlClient.SqlClient
  const intents = yield* sql<IntentRow>`SELECT * FROM payment_intents WHERE merchant_id = ANY(${accountsOf(played)}::text[])`
  const booked = yield* sql<Booked>`SELECT resource_id,
      coalesce(sum(amount) FILTER (WHERE event_type IN ('payment_captured', 'gift_card_redeemed')), 0)::bigint AS captured,
      coalesce(sum(amount) FILTER (WHERE event_type IN ('payment_refunded', 'gift_card_loaded')), 0)::bigint AS refunded,
      coalesce(sum(amount) FILTER (WHERE event_type = 'fee_charged'), 0)::bigint AS fees,
      coalesce(sum(delta_pending), 0)::bigint AS pending
    FROM (SELECT coalesce(s.payment_intent_id, e.resource_id) AS resource_id, e.event_type, e.amount, e.delta_pending FROM financial_events e
      LEFT JOIN settlements s ON s.merchant_id = e.merchant_id AND s.id = e.resource_id
      WHERE e.merchant_id = ANY(${accountsOf(played)}::text[])) moved GROUP BY resource_id`
  const books = new Map(booked.map((row) => [row.resource_id, row]))
  const provider = new Map(played.books.report().payments.map((payment) => [payment.reference, payment]))
  const referenced = new Set<string>()
  for (const intent of intents) {
    const said = books.get(intent.id) ?? { captured: 0, refunded: 0, fees: 0, pending: 0 }
    const own = [intent.captured_amount, intent.refunded_amount, intent.fee_amount, intent.unsettled_amount]
    const ledger = [said.captured, said.refunded, said.fees, said.pending]
    if (own.join() !== ledger.join()) problems.push(`M2: ${intent.id} ${intent.state} says ${own.join()}, its ledger ${ledger.join()}`)
    if (intent.open_call !== null && intent.state !== "pending") problems.push(`M5: ${intent.id} still has an open call`)
    if (intent.state === "pending") problems.push(`M5: ${intent.id} is still pending after 15 days`)
    if (intent.provider_reference === null) continue
    referenced.add(intent.provider_reference)
    const there = provider.get(intent.provider_reference)
    if (there === undefined) problems.push(`M5: ${intent.id} names a payment the provider does not have`)
    else if (there.captured !== intent.captured_amount || there.refunded !== intent.refunded_amount) {
      // An approval of the wrong amount went back: nothing is held and nothing is kept.
      const mismatch = intent.state === "failed" && (there.voided || there.captured === there.refunded)
      if (!mismatch) {
        problems.push(
          `M5: ${intent.id} ${intent.state} ${intent.captured_amount}/${intent.refunded_amount}, provider ${there.captured}/${there.refunded}`
        )
      }
    }
  }
  for (const [reference, payment] of provider) {
    if (!referenced.has(reference) && payment.captured > payment.refunded && !payment.voided) {
      problems.push(`M5: the provider keeps ${payment.captured - payment.refunded} for ${reference}, which no intent knows`)
    }
  }
  for (const [key, { effects }] of Object.entries(played.books.report().keys)) {
    if (effects > 1) problems.push(`M5: the provider key ${key} had ${effects} effects`)
  }
})

/** M4: every chain verifies from its first event to its head. */
const chains = Effect.fnUntraced(function*(played: Played, problems: Problems) {
  const ledger = yield* Ledger
  for (const { id } of played.accounts) {
    const verdict = yield* ledger.verify(id)
    if (!verdict.ok) problems.push(`M4: ${id} breaks at ${JSON.stringify(verdict.first_break)}`)
  }
})

/** M15: what the tables hold is what the ledger and the log make of them. */
const rebuilt = Effect.fnUntraced(function*(played: Played, problems: Problems) {
  const [ledger, { differences }] = [yield* Ledger, yield* Rebuild]
  for (const { id } of played.accounts) {
    for (const one of [...yield* ledger.differences(id), ...yield* differences(id)]) problems.push(`M15: ${JSON.stringify(one)}`)
  }
})

/** M5, M6: one key is one answer; misuse is refused and reveals nothing. */
const keys = Effect.fnUntraced(function*(played: Played, problems: Problems) {
  const sql = yield* SqlClient.SqlClient
  for (const { answers, crashes, refusals, step, target } of played.sent) {
    const bodies = new Set(answers.map(({ body }) => body))
    if (bodies.size > 1) problems.push(`M5: ${bodies.size} different answers to ${step.verb} ${step.key}`)
    if (answers.length === 0 && refusals.length === 0) {
      problems.push(`M5: ${step.verb} ${step.key} on ${target} never got an answer (${crashes} crashes)`)
    }
  }
  const open = yield* sql<
    { readonly key: string }
  >`SELECT key, operation, resource_id FROM idempotency_keys WHERE status = 'in_progress' AND account_id = ANY(${
    accountsOf(played)
  }::text[])`
  for (const row of open) {
    // A call that never happened frees its request; when the intent has moved on meanwhile, the retry is refused for good.
    const request = played.sent.find(({ step }) => step.key === row.key)
    if (request?.refusals.at(-1)?.error !== "invalid_state") problems.push(`M5: a key is still in progress ${JSON.stringify(row)}`)
  }
  const said = new Set(played.misuse.map(({ answer }) => answer))
  if (said.size > 1) problems.push(`M6: misuse of keys is answered in ${said.size} ways: ${Array.from(said).join(" | ")}`)
  if (said.size === 1 && !said.values().next().value?.startsWith("idempotency_key_reused")) {
    problems.push(`M6: misuse is answered ${Array.from(said).join()}`)
  }
})

interface EventRow {
  readonly account_id: string
  readonly seq: number
  readonly type: string
  readonly resource_type: string
  readonly resource_id: string
  readonly resource_version: number
  readonly data: string
}

const states: Readonly<Record<string, ReadonlyArray<string>>> = {
  "payment_intent.created": ["created", "blocked"],
  "payment_intent.authorized": ["authorized"],
  "payment_intent.captured": ["captured"],
  "payment_intent.refunded": ["captured", "refunded"],
  "payment_intent.failed": ["failed"],
  "payment_intent.cancelled": ["cancelled"]
}

/** The states that a machine leads to from this one, and itself. */
const reachable = ({ transitions }: StateMachine, from: string | null): ReadonlySet<string | null> => {
  const found = new Set([from])
  for (const state of found) for (const move of transitions) if (move.from === state) found.add(move.to)
  return found
}

/** M7, M9: the event log has no gap, follows the tables of moves, and tells the state of each intent. */
const events = Effect.fnUntraced(function*(played: Played, problems: Problems) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<EventRow>`SELECT account_id, seq, type, resource_type, resource_id, resource_version, data FROM events
    WHERE account_id = ANY(${accountsOf(played)}::text[]) ORDER BY account_id, seq`
  const byName = new Map(catalog.machines.map((machine) => [machine.name, machine]))
  const last = new Map<string, { readonly version: number; readonly state: string }>()
  const counted = new Map<string, number>()
  for (const row of rows) {
    const seq = (counted.get(row.account_id) ?? 0) + 1
    counted.set(row.account_id, seq)
    if (row.seq !== seq) problems.push(`M9: ${row.account_id} has event ${row.seq} where ${seq} belongs`)
    const machine = byName.get(row.resource_type)
    if (machine === undefined) continue
    const data = readState(row.data)
    const state = data.state ?? data.status ?? ""
    if (states[row.type]?.includes(state) === false) problems.push(`M7: ${row.type} carries state ${state}`)
    const before = last.get(row.resource_id)
    if (!reachable(machine, before?.state ?? null).has(state) || (before !== undefined && before.version > row.resource_version)) {
      problems.push(
        `M7: ${row.resource_id} ${row.type} is ${state} at version ${row.resource_version} after ${before?.state} at version ${before?.version}`
      )
    }
    last.set(row.resource_id, { version: row.resource_version, state })
  }
  const intents = yield* sql<IntentRow>`SELECT id, state, version FROM payment_intents WHERE merchant_id = ANY(${
    accountsOf(played)
  }::text[])`
  for (const { id, state } of intents) {
    const told = last.get(id)?.state
    // Blocked and unblocked without an event: only these two may differ from what was last told.
    if (told !== state && !["created", "blocked"].includes(state)) problems.push(`M9: ${id} is ${state}, the events tell ${told}`)
  }
})

/**
 * M2: each capture has one settlement, of what is unsettled; what is on its way or arrived is no longer unsettled, and what is to move has
 * a timer that moves it.
 */
const settled = Effect.fnUntraced(function*(played: Played, problems: Problems) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`
    SELECT p.id, p.unsettled_amount, s.status, s.amount, t.kind FROM payment_intents p
    LEFT JOIN settlements s ON s.merchant_id = p.merchant_id AND s.payment_intent_id = p.id
    LEFT JOIN timers t ON t.account_id = p.merchant_id AND t.resource_id = s.id
    WHERE p.merchant_id = ANY(${accountsOf(played)}::text[]) AND p.captured_amount > 0 AND (
      s.id IS NULL OR p.unsettled_amount <> CASE WHEN s.status IN ('queued', 'failed') THEN s.amount ELSE 0 END
      OR (s.status IN ('queued', 'processing') AND t.kind IS NULL))`
  for (const row of rows) problems.push(`M2: a capture and its settlement differ ${JSON.stringify(row)}`)
})

/** M11: another merchant's intent looks like one that does not exist. */
const isolation = Effect.fnUntraced(function*(played: Played, problems: Problems) {
  const intents = yield* PaymentIntents
  const answered = played.sent.find(({ answers, step }) => step.verb === "create" && answers.length > 0)
  if (answered === undefined) return
  const created = readId(answered.answers[0]?.body ?? "{}")
  const other = played.accounts[(answered.merchant + 1) % played.accounts.length]?.id ?? ""
  const [foreign, unknown] = yield* Effect.all([
    Effect.flip(intents.get(other, created.id)),
    Effect.flip(intents.get(other, "pi_00000000000000000000000000"))
  ])
  if (JSON.stringify(foreign) !== JSON.stringify(unknown)) problems.push("M11: a foreign intent is told apart from an unknown one")
})

/** The broken invariants of a finished history; none when it holds. */
export const broken = Effect.fn("simulation.invariants")(function*(played: Played) {
  const problems: Problems = []
  yield* balances(played, problems)
  yield* money(played, problems)
  yield* chains(played, problems)
  yield* rebuilt(played, problems)
  yield* keys(played, problems)
  yield* events(played, problems)
  yield* settled(played, problems)
  yield* isolation(played, problems)
  problems.push(...yield* billingBroken(accountsOf(played)))
  problems.push(...yield* heldBroken(accountsOf(played)))
  problems.push(...yield* legsBroken(accountsOf(played)))
  problems.push(...yield* conversionsBroken(accountsOf(played)))
  problems.push(...yield* disputesBroken(accountsOf(played)))
  problems.push(...yield* payoutsBroken(accountsOf(played)))
  return problems
})
