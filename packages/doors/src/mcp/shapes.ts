/** Answers of methods and tools as JSON-RPC carries them. */
import { isRecord } from "@svc/kernel/values/record"
import type { ToolAnswer } from "@svc/tool-kit/gate/model"
import type { MethodAnswer } from "./answers.ts"
import * as JsonRpc from "./json-rpc.ts"

/**
 * What a tool answered, as the result of `tools/call`: text for every client, and structure for those that read it, which must be an
 * object.
 */
const toolResult = (value: unknown, isError: boolean, meta: Readonly<Record<string, unknown>>) => ({
  content: [{ type: "text", text: JSON.stringify(value) }],
  ...(isRecord(value) ? { structuredContent: value } : {}),
  isError,
  ...(Object.keys(meta).length === 0 ? {} : { _meta: meta })
})

type Shaped = { readonly result: Readonly<Record<string, unknown>> } | { readonly error: JsonRpc.RpcError }

/** In band: a payment that is asked for is a result that says so. */
export const shapeTool = (tool: ToolAnswer): Shaped => {
  switch (tool._tag) {
    case "Answered":
      return { result: toolResult(tool.result, tool.isError, tool.meta) }
    case "Refused":
      return { error: { code: tool.code, message: tool.message, data: tool.data } }
    case "PaymentRequired":
      return {
        result: toolResult(tool.inBand, true, { "org.paymentauth/payment-required": { challenges: tool.challenges }, ...tool.meta })
      }
    case "Pending":
      return { result: toolResult({ pending: true, call_id: tool.call_id, status_url: tool.status_url }, false, {}) }
  }
}

export const shape = (of: MethodAnswer): Shaped =>
  of._tag === "Result" ? { result: of.result } : of._tag === "Error" ? { error: of.error } : shapeTool(of.answer)

export const message = (id: JsonRpc.Id, shaped: Shaped) =>
  "error" in shaped ? JsonRpc.refusal(id, shaped.error) : JsonRpc.reply(id, shaped.result)
