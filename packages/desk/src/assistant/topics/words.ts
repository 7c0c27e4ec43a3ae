/** Questions about words of the contract: error codes, states, decline codes. */
import { Effect } from "effect"
import { type Row, rowsIn, textIn } from "../read.ts"
import { listed, type Topic } from "../topic.ts"
import { declineWords } from "./payments.ts"

const texts = (value: unknown): ReadonlyArray<string> => Array.isArray(value) ? value.filter((one) => typeof one === "string") : []

const isAsked = (text: string, code: string): boolean => code !== "" && new RegExp(`(?:^|[^a-z_])${code}(?:[^a-z_]|$)`, "u").test(text)

const stateOf = (machine: Row, text: string): string | undefined => texts(machine["states"]).find((state) => isAsked(text, state))

const movesOf = (machine: Row, state: string): string => {
  const all = machine["transitions"]
  const moves: ReadonlyArray<Row> = Array.isArray(all) ? all.filter((move: Row) => move["from"] === state) : []
  return moves.length === 0
    ? "nothing follows it"
    : `from it go ${listed(moves.map((move) => `${textIn(move, "trigger")} to ${textIn(move, "to")}`))}`
}

export const codes: Topic = {
  name: "error_codes",
  asked: [
    "what does error code insufficient_balance mean",
    "what does the error idempotency_key_reused mean",
    "explain decline code do_not_honor",
    "I get error version_conflict",
    "meaning of code invalid_state"
  ],
  answer: Effect.fnUntraced(function*({ text }, read) {
    const asked = text.toLowerCase()
    for (const [code, [meaning, next]] of Object.entries(declineWords)) {
      if (isAsked(asked, code)) {
        return { answer: `The decline code ${code}: ${meaning}. What helps: ${next} (/v1/error_codes).`, path: null }
      }
    }
    const row = rowsIn(yield* read("/v1/error_codes")).find((one) => isAsked(asked, textIn(one, "error")))
    if (row === undefined) {
      return { answer: "Name the code as the answer had it, such as invalid_state. All of them are at /v1/error_codes.", path: null }
    }
    return { answer: `${textIn(row, "error")}: ${textIn(row, "meaning")} ${textIn(row, "next")} (/v1/error_codes)`, path: null }
  })
}

export const states: Topic = {
  name: "states",
  asked: [
    "what does state past_due mean of a subscription",
    "which states has a payment",
    "what can follow the state authorized of a payment intent",
    "states of a dispute",
    "explain status under_review",
    "state machine of invoices"
  ],
  answer: Effect.fnUntraced(function*({ text }, read) {
    const asked = text.toLowerCase().replaceAll(/[ -]/gu, "_")
    const machines = rowsIn(yield* read("/v1/state_machines"))
    const words = (machine: Row) => textIn(machine, "name").split("_").filter((word) => asked.includes(word)).length
    const best = machines.filter((machine) =>
      words(machine) > 0
    ).toSorted((one, other) => words(other) - words(one) || textIn(one, "name").length - textIn(other, "name").length)[0] ??
      machines.find((machine) =>
        stateOf(machine, text.toLowerCase()) !== undefined
      )
    if (best === undefined) {
      return { answer: "Name the resource, such as a payment intent or a dispute. All states are at /v1/state_machines.", path: null }
    }
    const name = textIn(best, "name").replaceAll("_", " ")
    const state = stateOf(best, text.toLowerCase())
    return {
      answer: state === undefined
        ? `A ${name} is one of ${listed(texts(best["states"]))}; it ends as ${listed(texts(best["terminal"]))} (/v1/state_machines).`
        : `${state} is a state of a ${name}: ${movesOf(best, state)} (/v1/state_machines).`,
      path: null
    }
  })
}

export const wordTopics: ReadonlyArray<Topic> = [codes, states]
