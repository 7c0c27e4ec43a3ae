/** What a check found. */
import type { Effect } from "effect"

export interface Finding {
  /** `note`: nothing is wrong, but there was nothing to check either. */
  readonly mark: "ok" | "note" | "failed"
  readonly says: string
}

export interface Check<R> {
  readonly name: string
  readonly check: Effect.Effect<Finding, never, R>
}

const finding = (mark: Finding["mark"]) => (says: string): Finding => ({ mark, says })
export const ok = finding("ok")
export const note = finding("note")
export const failed = finding("failed")
