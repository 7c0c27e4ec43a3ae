import type { HomeTexts } from "../shapes/home.ts"

const of = (count: number, one: string, many: string): string => count === 1 ? one : `${count} ${many}`

export const home: HomeTexts = {
  attention: {
    title: "Needs somebody",
    none: "Nothing waits for anybody.",
    kinds: {
      webhook_endpoint_failing: (count) => `The webhook endpoint does not take its deliveries: ${of(count, "one failed", "failed")}.`,
      payout_failed: () => "A payout failed, and the money is back.",
      dispute_due: () => "A dispute waits for evidence.",
      reconciliation_mismatch: (count) =>
        of(count, "A line of a statement does not agree with the books.", "lines of a statement do not agree with the books."),
      ledger_broken: () => "The verification of the ledger found a break.",
      approval_waiting: () => "A payment waits for approval.",
      second_look_waiting: () => "What a person asked for waits for a second one."
    },
    since: "Since",
    due: "Until",
    other: (kind, count) => `${kind.replaceAll("_", " ")}: ${count}`
  },
  volume: {
    title: "Volume",
    today: "Today",
    month: "Last 30 days",
    payments: (count) => of(count, "one payment", "payments"),
    refunded: "refunded",
    none: "Nothing was captured in the last 30 days.",
    counting: "Older days are still being added up."
  },
  balances: { title: "Balances", pending: "Pending", available: "Available", reserved: "Reserved" },
  latest: { title: "Latest payments", all: "All payments" },
  mail: {
    subject: (account, count) => count === 1 ? `${account}: something needs you` : `${account}: ${count} things need you`,
    greeting: (account) => `This needs somebody at ${account}:`,
    open: "Open the desk",
    why: "You get this mail once for each of these, because your role can see to it."
  }
}
