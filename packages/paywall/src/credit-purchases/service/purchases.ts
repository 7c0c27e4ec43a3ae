/**
 * Purchases of credits and plans: paid on the installation's merchant account, granted on the buyer's. Two commits, joined by the purchase;
 * a timer makes the second where a crash left it out.
 */
import type { AccountFacts } from "@svc/accounts/access/model"
import { Accounts } from "@svc/accounts/accounts/service"
import { type NotFound, notFound, type VersionConflict } from "@svc/kernel/resource/errors"
import { Idempotency } from "@svc/kernel/resource/idempotency"
import type { Page, PageRequest } from "@svc/kernel/resource/pages"
import { untilCommitted } from "@svc/kernel/resource/versions"
import { Committer } from "@svc/kernel/road/committer"
import type { CommitRefused } from "@svc/kernel/road/committer"
import type { KeyWrite } from "@svc/kernel/road/decision"
import { nextId } from "@svc/kernel/values/ids"
import { now } from "@svc/kernel/values/time"
import { AccountPlanId } from "@svc/metering/account-plans/model"
import { AccountPlanRepository } from "@svc/metering/account-plans/repository"
import { isHeldForEver } from "@svc/metering/account-plans/rules"
import { CreditGrantId } from "@svc/metering/credit-grants/model"
import type { SoldPlan } from "@svc/metering/plans/model"
import { Referrals } from "@svc/metering/referrals/service"
import { Context, Data, Effect, Layer } from "effect"
import { MerchantAccount } from "../../merchant/merchant-account.ts"
import { Pages } from "../../merchant/pages.ts"
import type { CreditPurchase, CreditPurchaseJson, OpenCharge, PaymentMeans } from "../model.ts"
import { sealOffer } from "../offer.ts"
import { CreditPurchaseRepository } from "../repository.ts"
import { commitOf, keyAlone } from "../road.ts"
import { charge, decline, expire, type NewPurchase, openCharged, pay, type PurchaseDecision } from "../rules.ts"
import { makeCharger, type PurchaseChargeOutcome } from "./charger.ts"

/** The outcome of the charge is unknown; the timer asks again. */
class NotKnownYet extends Data.TaggedError("NotKnownYet")<{ readonly purchase: string }> {}

/** A purchase, and what its charge came to. */
export interface ChargedPurchase {
  readonly purchase: CreditPurchase
  readonly money: PurchaseChargeOutcome
}

export interface FinishOptions {
  /** Whether somebody has begun it before, who did not come to its end. */
  readonly again: boolean
  /** What is written with the outcome. */
  readonly keyOf?: (purchase: CreditPurchase) => Effect.Effect<KeyWrite>
}

export class CreditPurchases extends Context.Service<CreditPurchases, {
  readonly get: (account: string, id: string) => Effect.Effect<CreditPurchase, NotFound>
  readonly list: (account: string, page: PageRequest) => Effect.Effect<Page<CreditPurchase>>
  /** With the address of its page, while it is open. */
  readonly shown: (purchase: CreditPurchase) => Effect.Effect<CreditPurchaseJson>
  /** Whether the account has a plan that cannot be bought again. */
  readonly isHeldForEver: (account: string, plan: SoldPlan | null) => Effect.Effect<boolean>
  /** Makes a decision of somebody's request durable. */
  readonly begin: (decided: PurchaseDecision, key?: KeyWrite) => Effect.Effect<CreditPurchase, CommitRefused>
  /** Makes the charge that has begun, and grants what was paid for. */
  readonly finish: (facts: AccountFacts, purchase: CreditPurchase, how: FinishOptions) => Effect.Effect<ChargedPurchase, VersionConflict>
  /** Makes the purchase if it is not there, and charges it; undefined when it can be charged no more, or somebody is at it. */
  readonly charge: (
    facts: AccountFacts,
    wanted: NewPurchase,
    means: PaymentMeans,
    final: boolean
  ) => Effect.Effect<ChargedPurchase | undefined, VersionConflict>
  /** For the timer: finishes a charge that nobody finished, or ends what nobody paid. */
  readonly proceed: (account: string, id: string) => Effect.Effect<void, NotKnownYet | VersionConflict>
}>()("@svc/paywall/CreditPurchases") {
  static readonly layer = Layer.effect(
    CreditPurchases,
    Effect.gen(function*() {
      const accounts = yield* Accounts
      const committer = yield* Committer
      const idempotency = yield* Idempotency
      const repository = yield* CreditPurchaseRepository
      const plans = yield* AccountPlanRepository
      const merchantAccount = yield* MerchantAccount
      const pages = yield* Pages
      const referrals = yield* Referrals
      const take = yield* makeCharger

      const get = Effect.fn("CreditPurchases.get")(function*(account: string, id: string) {
        return (yield* repository.find(account, id)) ?? (yield* notFound("credit purchase"))
      })

      const shown = Effect.fn("CreditPurchases.shown")(function*(purchase: CreditPurchase) {
        const { account_id: account, amount: cents, charge: begun, id, ...rest } = purchase
        const isOpen = purchase.state === "open"
        const payment_url = isOpen
          ? pages.of(sealOffer(yield* merchantAccount.secret, { ...rest, account, cents, purchase: id })).paymentUrl
          : null
        return { ...purchase, processing: begun !== null, payment_url }
      })

      const begin = (decided: PurchaseDecision, key?: KeyWrite) => Effect.as(committer.commit(commitOf(decided, key)), decided.purchase)

      const granted = Effect.fnUntraced(function*(purchase: CreditPurchase, intent: string) {
        const held = purchase.plan === null ? undefined : yield* plans.findByPlan(purchase.account_id, purchase.plan)
        const ids = { plan: AccountPlanId.make(yield* nextId("apl")), grant: CreditGrantId.make(yield* nextId("cg")) }
        return pay(purchase, intent, held, ids, yield* now)
      })

      /** Decided on the purchase as it is now: whoever was faster with this very charge has done it. */
      const conclude = Effect.fnUntraced(
        function*(
          before: CreditPurchase,
          { number }: OpenCharge,
          money: PurchaseChargeOutcome,
          keyOf?: (purchase: CreditPurchase) => Effect.Effect<KeyWrite>
        ) {
          const purchase = yield* Effect.orDie(get(before.account_id, before.id))
          const isOpen = purchase.charge?.number === number
          const decision = !isOpen || money._tag === "Unknown"
            ? undefined
            : money._tag === "Declined"
            ? decline(purchase, money.why, yield* now)
            : yield* granted(purchase, money.intent)
          const after = decision?.purchase ?? purchase
          const key = yield* keyOf?.(after) ?? Effect.undefined
          if (decision !== undefined) yield* committer.commit(commitOf(decision, key))
          else if (key !== undefined) yield* committer.commit(keyAlone(after, key))
          return after
        }
      )

      const finish = Effect.fn("CreditPurchases.finish")(
        function*(facts: AccountFacts, purchase: CreditPurchase, { again, keyOf }: FinishOptions) {
          const begun = purchase.charge ?? { number: 0, final: true, means: { kind: "card", token: "" } } as const
          const money: PurchaseChargeOutcome = purchase.charge === null
            ? { _tag: "Unknown" }
            : yield* take(purchase, begun, { sandbox: facts.sandbox, again })
          const concluded = yield* untilCommitted<CreditPurchase, never, never>("credit purchase", conclude(purchase, begun, money, keyOf))
          // Who referred the account earns by what it pays here as by calls. The purchase stands, whatever comes of that.
          if (concluded.state === "paid") yield* Effect.ignore(referrals.reward(concluded.account_id), { log: "Warn" })
          return { purchase: concluded, money }
        }
      )

      const begun = Effect.fnUntraced(function*(wanted: NewPurchase, means: PaymentMeans, final: boolean) {
        const [found, at] = [yield* repository.find(wanted.account_id, wanted.id), yield* now]
        const decision = found === undefined ? openCharged(wanted, means, at, final) : charge(found, means, at)
        return decision === undefined ? undefined : yield* begin(decision)
      })

      const chargeOne = Effect.fnUntraced(function*(facts: AccountFacts, wanted: NewPurchase, means: PaymentMeans, final: boolean) {
        const purchase = yield* untilCommitted<CreditPurchase | undefined, never, never>("credit purchase", begun(wanted, means, final))
        return purchase === undefined ? undefined : yield* finish(facts, purchase, { again: false })
      })

      const proceed = Effect.fnUntraced(function*(account: string, id: string) {
        const purchase = yield* repository.find(account, id)
        if (purchase === undefined) return
        if (purchase.charge !== null) {
          const { money } = yield* finish(yield* Effect.orDie(accounts.facts(account)), purchase, { again: true })
          return money._tag === "Unknown" ? yield* new NotKnownYet({ purchase: id }) : undefined
        }
        const decision = expire(purchase, yield* now)
        if (decision !== undefined) yield* begin(decision)
      })

      return CreditPurchases.of({
        get,
        list: repository.list,
        shown,
        isHeldForEver: (account, plan) =>
          plan === null ? Effect.succeed(false) : Effect.map(plans.findByPlan(account, plan), isHeldForEver),
        begin,
        finish,
        // The payer may go away meanwhile.
        charge: Effect.fn("CreditPurchases.charge")((facts: AccountFacts, wanted: NewPurchase, means: PaymentMeans, final: boolean) =>
          idempotency.toTheEnd(chargeOne(facts, wanted, means, final))
        ),
        proceed: Effect.fn("CreditPurchases.proceed")((account: string, id: string) =>
          untilCommitted<void, NotKnownYet | VersionConflict, never>("credit purchase", proceed(account, id))
        )
      })
    })
  )
}
