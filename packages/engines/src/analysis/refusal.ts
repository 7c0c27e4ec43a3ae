/** Why the intake takes nothing. Apart from `model.ts`, because the child that throws these loads no more than it needs. */
import type { refusals } from "./model.ts"

export const MIB = 1024 * 1024

export class Refusal extends Error {
  readonly reason: typeof refusals[number]
  constructor(reason: typeof refusals[number], message: string) {
    super(message)
    this.reason = reason
  }
}
