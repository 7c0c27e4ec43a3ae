/** Purchases of credits and plans: paid on the installation's merchant account, granted on the buyer's. Two commits, joined by the purchase; a timer makes the second where a crash left it out. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { Accounts } from "@svc/accounts/accounts/service"
import { type NotFound, notFound, type VersionConflict } from "@svc/kernel/errors"
import { Idempotency } from "@svc/kernel/idempotency"
import { nextId } from "@svc/kernel/ids"
import type { Page, PageRequest } from "@svc/kernel/pages"
import { Committer } from "@svc/kernel/road/committer"
import type { CommitRefused } from "@svc/kernel/road/committer"
import type { KeyWrite } from "@svc/kernel/road/decision"
import { now } from "@svc/kernel/time"
import { untilCommitted } from "@svc/kernel/versions"
import { Context, Data, Effect, Layer } from "effect"
import { AccountPlanId } from "../../account-plans/model.ts"
import { AccountPlanRepository } from "../../account-plans/repository.ts"
import { isHeldForEver } from "../../account-plans/rules.ts"
import { CreditGrantId } from "../../credit-grants/model.ts"
import { House } from "../../paid-calls/house.ts"
import { Pages } from "../../paid-calls/pages.ts"
import { sealOffer } from "../../pay-page/offer.ts"
import type { SoldPlan } from "../../plans.ts"
import type { Charge, CreditPurchase, CreditPurchaseJson, Means } from "../model.ts"
import { makeCharger, type Money } from "./charger.ts"
import { CreditPurchaseRepository } from "../repository.ts"
import { commitOf, keyAlone } from "../road.ts"
import { charge, decline, expire, openCharged, pay, type PurchaseDecision, type Wanted } from "../rules.ts"

/** Nobody knows yet whether the money came; the timer asks again. */
class NotKnownYet extends Data.TaggedError("NotKnownYet")<{ readonly purchase: string }> {}

/** A purchase, and what its charge came to. */
export interface Charged {
  readonly purchase: CreditPurchase
  readonly money: Money
}

export interface Finishing {
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
  readonly finish: (facts: AccountFacts, purchase: CreditPurchase, how: Finishing) => Effect.Effect<Charged, VersionConflict>
  /** Makes the purchase if it is not there, and charges it; undefined when it can be charged no more, or somebody is at it. */
  readonly charge: (facts: AccountFacts, wanted: Wanted, means: Means, final: boolean) => Effect.Effect<Charged | undefined, VersionConflict>
  /** For the timer: finishes a charge that nobody finished, or ends what nobody paid. */
  readonly proceed: (account: string, id: string) => Effect.Effect<void, NotKnownYet | VersionConflict>
}>()("@svc/tools/CreditPurchases") {
  static readonly layer = Layer.effect(CreditPurchases, Effect.gen(function*() {
    const accounts = yield* Accounts
    const committer = yield* Committer
    const idempotency = yield* Idempotency
    const repository = yield* CreditPurchaseRepository
    const plans = yield* AccountPlanRepository
    const house = yield* House
    const pages = yield* Pages
    const take = yield* makeCharger

    const get = Effect.fn("CreditPurchases.get")(function*(account: string, id: string) {
      return (yield* repository.find(account, id)) ?? (yield* notFound("credit purchase"))
    })

    const shown = Effect.fn("CreditPurchases.shown")(function*(purchase: CreditPurchase) {
      const { account_id: account, amount: cents, charge: begun, id, ...rest } = purchase
      const isOpen = purchase.state === "open"
      const payment_url = isOpen ? pages.of(sealOffer(yield* house.secret, { ...rest, account, cents, purchase: id })).paymentUrl : null
      return { ...purchase, processing: begun !== null, payment_url }
    })

    const begin = (decided: PurchaseDecision, key?: KeyWrite) => Effect.as(committer.commit(commitOf(decided, key)), decided.purchase)

    const granted = Effect.fnUntraced(function*(purchase: CreditPurchase, intent: string) {
      const held = purchase.plan === null ? undefined : yield* plans.findByPlan(purchase.account_id, purchase.plan)
      const ids = { plan: AccountPlanId.make(yield* nextId("apl")), grant: CreditGrantId.make(yield* nextId("cg")) }
      return pay(purchase, intent, held, ids, yield* now)
    })

    /** Decided on the purchase as it is now: whoever was faster with this very charge has done it. */
    const conclude = Effect.fnUntraced(function*(before: CreditPurchase, { number }: Charge, money: Money, keyOf?: (purchase: CreditPurchase) => Effect.Effect<KeyWrite>) {
      const purchase = yield* Effect.orDie(get(before.account_id, before.id))
      const isOpen = purchase.charge?.number === number
      const decided = !isOpen || money._tag === "Unknown"
        ? undefined
        : money._tag === "Declined" ? decline(purchase, money.why, yield* now) : yield* granted(purchase, money.intent)
      const after = decided?.purchase ?? purchase
      const key = yield* keyOf?.(after) ?? Effect.undefined
      if (decided !== undefined) yield* committer.commit(commitOf(decided, key))
      else if (key !== undefined) yield* committer.commit(keyAlone(after, key))
      return after
    })

    const finish = Effect.fn("CreditPurchases.finish")(function*(facts: AccountFacts, purchase: CreditPurchase, { again, keyOf }: Finishing) {
      const begun = purchase.charge ?? { number: 0, final: true, means: { kind: "card", token: "" } } as const
      const money: Money = purchase.charge === null ? { _tag: "Unknown" } : yield* take(purchase, begun, { sandbox: facts.sandbox, again })
      return { purchase: yield* untilCommitted<CreditPurchase, never, never>("credit purchase", conclude(purchase, begun, money, keyOf)), money }
    })

    const begun = Effect.fnUntraced(function*(wanted: Wanted, means: Means, final: boolean) {
      const [found, at] = [yield* repository.find(wanted.account_id, wanted.id), yield* now]
      const decided = found === undefined ? openCharged(wanted, means, at, final) : charge(found, means, at)
      return decided === undefined ? undefined : yield* begin(decided)
    })

    const chargeOne = Effect.fnUntraced(function*(facts: AccountFacts, wanted: Wanted, means: Means, final: boolean) {
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
      const decided = expire(purchase, yield* now)
      if (decided !== undefined) yield* begin(decided)
    })

    return CreditPurchases.of({
      get,
      list: repository.list,
      shown,
      isHeldForEver: (account, plan) => plan === null ? Effect.succeed(false) : Effect.map(plans.findByPlan(account, plan), isHeldForEver),
      begin,
      finish,
      // Whoever pays may go away meanwhile.
      charge: Effect.fn("CreditPurchases.charge")((facts: AccountFacts, wanted: Wanted, means: Means, final: boolean) => idempotency.toTheEnd(chargeOne(facts, wanted, means, final))),
      proceed: Effect.fn("CreditPurchases.proceed")((account: string, id: string) => untilCommitted<void, NotKnownYet | VersionConflict, never>("credit purchase", proceed(account, id)))
    })
  }))
}
