/** The verbs of a customer: made and changed by requests, made where another resource names one that is not known yet, followed from payment methods. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { type IdempotencyInProgress, type IdempotencyKeyReused, type NotFound, notFound, ValidationError, type VersionConflict } from "@svc/kernel/errors"
import { Idempotency, internalCause, keyDone, type Keyed, once } from "@svc/kernel/idempotency"
import { nextId } from "@svc/kernel/ids"
import type { Page, PageRequest } from "@svc/kernel/pages"
import { Committer } from "@svc/kernel/road/committer"
import type { Addition, Commit, KeyWrite, StoredReply } from "@svc/kernel/road/decision"
import { span } from "@svc/kernel/span"
import { now } from "@svc/kernel/time"
import { untilCommitted } from "@svc/kernel/versions"
import { CustomerReference, type MethodChanged, type MethodMoved, type PaymentMethod } from "@svc/payments/payment-methods/model"
import { PaymentMethods } from "@svc/payments/payment-methods/service"
import { Context, type DateTime, Effect, Layer, Schema } from "effect"
import { type CreateCustomerRequest, type Customer, type CustomerFilter, CustomerId, type CustomerPatch } from "./model.ts"
import { CustomerRepository } from "./repository.ts"
import { additionOf, wireOf } from "./road.ts"
import * as rules from "./rules.ts"
import type { CustomerDecision, Particulars } from "./rules.ts"

/** A fresh answer, or the stored one of a repeated request. */
export interface Created extends StoredReply {
  readonly replayed: boolean
}

/** What is known of a customer apart from its reference and its methods. */
export type Details = Omit<Particulars, "default_payment_method_id">

/** A customer, and what the commit that names it writes besides: nothing when it is known and stays as it is. */
export interface Known extends Addition {
  readonly customer: Customer
}

const isCustomerId = Schema.is(CustomerId)
const isReference = Schema.is(CustomerReference)

const knownAs = (decided: CustomerDecision): Known => ({ ...additionOf(decided), customer: decided.customer })

const joined = <A>(one: ReadonlyArray<A> = [], other: ReadonlyArray<A> = []): ReadonlyArray<A> => [...one, ...other]

/** What both write. Neither sets timers, moves money or asks for anything. */
const both = (one: Addition, other: Addition): Pick<Required<Addition>, "writes" | "events" | "moments"> => ({
  writes: joined(one.writes, other.writes),
  events: joined(one.events, other.events),
  moments: joined(one.moments, other.moments)
})

const nothing: Addition = {}

/** The refusal of a method, as that of the field that named it. */
const ofDefault = ({ message }: ValidationError) =>
  new ValidationError({ code: "default_payment_method_id", message: message.replace(/^payment_method_id/u, "default_payment_method_id") })

export class Customers extends Context.Service<Customers, {
  /** Answers 201, or 200 with the same body when the key was used for the same request before. A reference that is taken is refused with code `customer_id`. */
  readonly create: (account: Pick<AccountFacts, "id">, request: CreateCustomerRequest, keyed?: Keyed) =>
    Effect.Effect<Created, ValidationError | IdempotencyKeyReused | IdempotencyInProgress | VersionConflict>
  /** By its id or by the merchant's reference. */
  readonly get: (account: string, idOrReference: string) => Effect.Effect<Customer, NotFound>
  readonly list: (account: string, filter: CustomerFilter, page: PageRequest) => Effect.Effect<Page<Customer>>
  /** `version` is the one the caller read, when it says so. */
  readonly update: (account: string, idOrReference: string, patch: CustomerPatch, version?: number) =>
    Effect.Effect<Customer, NotFound | ValidationError | VersionConflict>
  /** The one of this reference, if there is one. One keyed read. */
  readonly find: (account: string, reference: string) => Effect.Effect<Customer | undefined>
  /**
   * For parts whose commit names a customer: the customer and, when it is new, the write that makes it, with what is said of it. Of two commits
   * that make the same customer one is refused as a lost race, and finds it when it decides again. Once a customer in a commit, and not in
   * one that makes, moves or revokes a payment method of the customer: those write it themselves.
   */
  readonly known: (account: string, reference: string, at: DateTime.Utc, details?: Details) => Effect.Effect<Known>
  /**
   * The same for a commit after which this method is charged where nothing else is said. The method is the customer's, or nobody's yet.
   * Fails with code `payment_method_id`.
   */
  readonly charging: (account: string, reference: string, method: string, at: DateTime.Utc, details?: Details) => Effect.Effect<Known, ValidationError>
  /** For payment methods: what their commits write besides. */
  readonly onMethodCreated: (changed: MethodChanged) => Effect.Effect<Addition>
  readonly onMethodMoved: (moved: MethodMoved) => Effect.Effect<Addition>
  readonly onMethodRevoked: (changed: MethodChanged) => Effect.Effect<Addition>
}>()("@svc/billing/Customers") {
  static readonly layer = Layer.effect(Customers, Effect.gen(function*() {
    const committer = yield* Committer
    const idempotency = yield* Idempotency
    const methods = yield* PaymentMethods
    const repository = yield* CustomerRepository

    // What can be neither is not asked for: text from outside may hold what Postgres does not take.
    const lookUp = Effect.fnUntraced(function*(account: string, idOrReference: string) {
      const found = isCustomerId(idOrReference) ? yield* repository.find(account, idOrReference) : undefined
      return found ?? (isReference(idOrReference) ? yield* repository.findByReference(account, idOrReference) : undefined)
    })

    const get = Effect.fn("Customers.get")(function*(account: string, idOrReference: string) {
      return (yield* lookUp(account, idOrReference)) ?? (yield* notFound("customer"))
    })

    const making = Effect.fnUntraced(function*(account_id: string, at: DateTime.Utc) {
      return { id: CustomerId.make(yield* nextId("cus")), account_id, at }
    })

    /** What of the fields that somebody sent is to be kept, and what is written so that the method in them is the customer's. */
    const fit = Effect.fnUntraced(function*<P extends CustomerPatch>(account_id: string, customer_id: string, patch: P, at: DateTime.Utc) {
      const { default_payment_method_id: wanted, ...rest } = patch
      if (wanted === undefined || wanted === null) return { particulars: { ...rest, ...(wanted === null ? { default_payment_method_id: wanted } : {}) }, claimed: nothing }
      const { method, ...claimed } = yield* Effect.mapError(methods.claim({ account_id, id: wanted, customer_id, at }), ofDefault)
      return { particulars: { ...rest, default_payment_method_id: method.id }, claimed }
    })

    const write = (decided: CustomerDecision, claimed: Addition, key?: KeyWrite) => {
      const { customer } = decided
      const commit: Commit = {
        account_id: customer.account_id,
        at: customer.updated_at,
        cause: key?.key ?? internalCause("customer", customer.id),
        entries: [],
        set: [],
        clear: [],
        ...both(additionOf(decided), claimed),
        ...(key === undefined ? {} : { key })
      }
      return committer.commit(commit)
    }

    const insert = Effect.fnUntraced(function*({ id: account_id }: Pick<AccountFacts, "id">, request: CreateCustomerRequest, keyed?: Keyed) {
      const made = yield* making(account_id, yield* now)
      const { customer_id = made.id, idempotency_key: _, ...rest } = request
      const found = yield* repository.findByReference(account_id, customer_id)
      if (found !== undefined) return yield* rules.taken(found)
      const { claimed, particulars } = yield* fit(account_id, customer_id, rest, made.at)
      const decided = rules.create(made, customer_id, particulars)
      const reply: StoredReply = { status: 201, body: wireOf(decided.customer) }
      yield* write(decided, claimed, keyed === undefined ? undefined : keyDone(keyed, { type: "customer", id: made.id }, reply))
      return reply
    })

    const change = Effect.fnUntraced(function*(account: string, idOrReference: string, patch: CustomerPatch, version?: number) {
      const customer = yield* get(account, idOrReference)
      const at = yield* now
      yield* Effect.fromResult(rules.update(customer, {}, at, version))
      const { claimed, particulars } = yield* fit(account, customer.customer_id, patch, at)
      const decided = yield* Effect.fromResult(rules.update(customer, particulars, at))
      if (decided === undefined) return customer
      yield* write(decided, claimed)
      return decided.customer
    })

    const known = Effect.fnUntraced(function*(account: string, reference: string, at: DateTime.Utc, details: Details = {}) {
      const customer = yield* repository.findByReference(account, reference)
      return customer === undefined ? knownAs(rules.create(yield* making(account, at), reference, details)) : { customer }
    }, span("Customers.known"))

    /** The customer has the method now, also when it is the first that is heard of it. */
    const gained = Effect.fnUntraced(function*({ account_id, customer_id, id, updated_at: at }: PaymentMethod) {
      if (customer_id === null) return nothing
      const customer = yield* repository.findByReference(account_id, customer_id)
      const decided = customer === undefined
        ? rules.create(yield* making(account_id, at), customer_id, { default_payment_method_id: id })
        : rules.gains(customer, id, at)
      return decided === undefined ? nothing : additionOf(decided)
    })

    const lost = Effect.fnUntraced(function*({ account_id, id, updated_at }: PaymentMethod, reference: string | null) {
      const customer = reference === null ? undefined : yield* repository.findByReference(account_id, reference)
      return customer === undefined ? nothing : additionOf(rules.loses(customer, id, updated_at))
    })

    return Customers.of({
      create: Effect.fn("Customers.create")(function*(account: Pick<AccountFacts, "id">, request: CreateCustomerRequest, keyed?: Keyed) {
        if (keyed !== undefined) return yield* once(idempotency, account.id, keyed, () => insert(account, request, keyed))
        return { ...(yield* untilCommitted(rules.NAME, insert(account, request))), replayed: false }
      }),
      get,
      list: Effect.fn("Customers.list")(repository.list),
      update: Effect.fn("Customers.update")((account: string, idOrReference: string, patch: CustomerPatch, version?: number) =>
        untilCommitted(rules.NAME, change(account, idOrReference, patch, version))),
      find: repository.findByReference,
      known,
      charging: Effect.fnUntraced(function*(account: string, reference: string, method: string, at: DateTime.Utc, details: Details = {}) {
        const { method: { id: default_payment_method_id }, ...claimed } = yield* methods.claim({ account_id: account, id: method, customer_id: reference, at })
        const customer = yield* repository.findByReference(account, reference)
        const decided = customer === undefined
          ? rules.create(yield* making(account, at), reference, { ...details, default_payment_method_id })
          : rules.charges(customer, default_payment_method_id, at)
        return { ...both(additionOf(decided), claimed), customer: decided.customer }
      }, span("Customers.charging")),
      onMethodCreated: ({ method }) => gained(method),
      onMethodMoved: Effect.fnUntraced(function*({ from, method }) {
        return both(yield* lost(method, from), yield* gained(method))
      }),
      onMethodRevoked: ({ method }) => lost(method, method.customer_id)
    })
  }))
}
