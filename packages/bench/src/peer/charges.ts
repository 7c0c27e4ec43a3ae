/** Create, authorize and capture, each in one transaction, statement by statement. */
import { makeId } from "@svc/kernel/values/ids"
import { fee } from "@svc/kernel/values/money"
import { createHash } from "node:crypto"
import { pool, prepared, run, transaction } from "./database.ts"
import { type Keyed, once, Raced, remember, type Reply } from "./idempotency.ts"
import { bodyOf, type Intent, INTENT_COLUMNS } from "./intent.ts"
import type { Caller } from "./keys.ts"
import { emitOnly, type Entry, post } from "./ledger.ts"
import { Refusal } from "./refusal.ts"
import type { AuthorizeBody, CaptureBody, CreateBody } from "./schemas.ts"

const HOLD_MS = 7 * 24 * 3600 * 1000
const SETTLE_MS = 2 * 24 * 3600 * 1000
const FIXED_FEE = 30
const EXPIRES = "payment_intent.expires"
const SETTLES = "settlement.due"

interface IntentRow extends Omit<Intent, "capture_before" | "created_at" | "updated_at"> {
  readonly capture_before: Date | null
  readonly created_at: Date
  readonly updated_at: Date
}

const findIntent = prepared("find_intent", `SELECT ${INTENT_COLUMNS} FROM payment_intents WHERE merchant_id = $1 AND id = $2`)
const insertIntent = prepared(
  "insert_intent",
  `INSERT INTO payment_intents (merchant_id, id, amount, currency, state, idempotency_key, destination_currency, metadata, customer_id, country,
     authorized_amount, captured_amount, refunded_amount, disputed_amount, fee_amount, unsettled_amount, capture_on_authorize, risk_cleared,
     attempts, refunds, created_at, updated_at, version)
   VALUES ($1, $2, $3, $4, 'created', $5, $6, $7, $8, $9, 0, 0, 0, 0, 0, 0, false, false, '[]', '[]', $10, $10, 1)`
)
const authorizeIntent = prepared(
  "authorize_intent",
  `UPDATE payment_intents SET state = 'authorized', authorized_amount = amount, payment_method_id = $4, provider_reference = $5, selected_rail = $6,
     capture_before = $7, routing = $8, attempts = $9, updated_at = $10, version = version + 1
   WHERE merchant_id = $1 AND id = $2 AND version = $3 RETURNING id`
)
const captureIntent = prepared(
  "capture_intent",
  `UPDATE payment_intents SET state = 'captured', captured_amount = $4, fee_amount = $5, unsettled_amount = $6, capture_before = NULL,
     updated_at = $7, version = version + 1
   WHERE merchant_id = $1 AND id = $2 AND version = $3 RETURNING id`
)
const insertSettlement = prepared(
  "insert_settlement",
  `INSERT INTO settlements (merchant_id, id, payment_intent_id, amount, currency, status, due_at, attempts, created_at, updated_at, version)
   VALUES ($1, $2, $3, $4, $5, 'queued', $6, 0, $7, $7, 1)`
)
const setTimer = prepared("set_timer", "INSERT INTO timers (account_id, kind, resource_id, due_at, attempts) VALUES ($1, $2, $3, $4, 0)")
const clearTimer = prepared("clear_timer", "DELETE FROM timers WHERE account_id = $1 AND kind = $2 AND resource_id = $3")

const read = async (account: string, id: string): Promise<Intent> => {
  const [row] = await run<IntentRow>(pool, findIntent, [account, id])
  if (row === undefined) throw new Refusal(404, "not_found", "There is no such payment intent.")
  return {
    ...row,
    capture_before: row.capture_before?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString()
  }
}

export const create = (caller: Caller, body: CreateBody, request: Keyed): Promise<Reply> =>
  once(request, async () => {
    const now = new Date()
    const at = now.toISOString()
    const intent: Intent = {
      id: makeId("pi", now.getTime()),
      merchant_id: caller.account,
      amount: body.amount,
      currency: body.currency,
      state: "created",
      idempotency_key: body.idempotency_key,
      destination_currency: body.destination_currency ?? null,
      failure_reason: null,
      decline_code: null,
      metadata: body.metadata ?? {},
      customer_id: body.customer_id ?? null,
      payment_method_id: null,
      country: body.country ?? null,
      provider_reference: null,
      selected_rail: null,
      pending_reason: null,
      next_action: null,
      authorized_amount: 0,
      captured_amount: 0,
      refunded_amount: 0,
      disputed_amount: 0,
      fee_amount: 0,
      capture_before: null,
      attempts: [],
      refunds: [],
      created_at: at,
      updated_at: at,
      version: 1
    }
    const reply = { status: 201, body: bodyOf(intent) }
    await transaction(async (client) => {
      await remember(client, request, intent.id, reply, at)
      await run(client, insertIntent, [
        caller.account,
        intent.id,
        intent.amount,
        intent.currency,
        intent.idempotency_key,
        intent.destination_currency,
        JSON.stringify(intent.metadata),
        intent.customer_id,
        intent.country,
        at
      ])
      await emitOnly(client, intent, "payment_intent.created", reply.body)
    })
    return reply
  })

const routing = {
  rules: [],
  candidates: [
    { rail: "card_a", score: 100, reason: "fallback order" },
    { rail: "card_b", score: 90, reason: "fallback order" },
    { rail: "bank_transfer", score: 0, reason: "does not take card" },
    { rail: "usdc", score: 0, reason: "does not take card" }
  ]
}

const inState = (intent: Intent, state: string, verb: string): void => {
  if (intent.state !== state) throw new Refusal(409, "invalid_state", `Cannot ${verb} a payment intent that is ${intent.state}.`)
}

export const authorize = (caller: Caller, id: string, body: AuthorizeBody, request: Keyed): Promise<Reply> =>
  once(request, async () => {
    const known = await read(caller.account, id)
    inState(known, "created", "authorize")
    if (body.payment_method_id !== "tok_visa") throw new Refusal(402, "card_declined", "The payment was declined.")
    const now = new Date()
    const at = now.toISOString()
    const attempt = makeId("att", now.getTime())
    const reference = `sim_${createHash("sha256").update(`svc_${attempt}`).digest("hex").slice(0, 24)}`
    const intent: Intent = {
      ...known,
      state: "authorized",
      authorized_amount: known.amount,
      payment_method_id: body.payment_method_id,
      provider_reference: reference,
      selected_rail: "card_a",
      capture_before: new Date(now.getTime() + HOLD_MS).toISOString(),
      attempts: [{
        id: attempt,
        rail: "card_a",
        amount: known.amount,
        outcome: "approved",
        decline_code: null,
        provider_reference: reference,
        rule: "fallback order",
        score: 100,
        created_at: at,
        finished_at: at
      }],
      updated_at: at,
      version: known.version + 1
    }
    const reply = { status: 200, body: bodyOf(intent) }
    const memo: Entry = {
      event_type: "payment_authorized",
      direction: "credit",
      amount: known.amount,
      delta_pending: 0,
      counter_account: "MEMO",
      counter_delta: 0
    }
    await transaction(async (client) => {
      await remember(client, request, id, reply, at)
      const changed = await run(client, authorizeIntent, [
        caller.account,
        id,
        known.version,
        body.payment_method_id,
        reference,
        "card_a",
        intent.capture_before,
        JSON.stringify(routing),
        JSON.stringify(intent.attempts),
        at
      ])
      if (changed.length === 0) throw new Raced()
      await run(client, setTimer, [caller.account, EXPIRES, id, intent.capture_before])
      await post(client, intent, [memo], request.key, "payment_intent.authorized", reply.body)
    })
    return reply
  })

export const capture = (caller: Caller, id: string, body: CaptureBody, request: Keyed): Promise<Reply> =>
  once(request, async () => {
    const known = await read(caller.account, id)
    inState(known, "authorized", "capture")
    const amount = body.amount ?? known.authorized_amount
    if (amount > known.authorized_amount) throw new Refusal(400, "validation_error", "amount: more than is authorized.")
    const now = new Date()
    const at = now.toISOString()
    const charge = fee(amount, { bps: caller.feeBps, fixed: FIXED_FEE })
    const intent: Intent = {
      ...known,
      state: "captured",
      captured_amount: amount,
      fee_amount: charge,
      capture_before: null,
      updated_at: at,
      version: known.version + 1
    }
    const reply = { status: 200, body: bodyOf(intent) }
    const net = amount - charge
    const entries: ReadonlyArray<Entry> = [
      {
        event_type: "payment_captured",
        direction: "credit",
        amount,
        delta_pending: amount,
        counter_account: "P.rail_clearing",
        counter_delta: -amount
      },
      {
        event_type: "fee_charged",
        direction: "debit",
        amount: charge,
        delta_pending: -charge,
        counter_account: "P.fees",
        counter_delta: charge
      },
      { event_type: "settlement_queued", direction: "credit", amount: net, delta_pending: 0, counter_account: "MEMO", counter_delta: 0 }
    ]
    await transaction(async (client) => {
      await remember(client, request, id, reply, at)
      const changed = await run(client, captureIntent, [caller.account, id, known.version, amount, charge, net, at])
      if (changed.length === 0) throw new Raced()
      await run(client, clearTimer, [caller.account, EXPIRES, id])
      const settlement = makeId("set", now.getTime())
      const due = new Date(now.getTime() + SETTLE_MS).toISOString()
      await run(client, insertSettlement, [caller.account, settlement, id, net, intent.currency, due, at])
      await run(client, setTimer, [caller.account, SETTLES, settlement, due])
      await post(client, intent, entries, request.key, "payment_intent.captured", reply.body)
    })
    return reply
  })
