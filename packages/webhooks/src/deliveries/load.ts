/** What one worker has in its hands, and where to look for more. Plain bookkeeping, no effects. */
import { Latch } from "effect"
import type { ClaimedDelivery, ClaimRequest, CompletedDelivery, Completion } from "./queue.ts"

export interface ClaimLimits {
  /** Attempts under way at once, of all accounts and of one. One slow receiver must not hold all of them. */
  readonly concurrency: number
  readonly perAccount: number
}

/** Accounts asked for in one claim. */
const ACCOUNTS_PER_CLAIM = 32

export class WorkerLoad {
  readonly #limits: ClaimLimits
  readonly #inHand = new Map<string, ClaimedDelivery>()
  readonly #perAccount = new Map<string, number>()
  /** Accounts that may have something due, in the order they became so. */
  readonly #hot = new Set<string>()
  /** Accounts that have more due than they may have under way. */
  readonly #full = new Set<string>()
  /** Accounts with deliveries that finished while a claim was running, which may not have seen that. */
  readonly #moved = new Set<string>()
  /** Open while nothing is in hand. */
  readonly idle = Latch.makeUnsafe(true)

  constructor(limits: ClaimLimits) {
    this.#limits = limits
  }

  get inHand(): ReadonlyArray<ClaimedDelivery> {
    return Array.from(this.#inHand.values())
  }

  hear(accounts: Iterable<string>): void {
    for (const account of accounts) this.#hot.add(account)
  }

  /** What to claim next, shared fairly, and at most so many. Nothing when no account is hot or all hands are full. */
  wanted(atMost = Number.POSITIVE_INFINITY): ReadonlyArray<ClaimRequest> {
    this.#moved.clear()
    let left = Math.min(this.#limits.concurrency - this.#inHand.size, atMost)
    const share = Math.max(1, Math.floor(left / Math.max(1, Math.min(this.#hot.size, ACCOUNTS_PER_CLAIM))))
    const claims: Array<ClaimRequest> = []
    for (const account of this.#hot) {
      if (left <= 0 || claims.length === ACCOUNTS_PER_CLAIM) break
      this.#hot.delete(account)
      const allowed = this.#limits.perAccount - (this.#perAccount.get(account) ?? 0)
      if (allowed <= 0) {
        this.#full.add(account)
        continue
      }
      const slots = Math.min(allowed, share, left)
      left -= slots
      claims.push({ account, slots })
    }
    return claims
  }

  claimed(deliveries: ReadonlyArray<ClaimedDelivery>, more: Iterable<string>): void {
    for (const delivery of deliveries) {
      this.#inHand.set(delivery.id, delivery)
      this.#perAccount.set(delivery.account_id, (this.#perAccount.get(delivery.account_id) ?? 0) + 1)
    }
    if (this.#inHand.size > 0) this.idle.closeUnsafe()
    this.hear(more)
    this.hear(this.#moved)
  }

  /** The worker is done with these deliveries, whatever their outcome. */
  finished(completions: ReadonlyArray<Completion>, completed: ReadonlyArray<CompletedDelivery>): void {
    for (const { account_id, id } of completions) {
      if (!this.#inHand.delete(id)) continue
      const left = (this.#perAccount.get(account_id) ?? 1) - 1
      if (left > 0) this.#perAccount.set(account_id, left)
      else this.#perAccount.delete(account_id)
      if (this.#full.delete(account_id)) this.#hot.add(account_id)
      this.#moved.add(account_id)
    }
    for (const { account_id, followed } of completed) if (followed) this.#hot.add(account_id)
    if (this.#inHand.size === 0) this.idle.openUnsafe()
  }
}
