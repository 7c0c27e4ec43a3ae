/** What each refusal means, and what to do next. */
import { refusals } from "../../gate/refusals.ts"
import { json, type Make } from "./document.ts"

/** Answers of HTTP that the list of the gate does not hold: what is paid for is no refusal. */
const payment = [
  { code: "PAYMENT_REQUIRED", number: 4020, status: 402, retryable: true, meaning: "The call is paid when it is made.", next: "Pay what a challenge asks, then send the identical request with the credential." },
  { code: "CREDITS_EXHAUSTED", number: 4020, status: 402, retryable: true, meaning: "The account's credits do not pay for the call.", next: "Pay for the call as a challenge asks, or buy credits." },
  { code: "TIER_REQUIRED", number: 4020, status: 402, retryable: true, meaning: "The account's plan does not pay for this work.", next: "Pay for the call as a challenge asks, or change the plan." }
]

export const errorCodes: Make = () =>
  json({
    data: [...Object.entries(refusals).map(([code, { meaning, next, number, retryable, status }]) => ({ code, number, status, retryable, meaning, next })), ...payment],
    domain_failures: "A tool that ran and failed answers isError with structuredContent.error {code, message, retryable, detail}. Nothing was charged."
  })
