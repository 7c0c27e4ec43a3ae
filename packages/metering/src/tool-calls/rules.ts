/** What a call takes of credits and budgets, and what its reservation, settlement and release write. */
import type { AgentBudgets } from "@svc/accounts/agent-keys/model"
import { change } from "@svc/kernel/resource/change"
import { windowAt } from "@svc/kernel/road/counters"
import type { CounterMove, Entry, ExceededLimit, TimerDraft, TimerKey } from "@svc/kernel/road/decision"
import { post } from "@svc/ledger/financial-events/routes"
import type { Cents } from "@svc/tool-kit/call"
import { DateTime, Duration } from "effect"
import {
  ABANDONED,
  ALLOWANCE,
  CallBudgetExceeded,
  type CallShare,
  type CreditBalance,
  InsufficientCredits,
  type PaidBy,
  type ToolCall,
  type ToolCallId,
  UNFINISHED
} from "./model.ts"

/** An agent key and those it was cut from, each with its own budgets; `asked` are those that the caller itself named. */
export type BudgetChain = ReadonlyArray<{ readonly id: string; readonly budgets?: AgentBudgets | undefined; readonly asked?: boolean }>

const EPOCH = DateTime.makeUnsafe(0)

const windowOf = (period: CallShare["period"], at: DateTime.Utc): Pick<CallShare, "period" | "start"> =>
  period === "life" ? { period, start: EPOCH } : windowAt(period, at)

export const balanceOf = ({ allowance, grants }: CreditBalance): Cents => grants.reduce((sum, { left }) => sum + left, allowance.left)

/**
 * Which credits a call may take: all; those that were bought or given, for work that the free allowance leaves out; or those alone that
 * were bought for this very call, where it is paid when it is made.
 */
export type AllowedCredits = "all" | "granted" | "bought for it"

/** What a call may take of the credit balance. What was bought for another call comes last. */
export const creditsFor = ({ allowance, grants, tier }: CreditBalance, takes: AllowedCredits, call: string): CreditBalance => {
  const mine = grants.filter(({ pays_for }) => pays_for === call)
  const none = { ...allowance, left: 0 }
  if (takes === "bought for it") return { tier, allowance: none, grants: mine }
  const of = (isOpen: boolean) => grants.filter(({ pays_for }) => pays_for !== call && (pays_for === null) === isOpen)
  return { tier, allowance: takes === "all" ? allowance : none, grants: [...mine, ...of(true), ...of(false)] }
}

/** Which credits pay for a call; undefined when they do not reach. */
export const allot = (creditBalance: CreditBalance, price: Cents, at: DateTime.Utc): ReadonlyArray<CallShare> | undefined => {
  const sources = [
    { key: ALLOWANCE, period: "month", left: creditBalance.allowance.left, of: creditBalance.allowance.of } as const,
    ...creditBalance.grants.map(({ id, left, of }) => ({ key: id, period: "life", left, of } as const))
  ]
  const shares: Array<CallShare> = []
  let due = price
  for (const { key, left, of, period } of sources) {
    const cents = Math.min(due, left)
    if (cents <= 0) continue
    shares.push({ name: "credits", key, ...windowOf(period, at), cents, at_most: of })
    due -= cents
  }
  return due === 0 ? shares : undefined
}

const periods = ["hour", "day", "month", "life"] as const

/** A call that the account has free, because it came by somebody's token. */
export const freeCall = (of: number): CallShare => ({
  name: "free_call",
  key: "referral",
  period: "life",
  start: EPOCH,
  cents: 1,
  at_most: of
})

/** The whole price in each window of each level that has a limit there. */
export const budgeted = (chain: BudgetChain, price: Cents, at: DateTime.Utc): ReadonlyArray<CallShare> =>
  price === 0 ? [] : chain.flatMap(({ asked = false, budgets = {}, id }) =>
    periods.flatMap((period) => {
      const at_most = budgets[period]
      return at_most === undefined
        ? []
        : [{ name: asked ? "asked_budget" : "agent_budget", key: id, ...windowOf(period, at), cents: price, at_most } as const]
    })
  )

const refusalOf = ({ key, name, period }: CallShare) => ({ left, limit }: ExceededLimit): InsufficientCredits | CallBudgetExceeded =>
  name === "credits" || name === "free_call"
    ? new InsufficientCredits({ message: "The credits that were to pay for this call were spent meanwhile." })
    : new CallBudgetExceeded({
      budget: name === "asked_budget" ? "x_agent_budget" : "agent_key",
      key,
      period,
      limit,
      left,
      message: `Of the ${limit} cents that ${name === "asked_budget" ? "X-Agent-Budget allows" : `the agent key ${key} may spend`} ${
        period === "life" ? "in all" : `this ${period}`
      }, ${left} are left.`
    })

const moveOf = (share: CallShare, add: CounterMove["add"], limited: boolean): CounterMove<InsufficientCredits | CallBudgetExceeded> => ({
  name: share.name,
  key: share.key,
  ...(share.period === "life" ? {} : { window: { period: share.period, start: share.start } }),
  add,
  ...(limited ? { limit: { at_most: share.at_most, refusal: refusalOf(share) } } : {})
})

/**
 * How much of the shares what was delivered costs: of each budget all of it, of the credits as much as is needed, in order; a free call is
 * one.
 */
const spentOf = (shares: ReadonlyArray<CallShare>, cents: Cents): ReadonlyArray<Cents> => {
  let unpaid = cents
  return shares.map((share) => {
    if (share.name === "free_call") return share.cents
    if (share.name !== "credits") return Math.min(share.cents, cents)
    const spent = Math.min(share.cents, unpaid)
    unpaid -= spent
    return spent
  })
}

/** How much of what was delivered is taken of the month: of the free allowance, or of what a plan gives for it. */
export const quotaIn = (shares: ReadonlyArray<CallShare>, { grants }: CreditBalance, cents: Cents): Cents => {
  const ofMonth = new Set([ALLOWANCE, ...grants.flatMap(({ id, source }) => source === "plan" ? [id] : [])])
  const spent = spentOf(shares, cents)
  return shares.reduce((sum, { key, name }, n) => name === "credits" && ofMonth.has(key) ? sum + (spent[n] ?? 0) : sum, 0)
}

/** What a step of a call comes to. */
export interface ToolCallDecision {
  readonly call: ToolCall
  readonly counters: ReadonlyArray<CounterMove<InsufficientCredits | CallBudgetExceeded>>
  readonly entries: ReadonlyArray<Entry>
  readonly set: ReadonlyArray<TimerDraft>
  readonly clear: ReadonlyArray<TimerKey>
}

/** A call before it has cost anything. */
export interface CallDraft {
  readonly id: ToolCallId
  readonly account_id: string
  readonly agent_key_id: string | null
  readonly tool: string
  readonly mode: ToolCall["mode"]
  readonly arguments_sha256: string
  readonly paid_by: PaidBy
  readonly shares: ReadonlyArray<CallShare>
}

const newCall = (
  draft: CallDraft,
  at: DateTime.Utc,
  rest: Pick<ToolCall, "price" | "state" | "finished_at" | "result_sha256">
): ToolCall => ({
  ...draft,
  ...rest,
  receipt: null,
  error: null,
  created_at: at,
  updated_at: at,
  version: 1
})

/** Credits were paid for when they were bought: here nothing moves, and the books say what for. */
const charged = ({ id, paid_by, price }: ToolCall): ReadonlyArray<Entry> =>
  paid_by === "credits" && price > 0
    ? [post("fee_charged/credits", { amount: price, currency: "USD", resource_type: "tool_call", resource_id: id })]
    : []

/** The call ran within the database: the commit that keeps its answer charges it. */
export const settleInline = (draft: CallDraft, cents: Cents, result_sha256: string, at: DateTime.Utc): ToolCallDecision => {
  const spent = spentOf(draft.shares, cents)
  const shares = draft.shares.flatMap((share, n) => spent[n] === undefined || spent[n] === 0 ? [] : [{ ...share, cents: spent[n] }])
  const call = newCall({ ...draft, shares }, at, { price: cents, state: "settled", finished_at: at, result_sha256 })
  return {
    call,
    counters: shares.map((share) => moveOf(share, { spent: share.cents, reserved: 0 }, true)),
    entries: charged(call),
    set: [],
    clear: []
  }
}

/** Whether money moves for it while it is made. */
const isPaidWhenMade = ({ paid_by }: Pick<ToolCall, "paid_by">): boolean => paid_by === "card" || paid_by === "stablecoin"

/** What a call leaves behind that nobody finishes, a timer looks after: credits are given back, money is taken or let go. */
const timerOf = (call: Pick<ToolCall, "id" | "paid_by">): TimerKey => ({
  kind: isPaidWhenMade(call) ? UNFINISHED : ABANDONED,
  resource_id: call.id
})

const timerIn = (call: Pick<ToolCall, "id" | "paid_by">, at: DateTime.Utc, seconds: number): TimerDraft => ({
  ...timerOf(call),
  due_at: DateTime.addDuration(at, Duration.seconds(seconds))
})

/** Seconds beyond a tool's own limit after which a reservation is given up; also how long its payment may take after the run. */
const GRACE = 30

export const reserve = (draft: CallDraft, price: Cents, seconds: number, at: DateTime.Utc): ToolCallDecision => ({
  call: newCall(draft, at, { price, state: "reserved", finished_at: null, result_sha256: null }),
  counters: draft.shares.map((share) => moveOf(share, { spent: 0, reserved: share.cents }, true)),
  entries: [],
  set: [timerIn(draft, at, seconds + GRACE)],
  clear: []
})

/** The call delivered: its cost is spent, and the rest of the reservation is given back. */
export const settle = (
  reserved: ToolCall,
  cents: Cents,
  delivery: Partial<Pick<ToolCall, "result_sha256" | "receipt">>,
  at: DateTime.Utc
): ToolCallDecision => {
  const spent = spentOf(reserved.shares, cents)
  const call = change(reserved, at, { ...delivery, price: cents, state: "settled", finished_at: at })
  return {
    call,
    counters: reserved.shares.map((share, n) => moveOf(share, { spent: spent[n] ?? 0, reserved: -share.cents }, false)),
    entries: charged(call),
    set: [],
    clear: [timerOf(call)]
  }
}

const withTimer = (call: ToolCall, timer: TimerDraft): ToolCallDecision => ({ call, counters: [], entries: [], set: [timer], clear: [] })

/** Seconds that a facilitator may take to carry a payment out. */
const SETTLING = 60

/** The call delivered, and its result is kept: from here on the call is finished, and no longer undone. */
export const delivered = (reserved: ToolCall, result_sha256: string, at: DateTime.Utc): ToolCallDecision => {
  const call = change(reserved, at, { result_sha256 })
  return withTimer(call, timerIn(call, at, SETTLING + GRACE))
}

/** The money comes before the run: a timer asks what became of both when they should be over. `seconds` is the tool's own limit. */
export const prepaying = (reserved: ToolCall, seconds: number, at: DateTime.Utc): ToolCallDecision => {
  const call = change(reserved, at, {})
  return withTimer(call, timerIn(call, at, SETTLING + seconds + GRACE))
}

/** The call is undone from here on, by any worker. */
export const giveUp = (reserved: ToolCall, error: string, at: DateTime.Utc): ToolCallDecision => {
  const call = change(reserved, at, { error })
  return withTimer(call, timerIn(call, at, GRACE))
}

/** Seconds between two questions what became of a payment. */
const SOONEST = 2
const LATEST = 600

/**
 * Whether the payment arrived is not known: the room stays taken until it is. It is asked for again after as long as the call has waited
 * already.
 */
export const doubt = (unfinished: ToolCall, at: DateTime.Utc): ToolCallDecision => {
  const call = change(unfinished, at, { state: "pending" })
  const waited = DateTime.toEpochMillis(at) - DateTime.toEpochMillis(unfinished.created_at)
  return withTimer(call, timerIn(call, at, Math.min(LATEST, Math.max(SOONEST, waited / 1000))))
}

/** The call failed, or its worker is gone: the call costs nothing. */
export const release = (reserved: ToolCall, error: string, at: DateTime.Utc): ToolCallDecision => {
  const call = change(reserved, at, { price: 0, state: "released", error, finished_at: at })
  return {
    call,
    counters: reserved.shares.map((share) => moveOf(share, { spent: 0, reserved: -share.cents }, false)),
    entries: [],
    set: [],
    clear: [timerOf(call)]
  }
}
