/** What a payer is told whose call is not answered by its own run. */
import { isRecord } from "@svc/kernel/values/record"
import { centsText } from "@svc/tool-kit/call"
import type { AnsweredCall, RefusedCall, ToolAnswer, UnpaidAnswer } from "@svc/tool-kit/gate/model"
import { refuse, refuseWith } from "@svc/tool-kit/gate/refusals"
import type { PaymentReceipt } from "../payment/credentials.ts"
import { decodeReceipt, type PaidCall } from "./model.ts"

/** The payment does not carry the call: nothing was taken, and it may be paid anew. */
export interface UnpaidCall {
  readonly _tag: "Unpaid"
  readonly why: string
  /** The facilitator's own word, where a facilitator refused the payment. */
  readonly reason?: string
}

export const unpaid = (why: string): UnpaidCall => ({ _tag: "Unpaid", why })

/** The facilitator would not, or did not, carry the transfer out. */
export const notCarriedOut = (reason: string): UnpaidCall => ({
  _tag: "Unpaid",
  why: `The payment was not carried out: ${reason}. Nothing was charged.`,
  reason
})

/** The 402 after a payment that was not carried out says so in the words of the payment's protocol. */
export const withRefusal = (demand: UnpaidAnswer, { headers, meta }: PaymentReceipt): UnpaidAnswer => ({
  ...demand,
  headers: { ...demand.headers, ...headers },
  meta: { ...demand.meta, ...meta }
})

export const linked = (status_url: string) => ({ link: `<${status_url}>; rel="related"` })

/** The place of the result comes first: who reads this has lost a reply, and wants it. */
export const stillRunning = (call: string, status_url: string): RefusedCall =>
  refuseWith(
    "IDEMPOTENCY_CONFLICT",
    `The result of call ${call}, which still runs, will be at ${status_url} Do not pay again. ` +
      "Repeat the identical call after a second to have it as its answer.",
    { retry_after: 1, call_id: call, status_url },
    { "retry-after": "1", ...linked(status_url) }
  )

/** Its result is kept no longer. */
export const answeredBefore = (call: string, receipt: string | null, status_url: string): RefusedCall =>
  refuse(
    "POSSIBLE_DUPLICATE",
    `Its state and receipt are at ${status_url} Call ${call} was answered, and its result was kept for a day.`,
    { call_id: call, receipt, status_url },
    linked(status_url)
  )

export const cutOff = (call: string): RefusedCall =>
  refuseWith(
    "IDEMPOTENCY_CONFLICT",
    `Call ${call} was cut off, and nothing was taken for it. Repeat the identical call after a second.`,
    { retry_after: 1, call_id: call },
    { "retry-after": "1" }
  )

const creditsInstead = (cents: number): string =>
  `The payment came before the run, and a transfer cannot be given back: ${
    centsText(cents)
  } of credits are the account's instead. Call again without a payment, and they pay.`

/** The call that was paid with this did not deliver. */
export const keptAsCredits = (call: string, cents: number): RefusedCall =>
  refuseWith("POSSIBLE_DUPLICATE", `Call ${call} did not deliver. ${creditsInstead(cents)}`, { call_id: call, credits_cents: cents })

/** Tools say of their failures that nothing was charged, which holds wherever the money comes after the run. */
const withoutPromise = (result: unknown): unknown =>
  isRecord(result) && isRecord(result["error"])
    ? { ...result, error: { ...result["error"], message: String(result["error"]["message"]).replace(/ ?Nothing was charged\./gu, "") } }
    : result

/** The answer of a run that did not deliver, after its money had come. */
export const undelivered = (answer: AnsweredCall | RefusedCall, { receipt, taken }: PaidCall): AnsweredCall | RefusedCall => {
  const { headers, meta } = receipt === null ? { headers: {}, meta: {} } : decodeReceipt(receipt)
  const note = creditsInstead(taken)
  if (answer._tag === "Refused") {
    return {
      ...answer,
      message: `${answer.message} ${note}`,
      data: { ...answer.data, credits_cents: taken },
      headers: { ...answer.headers, ...headers }
    }
  }
  return {
    ...answer,
    result: withoutPromise(answer.result),
    charged: taken,
    headers: { ...answer.headers, ...headers },
    meta: { ...answer.meta, ...meta, "svc/notes": [note] }
  }
}

/** Whether the transfer would be carried out is not known, so the tool does not run. */
export const notChecked = (reason: string): RefusedCall =>
  refuse(
    "INTERNAL",
    `The payment could not be checked: ${reason}. The tool has not run, and nothing was charged.`,
    { retry_after: 5 },
    { "retry-after": "5" }
  )

/** As long as this is the answer, nobody is to sign another payment. */
export const isOpen = (answer: ToolAnswer): boolean =>
  answer._tag === "Pending" || (answer._tag === "Refused" && answer.data["retry_after"] !== undefined)
