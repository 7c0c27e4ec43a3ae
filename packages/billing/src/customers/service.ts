/**
 * The verbs of a customer: made and changed by requests, made where another resource names one that is not known yet, followed from payment
 * methods.
 */
import type { AccountFacts } from "@svc/accounts/access/model"
import type { Reply } from "@svc/kernel/http/reply"
import { span } from "@svc/kernel/parts/span"
import { roadOf } from "@svc/kernel/resource/change"
import {
  type IdempotencyInProgress,
  type IdempotencyKeyReused,
  type NotFound,
  notFound,
  ValidationError,
  type VersionConflict
} from "@svc/kernel/resource/errors"
import { Idempotency, internalCause, type Keyed, once } from "@svc/kernel/resource/idempotency"
import type { Page, PageRequest } from "@svc/kernel/resource/pages"
import { untilCommitted } from "@svc/kernel/resource/versions"
import type { Addition } from "@svc/kernel/road/decision"
import { nextId } from "@svc/kernel/values/ids"
import { now } from "@svc/kernel/values/time"
import {
  CustomerReference,
  isCustomerId,
  type MethodChanged,
  type MethodMoved,
  type PaymentMethod
} from "@svc/payments/payment-methods/model"
import { PaymentMethods } from "@svc/payments/payment-methods/service"
import { Context, type DateTime, Effect, Layer, Schema } from "effect"
import { type CreateCustomerRequest, type Customer, type CustomerFilter, CustomerId, type CustomerPatch, customers } from "./model.ts"
import { CustomerRepository } from "./repository.ts"
import { additionOf, additionWith, joinedAdditions } from "./road.ts"
import * as rules from "./rules.ts"
import type { CustomerDecision, CustomerFields } from "./rules.ts"

/** What is known of a customer apart from its reference and its methods. */
export type CustomerDetails = Omit<CustomerFields, "default_payment_method_id">

/** A customer, and what the commit that names it writes besides: nothing when it is known and stays as it is. */
export interface KnownCustomer extends Addition {
  readonly customer: Customer
}

const isReference = Schema.is(CustomerReference)

const knownAs = (decision: CustomerDecision): KnownCustomer => ({ ...additionOf(decision), customer: decision.customer })

const noAddition: Addition = {}

/** The refusal of a method, as that of the field that named it. */
const ofDefault = ({ message }: ValidationError) =>
  new ValidationError({ code: "default_payment_method_id", message: message.replace(/^payment_method_id/u, "default_payment_method_id") })

export class Customers extends Context.Service<Customers, {
  /**
   * Answers 201, or 200 with the same body when the key was used for the same request before. A reference that is taken, or that looks
   * like an id, is refused with code `customer_id`.
   */
  readonly create: (
    account: Pick<AccountFacts, "id">,
    request: CreateCustomerRequest,
    keyed?: Keyed
  ) => Effect.Effect<Omit<Reply, "key">, ValidationError | IdempotencyKeyReused | IdempotencyInProgress | VersionConflict>
  /** By its id or by the merchant's reference. */
  readonly get: (account: string, idOrReference: string) => Effect.Effect<Customer, NotFound>
  /** The same, where there need be none. An id goes before a reference that looks like one, as references of earlier versions may. */
  readonly findByEither: (account: string, idOrReference: string) => Effect.Effect<Customer | undefined>
  readonly list: (account: string, filter: CustomerFilter, page: PageRequest) => Effect.Effect<Page<Customer>>
  /** `version` is the one the caller read, when it says so. */
  readonly update: (
    account: string,
    idOrReference: string,
    patch: CustomerPatch,
    version?: number
  ) => Effect.Effect<Customer, NotFound | ValidationError | VersionConflict>
  /** The customer with this reference, as resources keep it, if there is one. One keyed read. */
  readonly find: (account: string, reference: string) => Effect.Effect<Customer | undefined>
  /** The customer whose reference is this e-mail address, in whatever capitals. */
  readonly findByAddress: (account: string, address: string) => Effect.Effect<Customer | undefined>
  /**
   * For parts whose commit names a customer: the customer and, when it is new, the write that makes it, with what is said of it. Of two
   * commits that make the same customer one is refused as a lost race, and finds it when it decides again. Once a customer in a commit, and
   * not in one that makes, moves or revokes a payment method of the customer: those write it themselves.
   */
  readonly known: (account: string, reference: string, at: DateTime.Utc, details?: CustomerDetails) => Effect.Effect<KnownCustomer>
  /**
   * The same for a commit after which this method is charged where nothing else is said. The method is the customer's, or nobody's yet.
   * Fails with code `payment_method_id`.
   */
  readonly charging: (
    account: string,
    customer: { readonly reference: string; readonly method: string },
    at: DateTime.Utc,
    details?: CustomerDetails
  ) => Effect.Effect<KnownCustomer, ValidationError>
  /** For payment methods: what their commits write besides. */
  readonly onMethodCreated: (changed: MethodChanged) => Effect.Effect<Addition>
  readonly onMethodMoved: (moved: MethodMoved) => Effect.Effect<Addition>
  readonly onMethodRevoked: (changed: MethodChanged) => Effect.Effect<Addition>
}>()("@svc/billing/Customers") {
  static readonly layer = Layer.effect(
    Customers,
    Effect.gen(function*() {
      const idempotency = yield* Idempotency
      const methods = yield* PaymentMethods
      const repository = yield* CustomerRepository
      const road = yield* roadOf(customers, { type: "customer" })

      // What can be neither is not asked for: text from outside may hold what Postgres does not take.
      const findByEither = Effect.fnUntraced(function*(account: string, idOrReference: string) {
        return (yield* repository.find(account, idOrReference)) ??
          (isReference(idOrReference) ? yield* repository.findByReference(account, idOrReference) : undefined)
      })

      const get = Effect.fn("Customers.get")(function*(account: string, idOrReference: string) {
        return (yield* findByEither(account, idOrReference)) ?? (yield* notFound("customer"))
      })

      const newCustomer = Effect.fnUntraced(function*(account_id: string, at: DateTime.Utc) {
        return { id: CustomerId.make(yield* nextId("cus")), account_id, at }
      })

      /** What of the fields that somebody sent is to be kept, and what is written so that the method in them is the customer's. */
      const fit = Effect.fnUntraced(
        function*<P extends CustomerPatch>(account_id: string, customer_id: string, patch: P, at: DateTime.Utc) {
          const { default_payment_method_id: wanted, ...rest } = patch
          if (wanted === undefined || wanted === null) {
            return { particulars: { ...rest, ...(wanted === null ? { default_payment_method_id: wanted } : {}) }, claimed: noAddition }
          }
          const { method, ...claimed } = yield* Effect.mapError(methods.claim({ account_id, id: wanted, customer_id, at }), ofDefault)
          return { particulars: { ...rest, default_payment_method_id: method.id }, claimed }
        }
      )

      const insert = Effect.fnUntraced(
        function*({ id: account_id }: Pick<AccountFacts, "id">, request: CreateCustomerRequest, keyed?: Keyed) {
          const identity = yield* newCustomer(account_id, yield* now)
          const { customer_id = identity.id, idempotency_key: _, ...rest } = request
          if (request.customer_id !== undefined && isCustomerId(request.customer_id)) return yield* rules.referenceLikeId()
          const holder = yield* repository.findByReference(account_id, customer_id)
          if (holder !== undefined) return yield* rules.referenceTaken(holder)
          const { claimed, particulars } = yield* fit(account_id, customer_id, rest, identity.at)
          const decision = rules.create(identity, customer_id, particulars)
          return yield* road.answer({ keyed }, decision.customer, additionWith(decision, claimed), 201)
        }
      )

      const change = Effect.fnUntraced(function*(account: string, idOrReference: string, patch: CustomerPatch, version?: number) {
        const customer = yield* get(account, idOrReference)
        const at = yield* now
        yield* Effect.fromResult(rules.update(customer, {}, at, version))
        const { claimed, particulars } = yield* fit(account, customer.customer_id, patch, at)
        const decision = yield* Effect.fromResult(rules.update(customer, particulars, at))
        if (decision === undefined) return customer
        yield* road.commit(decision.customer, additionWith(decision, claimed), internalCause("customer", customer.id))
        return decision.customer
      })

      const knownOrNew = Effect.fnUntraced(function*(account: string, reference: string, at: DateTime.Utc, details: CustomerDetails = {}) {
        const customer = yield* repository.findByReference(account, reference)
        return customer === undefined ? knownAs(rules.create(yield* newCustomer(account, at), reference, details)) : { customer }
      }, span("Customers.known"))

      /** The customer has the method now, also when it is the first that is heard of it. */
      const gained = Effect.fnUntraced(function*({ account_id, customer_id, id, updated_at: at }: PaymentMethod) {
        if (customer_id === null) return noAddition
        const customer = yield* repository.findByReference(account_id, customer_id)
        const decision = customer === undefined
          ? rules.create(yield* newCustomer(account_id, at), customer_id, { default_payment_method_id: id })
          : rules.gains(customer, id, at)
        return decision === undefined ? noAddition : additionOf(decision)
      })

      const lost = Effect.fnUntraced(function*({ account_id, id, updated_at }: PaymentMethod, reference: string | null) {
        const customer = reference === null ? undefined : yield* repository.findByReference(account_id, reference)
        return customer === undefined ? noAddition : additionOf(rules.loses(customer, id, updated_at))
      })

      return Customers.of({
        create: Effect.fn("Customers.create")(function*(account: Pick<AccountFacts, "id">, request: CreateCustomerRequest, keyed?: Keyed) {
          if (keyed !== undefined) return yield* once(idempotency, account.id, keyed, () => insert(account, request, keyed))
          return { ...(yield* untilCommitted(rules.NAME, insert(account, request))), replayed: false }
        }),
        get,
        findByEither,
        list: repository.list,
        update: Effect.fn("Customers.update")((account: string, idOrReference: string, patch: CustomerPatch, version?: number) =>
          untilCommitted(rules.NAME, change(account, idOrReference, patch, version))
        ),
        find: repository.findByReference,
        findByAddress: repository.findByAddress,
        known: knownOrNew,
        charging: Effect.fnUntraced(function*(account, { method, reference }, at, details = {}) {
          const claim = yield* methods.claim({ account_id: account, id: method, customer_id: reference, at })
          const { method: { id: default_payment_method_id }, ...claimed } = claim
          const customer = yield* repository.findByReference(account, reference)
          const decision = customer === undefined
            ? rules.create(yield* newCustomer(account, at), reference, { ...details, default_payment_method_id })
            : rules.charges(customer, default_payment_method_id, at)
          return { ...joinedAdditions(additionOf(decision), claimed), customer: decision.customer }
        }, span("Customers.charging")),
        onMethodCreated: ({ method }) => gained(method),
        onMethodMoved: Effect.fnUntraced(function*({ from, method }) {
          return joinedAdditions(yield* lost(method, from), yield* gained(method))
        }),
        onMethodRevoked: ({ method }) => lost(method, method.customer_id)
      })
    })
  )
}
