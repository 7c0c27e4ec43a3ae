/** The verbs of a second look: an act asks for the look, a second person decides, and the act is carried out once. */
import { type AccountFacts, type Caller, KnownScopes } from "@svc/accounts/access/model"
import { scopesOf } from "@svc/accounts/access/roles"
import { Accounts } from "@svc/accounts/accounts/service"
import { Actor, isPerson } from "@svc/kernel/parts/actor"
import { Idempotency, internalCause } from "@svc/kernel/resource/idempotency"
import { keyedVerbs, type Work } from "@svc/kernel/resource/keyed-verbs"
import { type Decision, verbsOf } from "@svc/kernel/resource/verbs"
import type { Currency } from "@svc/kernel/values/currency"
import { makeId } from "@svc/kernel/values/ids"
import { now } from "@svc/kernel/values/time"
import { Context, Data, Effect, Layer } from "effect"
import { converted, decimalOf } from "../quotes/rules.ts"
import { Rates } from "../rates/rates.ts"
import { type SecondLook, secondLookFilters, SecondLookId, secondLooks } from "./model.ts"
import { carryOut, IsApproved, SecondLookActs } from "./provider/acts.ts"
import { MemberRoles } from "./repository.ts"
import * as rules from "./rules.ts"

/** The decision of a person. */
export interface Review {
  readonly reviewer: Pick<Caller["Service"], "kind" | "person" | "scopes">
}

/** The result of the act is unknown: its timer tries again. */
class NotCarriedOut extends Data.TaggedError("NotCarriedOut")<{ readonly id: string }> {}

type ReviewWork = Work<AccountFacts, SecondLook, Review>

export class SecondLooks extends Context.Service<SecondLooks>()("@svc/payments/SecondLooks", {
  make: Effect.gen(function*() {
    const accounts = yield* Accounts
    const acts = yield* SecondLookActs
    const known = (yield* KnownScopes) ?? new Set<string>()
    const members = yield* MemberRoles
    const rates = yield* Rates
    const { answer, change, commit, get, list } = yield* verbsOf(secondLooks, {
      name: "second look",
      prefix: "sl",
      filters: secondLookFilters
    })
    // An approved act may call a provider: it runs to its end, even if the client disconnects.
    const verbs = keyedVerbs<AccountFacts, SecondLook, never>(yield* Idempotency, { name: "second look", get, actsOutside: true })

    /** The amount in another currency, at the rate of the day; undefined without a rate. */
    const amountIn = (amount: number, from: Currency, to: Currency): Effect.Effect<bigint | undefined> =>
      from === to
        ? Effect.succeed(BigInt(amount))
        : Effect.match(rates.between(from, to), {
          onSuccess: ({ ratio }) => converted(amount, decimalOf(ratio), from, to),
          onFailure: () => undefined
        })

    /**
     * For acts: stores a request that needs a second look, and answers 202. Undefined if the act needs none. `total` is the amount that the
     * limit applies to, such as all refunds of the payment with this refund.
     */
    const ask = Effect.fnUntraced(function*(
      work: Work<AccountFacts, unknown>,
      asked: rules.AskedAct,
      total: Effect.Effect<number>
    ) {
      const { account: { id: merchant, settings: { people: { currency, second_look_above } } }, announced, at } = work
      const actor = yield* Actor
      if (second_look_above === null || actor.id === null || !isPerson(actor) || announced || (yield* IsApproved)) return undefined
      if (!rules.isAbove(second_look_above, yield* amountIn(yield* total, asked.currency, currency))) return undefined
      const id = SecondLookId.make(makeId("sl", at.epochMilliseconds))
      const { resource, ...effects } = rules.ask(asked, { id, merchant, by: actor.id, at })
      return yield* answer(work, resource, effects, 202)
    })

    const actOf = ({ act }: SecondLook) => {
      const found = acts.all().find(({ name }) => name === act)
      return found === undefined ? Effect.die(new Error(`nobody brings the act ${act}`)) : Effect.succeed(found)
    }

    const factsOf = Effect.fnUntraced(function*({ at, payload: { reviewer }, resource }: ReviewWork) {
      const { scope } = yield* actOf(resource)
      const role = yield* members.roleOf(resource.merchant_id, resource.requested_by)
      return { facts: { at, reviewer, needed: scope }, mayStill: role !== undefined && scopesOf(role, known).has(scope) }
    })

    /** Carries out the approved act in the name of the reviewer. */
    const carriedOut = Effect.fnUntraced(function*(look: SecondLook): Effect.fn.Return<Decision<SecondLook>> {
      const outcome = yield* carryOut(yield* actOf(look), look, yield* accounts.facts(look.merchant_id)).pipe(
        Effect.provideService(Actor, { type: "person", id: look.decided_by })
      )
      return rules.carriedOut(look, outcome, yield* now)
    })

    /** Commits the decision first, which only one reviewer can make, and then carries out the act. */
    const approve = Effect.fnUntraced(function*(work: ReviewWork) {
      const { facts, mayStill } = yield* factsOf(work)
      const { resource, ...effects } = yield* Effect.fromResult(rules.approve(work.resource, facts, mayStill))
      yield* commit(resource, effects, work.keyed.key)
      const { resource: done, ...rest } = yield* carriedOut(resource)
      return yield* answer(work, done, rest)
    })

    const reject = Effect.fnUntraced(function*(work: ReviewWork) {
      const { facts } = yield* factsOf(work)
      const { resource, ...effects } = yield* Effect.fromResult(rules.reject(work.resource, facts))
      return yield* answer(work, resource, effects)
    })

    return {
      ask,
      get,
      list,
      approve: verbs.on("SecondLooks.approve", approve),
      reject: verbs.on("SecondLooks.reject", reject),
      /** For the timers. */
      expire: (account: string, id: string) => Effect.asVoid(change(account, id, (look, at) => Effect.succeed(rules.expire(look, at)))),
      /** For the timer: carries out an act after a crash. Fails if the timer is to try again. */
      finish: Effect.fn("SecondLooks.finish")(function*(account: string, id: string) {
        const look = yield* get(account, id)
        if (look.status !== "approved") return
        const { resource, ...effects } = yield* carriedOut(look)
        if (resource.status === "approved") return yield* new NotCarriedOut({ id })
        yield* commit(resource, effects, internalCause("second_look.carry_out", id))
      })
    }
  })
}) {
  static readonly layer = Layer.effect(SecondLooks, SecondLooks.make).pipe(
    Layer.provide(MemberRoles.layer),
    Layer.provideMerge(SecondLookActs.layer)
  )
}
