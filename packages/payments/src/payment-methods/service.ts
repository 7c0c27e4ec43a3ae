/** The verbs of a payment method: load, decide, commit. */
import { notFound } from "@svc/kernel/errors"
import type { IdempotencyInProgress, IdempotencyKeyReused, InvalidState, NotFound, ValidationError, VersionConflict } from "@svc/kernel/errors"
import type { AccountFacts } from "@svc/accounts/access/model"
import { Idempotency, keyDone, once } from "@svc/kernel/idempotency"
import type { Keyed } from "@svc/kernel/idempotency"
import { nextId } from "@svc/kernel/ids"
import type { Page, PageRequest } from "@svc/kernel/pages"
import { Committer } from "@svc/kernel/road/committer"
import type { CommitRefused } from "@svc/kernel/road/committer"
import type { Addition, Commit, Happened, KeyWrite, StoredReply } from "@svc/kernel/road/decision"
import { span } from "@svc/kernel/span"
import { now } from "@svc/kernel/time"
import { untilCommitted } from "@svc/kernel/versions"
import { Context, Effect, Layer, Schema } from "effect"
import type { DateTime, Result } from "effect"
import { describeToken } from "../rails/instruments.ts"
import { encode, methodCreated, methodMoved, methodRevoked, paymentMethodEvents, PaymentMethodId, paymentMethods } from "./model.ts"
import type { CreatePaymentMethodRequest, PaymentMethod, PaymentMethodPatch, PaymentMethodType } from "./model.ts"
import { PaymentMethodRepository } from "./repository.ts"
import type { PaymentMethodFilter } from "./repository.ts"
import * as rules from "./rules.ts"
import type { MethodDecision } from "./rules.ts"

/** What a rail needs to know of a method. */
export interface ChargeableMethod {
  readonly type: PaymentMethodType
  /** The provider's token. */
  readonly token: string
}

/** A method of the account that is to be this customer's, by the merchant's reference. */
export interface Claim {
  readonly account_id: string
  readonly id: string
  readonly customer_id: string
  readonly at: DateTime.Utc
}

/** A fresh answer, or the stored one of a repeated request. */
export interface Created extends StoredReply {
  readonly replayed: boolean
}

const isPaymentMethodId = Schema.is(PaymentMethodId)

/** What parts above are told of the change. */
const momentsOf = ({ event, from, method }: MethodDecision): ReadonlyArray<Happened> => {
  if (event === "created") return [methodCreated.of({ method })]
  if (event === "revoked") return [methodRevoked.of({ method })]
  return method.customer_id === from ? [] : [methodMoved.of({ method, from })]
}

const additionOf = ({ event, method }: MethodDecision) => {
  const { row, wire } = encode(method)
  return { writes: [{ table: paymentMethods, row }], events: [paymentMethodEvents.draft(event, method, wire)] }
}

const commitOf = (decided: MethodDecision, key?: KeyWrite): Commit => ({
  account_id: decided.method.account_id,
  at: decided.method.updated_at,
  cause: key?.key ?? `payment_method.${decided.event}`,
  ...additionOf(decided),
  entries: [],
  set: [],
  clear: [],
  moments: momentsOf(decided),
  ...(key === undefined ? {} : { key })
})

export class PaymentMethods extends Context.Service<PaymentMethods, {
  /** Answers 201, or 200 with the same body when the key was used for the same request before. */
  readonly create: (
    account: AccountFacts,
    request: CreatePaymentMethodRequest,
    keyed?: Keyed
  ) => Effect.Effect<Created, ValidationError | IdempotencyKeyReused | IdempotencyInProgress | VersionConflict>
  readonly get: (account: string, id: string) => Effect.Effect<PaymentMethod, NotFound>
  readonly list: (account: string, filter: PaymentMethodFilter, page: PageRequest) => Effect.Effect<Page<PaymentMethod>>
  /** `version` is the one the caller read, when it says so. */
  readonly update: (
    account: string,
    id: string,
    patch: PaymentMethodPatch,
    version?: number
  ) => Effect.Effect<PaymentMethod, NotFound | InvalidState | VersionConflict>
  readonly revoke: (account: string, id: string, version?: number) => Effect.Effect<PaymentMethod, NotFound | InvalidState | VersionConflict>
  /**
   * What to charge: an active method of the account by its id or, for sandbox accounts, a test token.
   * Fails with code `payment_method_id`.
   */
  readonly tokenFor: (account: Pick<AccountFacts, "id" | "sandbox">, idOrToken: string) => Effect.Effect<ChargeableMethod, ValidationError>
  /**
   * For parts above: what their commit writes besides, so that an active method is this customer's from then on; nothing when it is already.
   * Fails with code `payment_method_id`, also when it is another customer's.
   */
  readonly claim: (claimed: Claim) => Effect.Effect<Addition & { readonly method: PaymentMethod }, ValidationError>
}>()("@svc/payments/PaymentMethods") {
  static readonly layer = Layer.effect(PaymentMethods, Effect.gen(function*() {
    const committer = yield* Committer
    const idempotency = yield* Idempotency
    const repository = yield* PaymentMethodRepository

    // What is not an id is not asked for: text from outside may hold what Postgres does not take.
    const find = (account: string, id: string): Effect.Effect<PaymentMethod | undefined> =>
      isPaymentMethodId(id) ? repository.find(account, id) : Effect.succeed(undefined)

    const get = Effect.fn("PaymentMethods.get")(function*(account: string, id: string) {
      return (yield* find(account, id)) ?? (yield* notFound("payment method"))
    })

    const insert = Effect.fnUntraced(function*(account: AccountFacts, request: CreatePaymentMethodRequest, keyed?: Keyed) {
      const id = PaymentMethodId.make(yield* nextId("pm"))
      const decision = yield* Effect.fromResult(rules.create(id, account, request, yield* now))
      const reply: StoredReply = { status: 201, body: encode(decision.method).wire }
      const key = keyed === undefined ? undefined : keyDone(keyed, { type: "payment_method", id }, reply)
      yield* committer.commit(commitOf(decision, key))
      return reply
    })

    const create = Effect.fn("PaymentMethods.create")(function*(account: AccountFacts, request: CreatePaymentMethodRequest, keyed?: Keyed) {
      if (keyed !== undefined) return yield* once(idempotency, account.id, keyed, () => insert(account, request, keyed))
      // The row is fresh; what parts above write with it may be somebody else's meanwhile.
      return { ...(yield* untilCommitted(rules.NAME, insert(account, request))), replayed: false }
    })

    const change = Effect.fnUntraced(function*<E>(
      account: string,
      id: string,
      decide: (method: PaymentMethod, at: DateTime.Utc) => Result.Result<MethodDecision | undefined, E>
    ): Effect.fn.Return<PaymentMethod, E | NotFound | CommitRefused> {
      const method = yield* get(account, id)
      const decision = yield* Effect.fromResult(decide(method, yield* now))
      if (decision === undefined) return method
      yield* committer.commit(commitOf(decision))
      return decision.method
    })

    const update = Effect.fn("PaymentMethods.update")((account: string, id: string, patch: PaymentMethodPatch, version?: number) =>
      untilCommitted(rules.NAME, change(account, id, (method, at) => rules.update(method, patch, at, version))))

    const revoke = Effect.fn("PaymentMethods.revoke")((account: string, id: string, version?: number) =>
      untilCommitted(rules.NAME, change(account, id, (method, at) => rules.revoke(method, at, version))))

    const tokenFor = Effect.fnUntraced(function*(account: Pick<AccountFacts, "id" | "sandbox">, idOrToken: string) {
      const test = account.sandbox ? describeToken(idOrToken) : undefined
      if (test !== undefined) return { type: test.type, token: idOrToken }
      const { token, type } = yield* Effect.fromResult(rules.chargeable(yield* find(account.id, idOrToken)))
      return { type, token }
    }, span("PaymentMethods.tokenFor"))

    const claim = Effect.fnUntraced(function*({ account_id, at, customer_id, id }: Claim) {
      const found = yield* find(account_id, id)
      const decided = yield* Effect.fromResult(rules.claim(found, customer_id, at))
      return decided === undefined ? { method: yield* Effect.fromResult(rules.chargeable(found)) } : { ...additionOf(decided), method: decided.method }
    }, span("PaymentMethods.claim"))

    return PaymentMethods.of({ create, get, list: repository.list, update, revoke, tokenFor, claim })
  }))
}
