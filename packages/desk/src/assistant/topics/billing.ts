/** Questions about subscriptions, invoices and customers. */
import { Effect } from "effect"
import { numberIn, rowsIn, textIn } from "../read.ts"
import { amountIn, counted, dayOf, type Topic } from "../topic.ts"

const PAST_DUE = "past_due"

const subscriptions: Topic = {
  name: "subscriptions",
  asked: [
    "which subscriptions are past due",
    "why is subscription sub_id past due",
    "when is the next retry of a renewal",
    "how many subscriptions failed to renew",
    "subscribers with a failed payment",
    "when does subscription sub_id renew"
  ],
  answer: Effect.fnUntraced(function*({ ids }, read) {
    const wanted = ids["sub"]
    const rows = wanted === undefined
      ? rowsIn(yield* read(`/v1/subscriptions?status=${PAST_DUE}&per_page=5`))
      : [yield* read(`/v1/subscriptions/${wanted}`)]
    if (rows.length === 0) return { answer: "No subscription is past due.", path: "/desk/subscriptions" }
    const each = rows.map((row) => {
      const id = textIn(row, "id")
      if (textIn(row, "status") !== PAST_DUE) {
        const next = textIn(row, "next_billing_date")
        return `${id} of ${textIn(row, "customer_id")} is ${textIn(row, "status")}${
          next === "" ? "" : ` and is charged next on ${dayOf(next)}`
        }`
      }
      const retry = textIn(row, "next_retry_at")
      return `${id} of ${textIn(row, "customer_id")} is past due after ${counted(numberIn(row, "failed_attempts"), "failed attempt")}${
        retry === "" ? " and is not tried again by itself" : ` and is tried again on ${dayOf(retry)}`
      }`
    })
    const [first] = rows
    return {
      answer: `${each.join("; ")}.`,
      path: rows.length === 1 && first !== undefined
        ? `/desk/subscriptions/${textIn(first, "id")}`
        : `/desk/subscriptions?status=${PAST_DUE}`
    }
  })
}

const invoices: Topic = {
  name: "invoices",
  asked: [
    "which invoices are unpaid",
    "how much is outstanding on invoices",
    "open invoices of customers",
    "is invoice inv_id paid",
    "who owes us money",
    "overdue bills"
  ],
  answer: Effect.fnUntraced(function*({ ids }, read) {
    const wanted = ids["inv"]
    if (wanted !== undefined) {
      const one = yield* read(`/v1/invoices/${wanted}`)
      const rest = textIn(one, "status") === "open" ? `, ${amountIn(one, "amount_due")} of it due` : ""
      return {
        answer: `The invoice ${textIn(one, "number")} (${wanted}) of ${amountIn(one, "total")} is ${textIn(one, "status")}${rest}.`,
        path: `/desk/invoices/${wanted}`
      }
    }
    const list = yield* read("/v1/invoices?status=open&per_page=5")
    const rows = rowsIn(list)
    const path = "/desk/invoices?status=open"
    if (rows.length === 0) return { answer: "No invoice is open.", path }
    const each = rows.map((row) =>
      `${textIn(row, "number")} (${textIn(row, "id")}) of ${textIn(row, "customer_id")}, ${amountIn(row, "amount_due")} due`
    )
    const total = Math.max(numberIn(list, "total"), rows.length)
    return { answer: `${counted(total, "invoice")} ${total === 1 ? "is" : "are"} open: ${each.join("; ")}.`, path }
  })
}

export const billingTopics: ReadonlyArray<Topic> = [subscriptions, invoices]
