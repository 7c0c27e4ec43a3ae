/** Questions about payments. */
import type { DeclineCode } from "@svc/payments/rails/model"
import { Effect } from "effect"
import { type Row, rowsIn, textIn } from "../read.ts"
import { amountIn, counted, dayOf, isoOf, moneyOf, queryOf, type Topic } from "../topic.ts"

/** What each decline code means to a merchant, and what helps. */
export const declineWords: Readonly<Record<DeclineCode, readonly [meaning: string, next: string]>> = {
  generic_decline: ["the bank declined it without a reason", "ask the customer for another card, or to call their bank"],
  insufficient_funds: ["there was not enough money on the card", "ask the customer for another card, or try again later"],
  lost_card: ["the card is reported lost", "ask for another card, and do not try this one again"],
  stolen_card: ["the card is reported stolen", "ask for another card, and do not try this one again"],
  expired_card: ["the card has expired", "ask the customer for a current card"],
  incorrect_cvc: ["the security code was wrong", "let the customer type the card again"],
  processing_error: ["the bank could not process it", "try again in a moment"],
  do_not_honor: ["the bank declined it without saying why", "ask the customer for another card, or to call their bank"],
  card_velocity_exceeded: ["the card has reached its limit", "try again tomorrow, or with another card"],
  fraudulent: ["the provider's fraud rule stopped it", "look at the payment before you try again"],
  authentication_required: ["the customer did not confirm it with their bank", "send the customer through the confirmation again"],
  currency_not_supported: ["the card cannot pay in this currency", "ask for another card, or charge in another currency"],
  card_not_supported: ["the card does not allow this kind of payment", "ask for another card"]
}

const isDecline = (code: string): code is DeclineCode => code in declineWords

const whyOf = (payment: Row): string => {
  const code = textIn(payment, "decline_code") || textIn(payment, "failure_reason")
  if (!isDecline(code)) return code === "" ? "no reason is kept" : code.replaceAll("_", " ")
  const [meaning, next] = declineWords[code]
  return `${meaning} (${code}). What helps: ${next}`
}

const FAILED = new Set(["failed", "blocked"])

const declined: Topic = {
  name: "declined_payment",
  asked: [
    "why was this payment declined",
    "why was my customer declined",
    "why did my last payment fail",
    "what happened to payment pi_id",
    "why did pi_id fail",
    "reason a card payment failed yesterday",
    "customer card did not go through",
    "why can't this customer pay",
    "payment blocked",
    "what went wrong with the card"
  ],
  answer: Effect.fnUntraced(function*({ amount, ids, span }, read) {
    const wanted = ids["pi"]
    const between = span === undefined ? {} : { "created_at[gte]": isoOf(span.from), "created_at[lt]": isoOf(span.to) }
    const [currency = "", ...others] = amount?.currencies ?? []
    const exactly = amount === undefined ? {} : { "amount[gte]": String(amount.amount), "amount[lte]": String(amount.amount) }
    const inCurrency = currency === "" || others.length > 0 ? {} : { currency }
    const [payment] = wanted === undefined
      ? rowsIn(yield* read(`/v1/payment_intents?${queryOf({ state: "failed", per_page: "1", ...between, ...exactly, ...inCurrency })}`))
      : [yield* read(`/v1/payment_intents/${wanted}`)]
    if (payment === undefined) {
      const what = amount === undefined ? "payment" : `payment of ${moneyOf(amount.amount, currency)}`
      return { answer: `No ${what} failed${span === undefined ? "" : ` ${span.words}`}.`, path: "/desk/payments?state=failed" }
    }
    const id = textIn(payment, "id")
    const path = `/desk/payments/${id}`
    const state = textIn(payment, "state")
    const what = `The payment ${id} of ${amountIn(payment)}, made on ${dayOf(textIn(payment, "created_at"))},`
    return FAILED.has(state)
      ? { answer: `${what} is ${state}: ${whyOf(payment)}.`, path }
      : { answer: `${what} did not fail: it is ${state}.`, path }
  })
}

const volume: Topic = {
  name: "volume",
  asked: [
    "how much did we sell last month",
    "what was my volume this month",
    "how much revenue in march",
    "sales today",
    "how much money did we take yesterday",
    "turnover and refunds last week",
    "how much was refunded last month"
  ],
  answer: Effect.fnUntraced(function*({ span, words }, read) {
    const range = span === undefined ? {} : { from: isoOf(span.from), to: isoOf(span.to) }
    const { currencies } = yield* read(`/v1/metrics?${queryOf(range)}`)
    const rows: ReadonlyArray<Row> = Array.isArray(currencies) ? currencies : []
    const when = span?.words ?? "this month"
    const path = "/desk"
    if (rows.length === 0) return { answer: `Nothing was captured ${when} (/v1/metrics).`, path }
    const value = (row: Row, name: string) => {
      const figure = row[name]
      const value = typeof figure === "object" && figure !== null && "value" in figure ? figure.value : 0
      return moneyOf(typeof value === "number" ? value : 0, textIn(row, "currency"))
    }
    const said = rows.map((row) =>
      words.includes("refund")
        ? `${value(row, "refunds")} was given back`
        : `${value(row, "volume")} was captured and ${value(row, "refunds")} given back`
    )
    return { answer: `${said.join("; ")} ${when} (/v1/metrics).`.replace(/^./u, (letter) => letter.toUpperCase()), path }
  })
}

const fees: Topic = {
  name: "fees",
  asked: [
    "what did fees cost last month",
    "how much did we pay in fees this month",
    "fees in march",
    "commission we paid",
    "what do you charge us in fees"
  ],
  answer: Effect.fnUntraced(function*({ span }, read) {
    const range = span === undefined ? {} : { from: isoOf(span.from), to: isoOf(span.to) }
    const { currencies } = yield* read(`/v1/metrics?${queryOf(range)}`)
    const rows: ReadonlyArray<Row> = Array.isArray(currencies) ? currencies : []
    const when = span?.words ?? "this month"
    const each = rows.map((row) => {
      const figure = row["fees"]
      const value = typeof figure === "object" && figure !== null && "value" in figure ? figure.value : 0
      return moneyOf(typeof value === "number" ? value : 0, textIn(row, "currency"))
    })
    return {
      answer: each.length === 0
        ? `No fees were charged ${when} (/v1/metrics).`
        : `Fees came to ${each.join(" and ")} ${when}: what was charged less what was given back, from the ledger's entries (/v1/metrics).`,
      path: "/desk/financial_events?event_type=fee_charged"
    }
  })
}

const approvals: Topic = {
  name: "approvals",
  asked: [
    "what is waiting for approval",
    "do I have to approve a payment",
    "which payments need review",
    "what do agents want to pay",
    "payments waiting for a person"
  ],
  answer: Effect.fnUntraced(function*(_question, read) {
    const rows = rowsIn(yield* read("/v1/approvals?status=pending&per_page=5"))
    const path = "/desk/approvals?status=pending"
    if (rows.length === 0) return { answer: "Nothing waits for approval.", path }
    const each = rows.map((row) => `${textIn(row, "id")} of ${amountIn(row)} until ${dayOf(textIn(row, "expires_at"))}`)
    return { answer: `${counted(rows.length, "payment")} ${rows.length === 1 ? "waits" : "wait"} for approval: ${each.join("; ")}.`, path }
  })
}

const disputes: Topic = {
  name: "disputes",
  asked: [
    "do I have open disputes",
    "which chargebacks need an answer",
    "when is evidence due",
    "what is the deadline of dispute dp_id",
    "disputes to answer this week"
  ],
  answer: Effect.fnUntraced(function*({ ids }, read) {
    const wanted = ids["dp"]
    const rows = wanted === undefined
      ? rowsIn(yield* read("/v1/disputes?status=open&per_page=5"))
      : [yield* read(`/v1/disputes/${wanted}`)]
    if (rows.length === 0) return { answer: "No dispute is open.", path: "/desk/disputes" }
    const each = rows.map((row) =>
      `${textIn(row, "id")} of ${amountIn(row)} (reason ${textIn(row, "reason")}) is ${
        textIn(row, "status").replaceAll("_", " ")
      }, its evidence due by ${dayOf(textIn(row, "evidence_due_by"))}`
    )
    const [first] = rows
    return {
      answer: `${each.join("; ")}.`,
      path: rows.length === 1 && first !== undefined ? `/desk/disputes/${textIn(first, "id")}` : "/desk/disputes?status=open"
    }
  })
}

export const paymentTopics: ReadonlyArray<Topic> = [declined, volume, fees, approvals, disputes]
