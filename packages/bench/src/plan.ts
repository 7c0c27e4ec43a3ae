/** How long each measure takes. `--quick` is for development: its figures vary. */
export interface Plan {
  readonly quick: boolean
  readonly merchants: number
  readonly connections: number
  /** Rounds of each contestant, taken in turn, and their seconds. */
  readonly rounds: number
  readonly warmup: number
  /** Charges before charges are measured: V8 has compiled by then what it will. */
  readonly warmupCharges: number
  readonly seconds: number
  /** Rounds of the calls of tools. */
  readonly callRounds: number
  readonly hotRounds: number
  readonly hotCaptures: number
  readonly latencySeconds: number
  readonly webhookSeconds: number
  /** Intents of the small and of the large listing. */
  readonly small: number
  readonly large: number
  readonly reads: number
  readonly restarts: number
  /** Payments that are held when an account's clock is sent a year ahead. */
  readonly holds: number
  /** Captured payments that fall due together. */
  readonly settlements: number
  /** Lines of a provider's file. */
  readonly reconciled: number
  /** Dispute deadlines and payouts that fall due together, half of each. */
  readonly deadlines: number
  /** Documents, and vectors, that are stored, and the questions asked about them. */
  readonly stored: number
  readonly questions: number
  /** Subscriptions of an account whose metrics are asked for, and subscriptions that renew at one moment. */
  readonly subscriptions: number
  readonly renewals: number
  /** MCP sessions, each with an open stream. */
  readonly sessions: number
  /** Events of the ledger that is verified, exported and rebuilt. */
  readonly bookEvents: number
}

export const full: Plan = {
  quick: false,
  merchants: 1_000,
  connections: 16,
  rounds: 9,
  warmup: 8,
  warmupCharges: 5_000,
  seconds: 6,
  callRounds: 5,
  hotRounds: 3,
  hotCaptures: 5_000,
  latencySeconds: 30,
  webhookSeconds: 30,
  small: 10_000,
  large: 1_000_000,
  reads: 500,
  restarts: 3,
  holds: 1_000,
  settlements: 10_000,
  reconciled: 100_000,
  deadlines: 10_000,
  stored: 100_000,
  questions: 500,
  subscriptions: 100_000,
  renewals: 10_000,
  sessions: 10_000,
  bookEvents: 1_000_000
}

export const quick: Plan = {
  ...full,
  quick: true,
  rounds: 2,
  warmup: 2,
  warmupCharges: 1_000,
  seconds: 3,
  callRounds: 2,
  hotRounds: 1,
  hotCaptures: 600,
  latencySeconds: 5,
  webhookSeconds: 6,
  large: 100_000,
  reads: 100,
  restarts: 1,
  settlements: 1_000,
  reconciled: 10_000,
  deadlines: 1_000,
  stored: 10_000,
  questions: 200,
  subscriptions: 10_000,
  renewals: 1_000,
  sessions: 2_000,
  bookEvents: 100_000
}
