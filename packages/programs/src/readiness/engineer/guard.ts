/** What the endpoint must not let an agent exceed, as the caller of the tool said. */
export const spendingWindows = ["per_call", "hourly", "daily", "monthly"] as const

export interface Guard {
  /** Without one the endpoint asks its environment, and does not start without an answer. */
  readonly budget_per_run_cents?: number
  readonly spending_window?: typeof spendingWindows[number]
}

/** Seconds that spending is summed over; 0 for a limit of each call. A month is 30 days, so that no window is longer than it says. */
const SECONDS = { per_call: 0, hourly: 3600, daily: 86_400, monthly: 2_592_000 } as const

export const windowSeconds = ({ spending_window = "per_call" }: Guard): number => SECONDS[spending_window]
