/** What can be done with referrals: have a token, come by one, earn by those who came. */
import { type Contributions, contributions } from "@svc/kernel/parts/contributions"
import { change } from "@svc/kernel/resource/change"
import type { VersionConflict } from "@svc/kernel/resource/errors"
import { internalCause } from "@svc/kernel/resource/idempotency"
import { lostRace, untilCommitted } from "@svc/kernel/resource/versions"
import { Committer } from "@svc/kernel/road/committer"
import { nextId } from "@svc/kernel/values/ids"
import { now } from "@svc/kernel/values/time"
import { Context, Effect, Layer } from "effect"
import { CreditGrantId, creditGrants } from "../credit-grants/model.ts"
import { newGrant } from "../credit-grants/rules.ts"
import { CREDITS_A_CENT } from "../plans/model.ts"
import { EARNED_AFTER, FREE_CALL_UP_TO, FREE_CALLS, milestones, referrals, type ReferralStatus } from "./model.ts"
import { ReferralRepository } from "./repository.ts"
import { isToken, rewardOf, tokenOf } from "./rules.ts"

/** Cents that an account has paid for something, other than for single calls. */
export type PaidCents = (account: string) => Effect.Effect<number>

/** What parts above sell to accounts: each says what an account has paid it. */
export class OtherPayments extends Context.Service<OtherPayments, Contributions<PaidCents>>()("@svc/metering/OtherPayments") {
  static readonly layer = Layer.sync(OtherPayments, () => contributions<PaidCents>())
}

export class Referrals extends Context.Service<Referrals, {
  /** The token of an account, always the same. */
  readonly token: (account: string) => Effect.Effect<string>
  /**
   * The account came by this token. False when it came by one before or has paid already, when the token is its own or of the other kind
   * (sandbox, live), or when nobody has it.
   */
  readonly join: (token: string, account: string) => Effect.Effect<boolean>
  readonly status: (account: string) => Effect.Effect<ReferralStatus>
  /**
   * Whether a call of this price is free for the account, because it came by a token. A call so paid is written down as paid by referral.
   */
  readonly isFree: (account: string, cents: number) => Effect.Effect<boolean>
  /** The account has paid for something: whoever referred it earns once it has paid enough, once. */
  readonly reward: (account: string) => Effect.Effect<void, VersionConflict>
}>()("@svc/metering/Referrals") {
  static readonly layer = Layer.effect(
    Referrals,
    Effect.gen(function*() {
      const repository = yield* ReferralRepository
      const committer = yield* Committer
      const others = yield* OtherPayments

      const token = Effect.fn("Referrals.token")(function*(account: string) {
        const mine = tokenOf(account)
        yield* repository.name(account, mine, yield* now)
        return mine
      })

      const freeCalls = ({ free_calls, referred }: { readonly referred: boolean; readonly free_calls: number }) => {
        const granted = referred ? FREE_CALLS : 0
        return { granted, used: free_calls, remaining: Math.max(0, granted - free_calls), up_to_cents: FREE_CALL_UP_TO }
      }

      const paidBy = Effect.fnUntraced(function*(account: string) {
        const amounts = yield* Effect.forEach([repository.paid, ...others.all()], (paid) => paid(account))
        return amounts.reduce((sum, cents) => sum + cents, 0)
      })

      const earn = Effect.fnUntraced(function*(account: string) {
        const referral = yield* repository.of(account)
        if (referral === undefined || referral.earned_cents > 0 || (yield* paidBy(account)) < EARNED_AFTER) return
        const [{ paying }, at] = [yield* repository.counts(referral.account_id), yield* now]
        const place = paying + 1
        const cents = rewardOf(place)
        const earned = change(referral, at, { earned_cents: cents })
        const grant = newGrant({
          id: CreditGrantId.make(yield* nextId("cg")),
          account_id: referral.account_id,
          cents,
          source: "referral",
          payment_intent_id: null,
          purchase_id: null,
          pays_for: null,
          expires_at: null
        }, at)
        yield* committer.commit({
          account_id: referral.account_id,
          at,
          cause: internalCause("referral", referral.id),
          writes: [referrals.write(earned), creditGrants.write(grant)],
          entries: [],
          events: [],
          set: [],
          clear: [],
          // Each place is taken once: of those who pay at the same moment one takes it, and the others look again.
          counters: [{ name: "referral", key: String(place), add: { spent: 1, reserved: 0 }, limit: { at_most: 1, refusal: lostRace } }]
        })
      })

      return Referrals.of({
        token,
        join: Effect.fn("Referrals.join")(function*(given: string, account: string) {
          const referrer = isToken(given) ? yield* repository.accountOf(given) : undefined
          if (referrer === undefined || referrer === account) return false
          return yield* repository.insert(referrer, yield* nextId("rfl"), account, yield* now)
        }),
        status: Effect.fn("Referrals.status")(function*(account: string) {
          const counts = yield* repository.counts(account)
          return {
            referral_token: yield* token(account),
            joined: counts.joined,
            paying: counts.paying,
            earned_cents: counts.earned_cents,
            earned_credits: counts.earned_cents * CREDITS_A_CENT,
            milestones: milestones.map(({ at, cents }) => ({ at, cents, reached: counts.paying >= at })),
            free_calls: freeCalls(counts)
          }
        }),
        isFree: Effect.fn("Referrals.isFree")(function*(account: string, cents: number) {
          return cents <= FREE_CALL_UP_TO && freeCalls(yield* repository.counts(account)).remaining > 0
        }),
        reward: Effect.fn("Referrals.reward")((account: string) => untilCommitted<void, never, never>("referral", earn(account)))
      })
    })
  )
}
