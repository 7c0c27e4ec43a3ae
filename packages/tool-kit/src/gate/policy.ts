/** What a run may be refused with by the policy of the agent key, where only the run can know: told as every refusal of the gate. */
import { Data } from "effect"
import type { RefusalName, RefusedCall } from "./model.ts"
import { refuse } from "./refusals.ts"

/** The tool may not do this for this key. It did nothing, and costs nothing. */
export class PolicyRefused extends Data.TaggedError("PolicyRefused")<{ readonly refusal: RefusedCall }> {}

/** A refusal by its code in the table of refusals. */
export const refusedAs = (code: RefusalName, detail: string, more: Readonly<Record<string, unknown>> = {}): PolicyRefused =>
  new PolicyRefused({ refusal: refuse(code, detail, more) })
