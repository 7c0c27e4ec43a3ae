/** The verbs of a payment method: load, decide, commit. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { span } from "@svc/kernel/parts/span"
import type { ValidationError } from "@svc/kernel/resource/errors"
import { type Decision, type NewRow, verbsOf } from "@svc/kernel/resource/verbs"
import type { Addition, CommitMoment } from "@svc/kernel/road/decision"
import { Context, type DateTime, Effect, Layer, Result } from "effect"
import { CustomerFinders, makeCustomerKeys } from "../customer-keys/service.ts"
import { describeToken } from "../rails/instruments.ts"
import {
  type CreatePaymentMethodRequest,
  methodCreated,
  methodMoved,
  methodRevoked,
  type PaymentMethod,
  paymentMethodEvents,
  paymentMethodFilters,
  type PaymentMethodPatch,
  paymentMethods,
  type PaymentMethodType
} from "./model.ts"
import * as rules from "./rules.ts"
import type { MethodDecision, MethodObstacle } from "./rules.ts"

/** The fields of a payment method that a rail needs. */
export interface ChargeableMethod {
  readonly type: PaymentMethodType
  /** The provider's token. */
  readonly token: string
}

/** A payment method of the account to assign to this customer, by the merchant's reference. */
export interface Claim {
  readonly account_id: string
  readonly id: string
  readonly customer_id: string
  readonly at: DateTime.Utc
}

/** The moments of the change, which packages above follow. */
const momentsOf = ({ event, from, method }: MethodDecision): ReadonlyArray<CommitMoment> => {
  if (event === "created") return [methodCreated.of({ method })]
  if (event === "revoked") return [methodRevoked.of({ method })]
  return method.customer_id === from ? [] : [methodMoved.of({ method, from })]
}

const eventOf = ({ event, method }: MethodDecision) => paymentMethodEvents.draft(event, method, paymentMethods.encode(method).wire)

const committed = (decision: MethodDecision): Decision<PaymentMethod> => ({
  resource: decision.method,
  events: [eventOf(decision)],
  moments: momentsOf(decision)
})

type Deciding<E> = (method: PaymentMethod, at: DateTime.Utc) => Result.Result<MethodDecision | undefined, E>

export class PaymentMethods extends Context.Service<PaymentMethods>()("@svc/payments/PaymentMethods", {
  make: Effect.gen(function*() {
    const customerKeys = yield* makeCustomerKeys
    const { change, createAnyhow, find, findByIds, get, list } = yield* verbsOf(paymentMethods, {
      name: rules.NAME,
      prefix: "pm",
      filters: paymentMethodFilters
    })

    const decided = <E>(account: string, id: string, decide: Deciding<E>) =>
      change(
        account,
        id,
        (method, at) =>
          Effect.fromResult(Result.map(decide(method, at), (decision) => decision === undefined ? undefined : committed(decision)))
      )

    const tokenFor = Effect.fnUntraced(function*(
      account: Pick<AccountFacts, "id" | "sandbox">,
      idOrToken: string,
      customer: string | null
    ) {
      const test = account.sandbox ? describeToken(idOrToken) : undefined
      if (test !== undefined) return { type: test.type, token: idOrToken }
      const { token, type } = yield* Effect.fromResult(rules.chargeable(yield* find(account.id, idOrToken), customer))
      return { type, token }
    }, span("PaymentMethods.tokenFor"))

    const claim = Effect.fnUntraced(function*({ account_id, at, customer_id, id }: Claim) {
      const found = yield* find(account_id, id)
      const decision = yield* Effect.fromResult(rules.claim(found, customer_id, at))
      return decision === undefined
        ? { method: yield* Effect.fromResult(rules.chargeable(found, customer_id)) }
        : { writes: [paymentMethods.write(decision.method)], events: [eventOf(decision)], method: decision.method }
    }, span("PaymentMethods.claim"))

    return {
      /** Answers 201, or 200 with the same body when the key was used for the same request before. */
      create: createAnyhow(
        "PaymentMethods.create",
        Effect.fnUntraced(function*(
          request: CreatePaymentMethodRequest,
          { created_at, id }: NewRow<PaymentMethod>,
          account: AccountFacts
        ) {
          const resolved = yield* customerKeys.resolved(account.id, request)
          return yield* Effect.fromResult(Result.map(rules.create(id, account, resolved, created_at), committed))
        })
      ),
      findByIds,
      get,
      list: customerKeys.listedBy(list),
      /** With `version`, refused if the method has another version. */
      update: Effect.fn("PaymentMethods.update")((account: string, id: string, patch: PaymentMethodPatch, version?: number) =>
        Effect.flatMap(
          customerKeys.resolved(account, patch),
          (resolved) => decided(account, id, (method, at) => rules.update(method, resolved, at, version))
        )
      ),
      revoke: Effect.fn("PaymentMethods.revoke")((account: string, id: string, version?: number) =>
        decided(account, id, (method, at) => rules.revoke(method, at, version))
      ),
      /**
       * The token to charge for a customer, by the merchant's reference: of an active method of the account by its id or, for sandbox
       * accounts, a test token. `customer` is null for a charge without a customer. Fails with code `payment_method_id`, also for a method
       * of another customer.
       */
      tokenFor: (
        account: Pick<AccountFacts, "id" | "sandbox">,
        idOrToken: string,
        customer: string | null
      ): Effect.Effect<ChargeableMethod, ValidationError> => tokenFor(account, idOrToken, customer),
      /** Why a stored method cannot pay for this customer; undefined if it can. One read by key. */
      obstacleOf: (account: string, id: string, customer: string): Effect.Effect<MethodObstacle | undefined> =>
        Effect.map(find(account, id), (method) => rules.obstacleOf(method, customer)),
      /**
       * For packages above: the writes that assign an active method to this customer; none if the method already belongs to the customer.
       * Fails with code `payment_method_id`, also for a method of another customer.
       */
      claim: (claimed: Claim): Effect.Effect<Addition & { readonly method: PaymentMethod }, ValidationError> => claim(claimed)
    }
  })
}) {
  static readonly layer = Layer.effect(PaymentMethods, PaymentMethods.make).pipe(Layer.provideMerge(CustomerFinders.layer))
}
