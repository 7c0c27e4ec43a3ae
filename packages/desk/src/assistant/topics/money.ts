/** Questions about money on its way: balances, settlements, payouts, and whether the books agree. */
import { Effect, Option } from "effect"
import { proposalOf } from "../proposals.ts"
import { numberIn, type Row, rowsIn, textIn } from "../read.ts"
import { amountIn, counted, dayOf, listed, momentOf, moneyOf, type Topic } from "../topic.ts"

const bucketsOf = (row: Row): string => {
  const of = (field: string) => moneyOf(numberIn(row, field), textIn(row, "currency"))
  return `${of("available")} is available, ${of("pending")} pending and ${of("reserved")} reserved`
}

const available: Topic = {
  name: "available_money",
  asked: [
    "when is my money available",
    "how much money do I have",
    "what is my balance",
    "when can I withdraw",
    "when will I get paid",
    "when do my payments settle",
    "how much is pending",
    "when does the next settlement clear",
    "funds available for payout"
  ],
  answer: Effect.fnUntraced(function*(_question, read) {
    const balances = rowsIn(yield* read("/v1/balance_accounts?per_page=10"))
    const path = "/desk/settlements"
    if (balances.length === 0) return { answer: "There is no money yet: nothing was captured (/v1/balance_accounts).", path }
    const queued = rowsIn(yield* read("/v1/settlements?status=queued&per_page=100"))
    const next = queued.toSorted((one, other) => textIn(one, "due_at").localeCompare(textIn(other, "due_at")))[0]
    const rest = next === undefined
      ? " No settlement is on its way."
      : ` The next ${amountIn(next)} is available on ${dayOf(textIn(next, "due_at"))} (${textIn(next, "id")}).`
    const held = balances.map((row) => `${bucketsOf(row)} (${textIn(row, "id")})`)
    return { answer: `${held.join(". ")}.${rest}`, path }
  })
}

/** A bank account is missing, or this one does not take money. */
const otherBank = { proposed_actions: [proposalOf("open_passthrough_payout_bank", true)] }

const ON_ITS_WAY: ReadonlySet<string> = new Set(["pending", "processing"])

/** Where a payout stands, and when it comes. The bank has had it from `submit_at`, and takes about a day. */
const payoutIn = (payout: Row): string => {
  const [status, why] = [textIn(payout, "status"), textIn(payout, "failure_reason")]
  const when: Readonly<Record<string, string>> = {
    pending: `, goes to the bank on ${momentOf(textIn(payout, "submit_at"))} and arrives about a day later`,
    processing: `: the bank has it since ${momentOf(textIn(payout, "submit_at"))}, and it arrives about a day after that`,
    completed: textIn(payout, "completed_at") === "" ? "" : `: it arrived on ${momentOf(textIn(payout, "completed_at"))}`
  }
  const more = why === "" ? when[status] ?? "" : `: ${why.replaceAll("_", " ")}`
  return `The payout ${textIn(payout, "id")} of ${amountIn(payout)} is ${status}${more}.`
}

const payouts: Topic = {
  name: "payouts",
  asked: [
    "where is my payout",
    "when does my payout arrive",
    "when does my payout arrive at the bank",
    "is a payout on its way",
    "when does my payout reach the bank",
    "why did the payout fail",
    "was a payout returned",
    "status of payout po_id",
    "last transfer to my bank account"
  ],
  answer: Effect.fnUntraced(function*({ ids }, read) {
    const wanted = ids["po"]
    const rows = wanted === undefined ? rowsIn(yield* read("/v1/payouts?per_page=10")) : [yield* read(`/v1/payouts/${wanted}`)]
    const onTheirWay = rows.filter((row) => ON_ITS_WAY.has(textIn(row, "status")))
    // Without one on its way, the last one tells what became of it.
    const [payout, ...others] = onTheirWay.length > 0 ? onTheirWay : rows.slice(0, 1)
    if (payout === undefined) {
      const banks = yield* Effect.option(read("/v1/transfer_instruments?status=active&per_page=1"))
      const lacksBank = Option.isSome(banks) && rowsIn(banks.value).length === 0
      const path = "/desk/payouts"
      return lacksBank
        ? { answer: "There is no payout yet, and no bank account that is active (/v1/transfer_instruments).", path, ...otherBank }
        : { answer: "There is no payout yet.", path }
    }
    const helps = textIn(payout, "status") === "failed" ? otherBank : {}
    return {
      answer: `${[payout, ...others].map(payoutIn).join(" ")}`,
      path: others.length === 0 ? `/desk/payouts/${textIn(payout, "id")}` : "/desk/payouts",
      ...helps
    }
  })
}

const hasMismatches = ({ counts }: Row): boolean =>
  typeof counts === "object" && counts !== null && "mismatched" in counts && counts.mismatched !== 0

const openMismatches = ({ mismatches }: Row): ReadonlyArray<Row> =>
  Array.isArray(mismatches) ? mismatches.filter((row: Row) => textIn(row, "status") === "open") : []

/** So many entries are verified for an answer: all of them would take seconds. */
const VERIFIED = 1_000

const books: Topic = {
  name: "books",
  asked: [
    "do the books agree",
    "are there reconciliation mismatches",
    "verify the ledger",
    "is the ledger intact",
    "differences with the provider's statement",
    "is my ledger chain ok"
  ],
  answer: Effect.fnUntraced(function*(_question, read) {
    const [newest] = rowsIn(yield* read("/v1/financial_events?per_page=1"))
    if (newest === undefined) {
      return { answer: "The ledger is empty: no money has moved (/v1/financial_events).", path: "/desk/financial_events" }
    }
    const from = Math.max(1, numberIn(newest, "sequence_id") - VERIFIED + 1)
    const report = yield* read(`/v1/ledger/verify?from=${from}`)
    const reports = rowsIn(yield* read("/v1/reconciliation/reports?status=completed&per_page=5"))
    const details = yield* Effect.forEach(reports.filter(hasMismatches), (row) => read(`/v1/reconciliation/reports/${textIn(row, "id")}`))
    const mismatches = details.flatMap(openMismatches)
    const chain = report["ok"] === true
      ? `The ledger holds: its last ${
        counted(numberIn(report, "checked"), "entry", "entries")
      } were verified now (/v1/ledger/verify?from=${from}). All are at /desk/ledger_verification.`
      : "The ledger does not hold (/v1/ledger/verify): tell the operator at once."
    const open = mismatches.length === 0
      ? " No mismatch with a provider is open."
      : ` Open mismatches with providers: ${listed(mismatches.map((row) => textIn(row, "id")))}.`
    return { answer: `${chain}${open}`, path: mismatches.length === 0 ? "/desk/financial_events" : "/desk/reconciliation" }
  })
}

export const moneyTopics: ReadonlyArray<Topic> = [available, payouts, books]
