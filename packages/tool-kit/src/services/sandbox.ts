/** What runs code that nobody trusts. */
import { Context, type Effect, Schema } from "effect"
import type { Backend, NotConfigured } from "../backend.ts"
import type { Call } from "../call.ts"
import { may } from "../fields.ts"

export const runtimes = ["python", "node", "bash"] as const

/** A signed statement of the code that ran, its runner and its result. */
const Attestation = Schema.Struct({
  code_sha256: Schema.String,
  output_sha256: Schema.String,
  image: Schema.String,
  started_at: Schema.String,
  prev_hash: Schema.String,
  entry_hash: Schema.String,
  sig: Schema.String,
  kid: Schema.String
})

export const Ran = Schema.Struct({
  stdout: Schema.String,
  stderr: Schema.String,
  exit_code: Schema.NullOr(Schema.Int),
  timed_out: Schema.Boolean,
  duration_ms: Schema.Natural,
  /** Engine, rung of confinement and version. */
  image: Schema.String,
  /** What the caller should know of this run, such as that it was ended at a limit. */
  notes: may(Schema.Array(Schema.String)),
  attestation: may(Attestation)
})
export type Ran = typeof Ran.Type

export interface RunRequest {
  readonly runtime: typeof runtimes[number]
  readonly code: string
  readonly stdin: string
  readonly timeout_seconds: number
}

export class Sandbox extends Context.Service<
  Sandbox,
  Backend<{
    /** NotConfigured for a runtime that is absent here, and with the reason `sandbox_busy` while as many runs are under way as may be. */
    readonly run: (request: RunRequest, call: Call) => Effect.Effect<Ran, NotConfigured>
  }>
>()("@svc/tool-kit/Sandbox") {}
