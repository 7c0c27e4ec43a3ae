/** What the load process is asked to do, and what it reports. Times are seconds, latencies milliseconds. */
import type { Latencies } from "./histogram.ts"

interface Common {
  readonly port: number
  readonly connections: number
  /** Numbers of the merchants to take in turn: from `firstMerchant`, so many. */
  readonly firstMerchant: number
  readonly merchants: number
}

export type Job =
  /** Whole charges. `rate` is charges a second, arriving at a constant rate; 0 keeps all connections busy. */
  | Common & { readonly kind: "charges"; readonly rate: number; readonly warmup: number; readonly seconds: number }
  /** Prepares so many authorized intents, then captures them as fast as the connections allow. */
  | Common & { readonly kind: "captures"; readonly captures: number }
  /** Reads the paths in turn, one request at a time; the first tenth is warm-up. */
  | Common & { readonly kind: "reads"; readonly paths: ReadonlyArray<string>; readonly reads: number }

export interface JobResult {
  /** Units of the job (charges, captures, reads) that ended within the measured time, and that time. */
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
