/** Counts calls of tools by who paid for them. */
import { counter } from "@svc/kernel/parts/metrics"
import type { PaidBy } from "@svc/metering/tool-calls/model"
import type { ToolAnswer } from "@svc/tool-kit/gate/model"

const calls = counter("svc_tool_calls", "Calls of tools, by tool, payer and outcome; a call that did not run has the payer none")

/** Counts a call that the tool answered, which this payer pays for if it succeeded. Returns the answer. */
export const countPaid = (tool: string, payer: PaidBy | "payment", answer: ToolAnswer): ToolAnswer => {
  if (answer._tag !== "Answered") return answer
  if (answer.meta["svc/replayed"] === true) calls({ tool, payer: "none", outcome: "replayed" })
  else calls({ tool, payer, outcome: answer.isError ? "failed" : "succeeded" })
  return answer
}

const instead = { PaymentRequired: "payment_required", Pending: "pending" } as const

/** Counts a call that the tool did not answer, by what the caller was told instead. */
export const countUnpaid = (tool: string, answer: ToolAnswer): void => {
  if (answer._tag === "Answered") return
  calls({ tool, payer: "none", outcome: answer._tag === "Refused" ? answer.data.code.toLowerCase() : instead[answer._tag] })
}
