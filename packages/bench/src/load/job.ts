/** What the load process is asked to do, and what it reports. Times are seconds, latencies milliseconds. */
import type { Latencies } from "./histogram.ts"

interface Common {
  readonly port: number
  readonly connections: number
  /** Numbers of the merchants to take in turn: from `firstMerchant`, so many. */
  readonly firstMerchant: number
  readonly merchants: number
}

/** Nobody, over MCP, in a session of each connection; the merchants in turn, or one key for all, by JSON-RPC without a session. */
export type ToolCaller = { readonly _tag: "Sessions" } | { readonly _tag: "Merchants" } | { readonly _tag: "Key"; readonly key: string }

export type Job =
  /** Whole charges. `rate` is charges a second, arriving at a constant rate; 0 keeps all connections busy. */
  | Common & {
    readonly kind: "charges"
    readonly rate: number
    readonly warmup: number
    readonly seconds: number
    /** So many charges with all connections busy, however long they take, instead of `seconds`. */
    readonly charges?: number
  }
  /** Whole charges of one request each, with all connections busy. */
  | Common & { readonly kind: "one_request_charges"; readonly warmup: number; readonly seconds: number; readonly charges?: number }
  /** Prepares so many authorized intents, then captures them as fast as the connections allow. */
  | Common & { readonly kind: "captures"; readonly captures: number }
  /** Calls of a tool as fast as the connections allow. */
  | Common & {
    readonly kind: "tool_calls"
    readonly tool: string
    /** JSON. */
    readonly arguments: string
    readonly caller: ToolCaller
    readonly warmup: number
    readonly seconds: number
  }
  /** Reads the paths in turn, one request at a time; the first tenth is warm-up. */
  | Common & { readonly kind: "reads"; readonly paths: ReadonlyArray<string>; readonly reads: number }

export interface JobResult {
  /** Units of the job (charges, captures, calls, reads) that ended within the measured time, and that time. */
  readonly done: number
  readonly seconds: number
  /** From the scheduled time of each request to its answer. */
  readonly latency: Latencies
  /** The generator's share of it: how late it sent what it could have sent. */
  readonly lateness: Latencies
  /** Answers that were not what the job expects, and one of them. */
  readonly failures: number
  readonly failure: string | undefined
  /** Processor time of the generator, seconds. */
  readonly cpu: number
}
