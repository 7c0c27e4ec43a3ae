/** What a method answers, before a revision or a transport gives it its shape. */
import type { ToolAnswer } from "@svc/tool-kit/gate/model"
import type { RpcError } from "./json-rpc.ts"

export type MethodAnswer =
  | { readonly _tag: "Result"; readonly result: Readonly<Record<string, unknown>> }
  | { readonly _tag: "Error"; readonly error: RpcError }
  | { readonly _tag: "Tool"; readonly answer: ToolAnswer }

/** What became of a request; undefined when it was cancelled. */
export type MethodOutcome = MethodRun & { readonly body: object } | undefined

export interface MethodRun {
  readonly answer: MethodAnswer
  /** The credential of a call that passed the checks of the gate: empty without a key, undefined for every other request. */
  readonly credential: string | undefined
}

export const result = (value: Readonly<Record<string, unknown>>): MethodAnswer => ({ _tag: "Result", result: value })
export const failed = (error: RpcError): MethodAnswer => ({ _tag: "Error", error })
