/** What must hold after each history: of the payer's books and of ours. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { ScriptedFacilitator } from "./facilitator.ts"
import type { Played } from "./history.ts"
import { isCard } from "./wallet.ts"

interface CallRow {
  readonly id: string
  readonly account_id: string
  readonly state: string
  readonly price: number
  readonly error: string | null
  readonly kept: boolean
  readonly sealed: boolean
  readonly claims: number
  readonly timers: number
}

interface IntentRow {
  readonly call: string
  readonly state: string
  readonly captured_amount: number
}

const UNITS_A_CENT = 10_000

/** The calls of one history have a number of their own for arguments: the hash of its order. */
const callsOf = Effect.fnUntraced(function*(order: string) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<CallRow>`
    SELECT t.id, t.account_id, t.state, t.price, t.error, p.result IS NOT NULL AS kept, p.payment IS NOT NULL AS sealed,
      (SELECT count(*) FROM payment_claims c WHERE c.account_id = t.account_id AND c.call_id = t.id)::int AS claims,
      (SELECT count(*) FROM timers m WHERE m.account_id = t.account_id AND m.resource_id = t.id AND m.kind = 'tool_call.unfinished')::int AS timers
    FROM tool_calls t LEFT JOIN paid_calls p ON p.account_id = t.account_id AND p.id = t.id
    WHERE t.arguments_sha256 = ANY(${[order]}::text[])`
})

/** The broken invariants of a history; none when it holds. `hashes` are those of its arguments. */
export const broken = Effect.fnUntraced(function*(played: Played, hash: string, facilitator: ScriptedFacilitator) {
  const sql = yield* SqlClient.SqlClient
  const { again, got, paid, plan, wallet } = played
  const problems = [...played.problems]
  const calls = yield* callsOf(hash)
  const intents = yield* sql<IntentRow>`
    SELECT metadata->>'tool_call' AS call, state, captured_amount FROM payment_intents WHERE metadata->>'tool_call' = ANY(${
    calls.map(({ id }) => id)
  }::text[])`
  const moved = facilitator.moved.filter(({ from }) => from === wallet)
  const captured = intents.filter(({ state }) => state === "captured")
  const settled = calls.filter(({ state }) => state === "settled")
  const writtenOff = calls.filter(({ error }) => error === "payment_never_known")
  const billed = settled.reduce((sum, { price }) => sum + price, 0)
  const taken = isCard(plan.kind)
    ? captured.reduce((sum, { captured_amount }) => sum + captured_amount, 0)
    : moved.reduce((sum, { amount }) => sum + amount, 0) / UNITS_A_CENT

  // The payer's books.
  const payments = isCard(plan.kind) ? captured.length : moved.length
  if (payments > 1) problems.push(`it was paid ${payments} times`)
  // Ours. What nobody could find out is given away, and may have been paid.
  if (billed !== taken && writtenOff.length === 0) problems.push(`M12: billed ${billed}, and the payer paid ${taken}`)
  if (captured.reduce((sum, { captured_amount }) => sum + captured_amount, 0) !== billed) {
    problems.push(`M12: billed ${billed}, and booked ${JSON.stringify(captured)}`)
  }
  if (writtenOff.length > 0 && plan.manner !== "misleading" && !plan.faults.includes("refused")) {
    problems.push("it was written off, though the facilitator says what became of it")
  }
  for (const { call, state } of intents) {
    if (!["captured", "cancelled", "failed"].includes(state)) problems.push(`the intent of ${call} is left ${state}`)
  }
  for (const { claims, error, id, kept, sealed, state, timers } of calls) {
    if (state !== "settled" && state !== "released") problems.push(`${id} is left ${state}`)
    if (state === "settled" && !kept) problems.push(`${id} was paid for, and what it delivered is not kept`)
    if (state === "released" && claims > 0 && error !== "payment_never_known") {
      problems.push(`${id} (${error}) was released, and its claims bar the payer`)
    }
    if (sealed) problems.push(`${id} is at its end, and what it was paid with is still kept`)
    if (timers > 0) problems.push(`${id} is at its end, and a timer is left`)
  }
  // What was paid for is to be had.
  if (payments === 1) {
    const order = JSON.stringify({ order: played.order, ok: true })
    const paying = isCard(plan.kind) ? paid.map(({ challenge }) => challenge) : moved.map(({ nonce }) => nonce)
    const fetched = again.filter(({ credential }) => paying.includes(isCard(plan.kind) ? credential.challenge : credential.nonce))
    if (!fetched.some(({ result }) => JSON.stringify(result) === order)) {
      problems.push(`it was paid, and brings ${JSON.stringify(fetched.map(({ answer, result }) => [answer, result]))}`)
    }
  } else if (got.some((one) => one !== undefined) && writtenOff.length === 0) problems.push("it was delivered, and nobody paid")
  if (!plan.fails && payments === 0 && !plan.faults.includes("refused") && got.length > 0 && writtenOff.length === 0) {
    problems.push("the agent had its answer without a payment")
  }
  return problems
}, Effect.orDie)
