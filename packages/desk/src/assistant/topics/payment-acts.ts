/** Questions that ask to do something with a payment: how it is done and whether it can be. A person does it: no answer moves money. */
import { statesFor } from "@svc/kernel/resource/state-machine"
import { paymentIntentMachine } from "@svc/payments/payment-intents/machine"
import { Effect } from "effect"
import type { Question } from "../question.ts"
import { numberIn, type Row, textIn } from "../read.ts"
import { amountIn, momentOf, moneyOf, type Topic } from "../topic.ts"

type Verb = "refund" | "capture" | "void"

/** A payment is cancelled by `void`, and no other way. */
const verbs: ReadonlyArray<readonly [word: string, verb: Verb]> = [
  ["refund", "refund"],
  ["capture", "capture"],
  ["void", "void"],
  ["cancel", "void"]
]

/** What the words ask to do; undefined where they ask for nothing of it. */
export const verbIn = ({ words }: Pick<Question, "words">): Verb | undefined => verbs.find(([word]) => words.includes(word))?.[1]

const titles: Readonly<Record<Verb, string>> = { refund: "refund it", capture: "capture it", void: "cancel it and release what is held" }

const waysTo = (verb: Verb, id: string): string =>
  `To ${titles[verb]}, go to /desk/payments/${id}/do/${verb} (POST /v1/payment_intents/${id}/${verb})`

/** What the customer's bank took back cannot be given back once more. */
const refundableOf = (payment: Row): number =>
  numberIn(payment, "captured_amount") - numberIn(payment, "refunded_amount") - numberIn(payment, "disputed_amount")

const partOf = (payment: Row, field: string, words: string): string =>
  numberIn(payment, field) === 0 ? "" : ` ${amountIn(payment, field)} ${words}.`

const possible: Readonly<Record<Verb, (payment: Row) => string>> = {
  refund: (payment) => {
    const left = refundableOf(payment)
    const gone = `${partOf(payment, "refunded_amount", "was refunded already")}${partOf(payment, "disputed_amount", "is disputed")}`
    return left <= 0
      ? `Nothing of it is left to refund.${gone}`
      : `${moneyOf(left, textIn(payment, "currency"))} of it can be refunded.${gone} ${
        waysTo("refund", textIn(payment, "id"))
      }; without an amount, all of that is refunded.`
  },
  capture: (payment) => {
    const until = textIn(payment, "capture_before")
    return `${amountIn(payment, "authorized_amount")} is held${until === "" ? "" : ` until ${momentOf(until)}`}. ${
      waysTo("capture", textIn(payment, "id"))
    }; less than that can be captured, once.`
  },
  void: (payment) => `${waysTo("void", textIn(payment, "id"))}.`
}

const impossible: Readonly<Record<Verb, string>> = {
  refund: "Nothing was captured, so there is nothing to refund.",
  capture: "Only what is held can be captured.",
  void: "It cannot be cancelled any more."
}

const isPossible = (verb: Verb, state: string): boolean => statesFor(paymentIntentMachine, verb).some((from) => from === state)

/** What is done in its place where this cannot be done. */
const instead: Readonly<Record<Verb, ReadonlyArray<Verb>>> = { refund: ["void"], capture: ["refund"], void: ["refund"] }

const answered = (verb: Verb, payment: Row): string => {
  const state = textIn(payment, "state")
  if (isPossible(verb, state)) return possible[verb](payment)
  const other = instead[verb].find((one) => isPossible(one, state))
  const reason = state === "refunded" ? "All of it was refunded already." : impossible[verb]
  return other === undefined ? reason : `${reason} ${possible[other](payment)}`
}

const inGeneral = (verb: Verb): string =>
  `Open the payment at /desk/payments and choose what to do (POST /v1/payment_intents/{id}/${verb}). ` +
  "Name the payment (pi_…) and I say whether it can be done."

export const paymentActs: Topic = {
  name: "payment_acts",
  asked: [
    "refund pi_id",
    "how do I refund payment pi_id",
    "give a refund of payment pi_id to the customer",
    "capture pi_id",
    "capture payment pi_id",
    "cancel pi_id",
    "cancel payment pi_id",
    "void payment pi_id",
    "void pi_id"
  ],
  answer: Effect.fnUntraced(function*(question, read) {
    const [verb, id] = [verbIn(question) ?? "refund", question.ids["pi"]]
    if (id === undefined) return { answer: inGeneral(verb), path: "/desk/payments" }
    const payment = yield* read(`/v1/payment_intents/${id}`)
    return {
      answer: `The payment ${id} of ${amountIn(payment)} is ${textIn(payment, "state")}. ${answered(verb, payment)}`,
      path: `/desk/payments/${id}`
    }
  })
}
