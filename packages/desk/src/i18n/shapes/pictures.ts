/** What pictures say, and the tables beneath them. */
import type { MomentState } from "@svc/design/charts/moments"

export interface PictureTexts {
  /** Unfolds the table. */
  readonly numbers: string
  readonly day: string
  readonly captured: string
  readonly refunded: string
  readonly payments: string
  readonly pending: string
  readonly available: string
  readonly reserved: string
  readonly currency: string
  readonly volume: {
    readonly title: (currency: string) => string
    readonly about: (captured: string, refunded: string) => string
  }
  readonly balances: {
    readonly title: (currency: string) => string
    readonly about: (pending: string, available: string, reserved: string) => string
    readonly before: string
  }
  readonly flow: {
    readonly title: string
    readonly about: (movements: number) => string
    /** The lane of all that is not the merchant's: who paid, fees, banks. */
    readonly outside: string
    readonly movement: (event: string, amount: string) => string
    readonly now: string
    readonly earlier: (count: number) => string
  }
  readonly moments: {
    readonly title: string
    readonly about: (past: number, ahead: number) => string
    readonly number: string
    readonly what: string
    readonly when: string
    readonly state: string
    readonly now: string
    readonly states: Readonly<Record<MomentState, string>>
    readonly opened: string
    readonly evidenceDue: string
    readonly evidenceSent: string
    readonly closed: (status: string) => string
    readonly cycleDue: string
    readonly attempt: (number: number, outcome: string) => string
    readonly nextAttempt: string
    readonly graceEnds: string
    readonly created: string
    readonly sent: string
    readonly settles: string
    readonly ended: (status: string) => string
  }
}
