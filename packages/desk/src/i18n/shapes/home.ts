/** What the home page and its mails say. */

/** The kinds of things that need a person, as packages contribute them. */
export const attentionKinds = [
  "webhook_endpoint_failing",
  "payout_failed",
  "dispute_due",
  "reconciliation_mismatch",
  "ledger_broken",
  "approval_waiting",
  "second_look_waiting"
] as const
export type AttentionKindName = typeof attentionKinds[number]

export interface HomeTexts {
  readonly attention: {
    readonly title: string
    readonly none: string
    /** Of each kind, one of them and several. */
    readonly kinds: Readonly<Record<AttentionKindName, (count: number) => string>>
    readonly since: string
    readonly due: string
    /** Between the name of what is wrong and the number of a kind that has no words yet. */
    readonly other: (kind: string, count: number) => string
  }
  readonly volume: {
    readonly title: string
    readonly today: string
    readonly month: string
    readonly payments: (count: number) => string
    readonly refunded: string
    readonly none: string
    /** While days are still added up. */
    readonly counting: string
  }
  readonly balances: { readonly title: string; readonly pending: string; readonly available: string; readonly reserved: string }
  readonly latest: { readonly title: string; readonly all: string }
  readonly mail: {
    readonly subject: (account: string, count: number) => string
    readonly greeting: (account: string) => string
    readonly open: string
    readonly why: string
  }
}
