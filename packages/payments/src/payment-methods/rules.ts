/** How a payment method changes. Pure: the service loads, asks here, and commits. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { change } from "@svc/kernel/resource/change"
import { type InvalidState, ValidationError, type VersionConflict } from "@svc/kernel/resource/errors"
import { checkMove } from "@svc/kernel/resource/state-machine"
import { atVersion } from "@svc/kernel/resource/versions"
import { Equal, Result } from "effect"
import type { DateTime } from "effect"
import { describeToken, fingerprintOf } from "../rails/instruments.ts"
import type { InstrumentFacts } from "../rails/instruments.ts"
import { paymentMethodMachine } from "./machine.ts"
import type { PaymentMethodTrigger } from "./machine.ts"
import { PaymentMethod } from "./model.ts"
import type { CreatePaymentMethodRequest, PaymentMethodId, PaymentMethodPatch } from "./model.ts"

export { paymentMethodMachine }

/** What people call it. */
export const NAME = "payment method"

/** What a verb comes to: the method as it will be, and the event that tells of it. */
export interface MethodDecision {
  readonly method: PaymentMethod
  readonly event: "created" | "updated" | "revoked"
  /** Whose it was before, by the merchant's reference. */
  readonly from: string | null
}

/**
 * What is known of the card or account behind a token. Sandbox accounts have the simulator's tokens and
 * no others; of a live provider's token only that it stays the same.
 */
const behind = (
  account: Pick<AccountFacts, "sandbox">,
  request: Pick<CreatePaymentMethodRequest, "type" | "token">
): Result.Result<InstrumentFacts, ValidationError> => {
  const test = describeToken(request.token)
  if (account.sandbox !== (test !== undefined)) {
    return Result.fail(
      new ValidationError({
        code: "token",
        message: account.sandbox
          ? "token: is not one of the simulator's test tokens, and a sandbox account has no other provider. Use for example tok_visa."
          : "token: is a test token of the simulator, which a live account cannot charge. Use the token of a real provider."
      })
    )
  }
  if (test === undefined) {
    return Result.succeed({
      type: request.type,
      brand: null,
      last4: null,
      exp_month: null,
      exp_year: null,
      fingerprint: fingerprintOf(`token ${request.token}`)
    })
  }
  return test.type === request.type
    ? Result.succeed(test)
    : Result.fail(
      new ValidationError({
        code: "type",
        message: `type: the token stands for a ${test.type}, not a ${request.type}. Send type ${test.type}.`
      })
    )
}

export const create = (
  id: PaymentMethodId,
  account: Pick<AccountFacts, "id" | "sandbox">,
  request: CreatePaymentMethodRequest,
  at: DateTime.Utc
): Result.Result<MethodDecision, ValidationError> =>
  Result.map(behind(account, request), (facts) => ({
    event: "created",
    from: null,
    method: {
      id,
      account_id: account.id,
      status: "active",
      customer_id: request.customer_id ?? null,
      ...facts,
      token: request.token,
      metadata: request.metadata ?? {},
      created_at: at,
      updated_at: at,
      version: 1
    }
  }))

const may = (
  method: PaymentMethod,
  trigger: PaymentMethodTrigger,
  expected: number | undefined
): Result.Result<PaymentMethod, InvalidState | VersionConflict> =>
  Result.flatMap(
    checkMove(paymentMethodMachine, method.status, trigger, { final: "This state is final; create another payment method." }),
    () => atVersion(NAME, method, expected)
  )

/** Gives up the method for good. `expected` is the version the caller read, when it says so. */
export const revoke = (
  method: PaymentMethod,
  at: DateTime.Utc,
  expected?: number
): Result.Result<MethodDecision, InvalidState | VersionConflict> =>
  Result.map(
    may(method, "revoke", expected),
    () => ({ event: "revoked", from: method.customer_id, method: change(method, at, { status: "revoked" }) })
  )

/** Changes what the merchant keeps with the method; undefined when that is how it is already. */
export const update = (
  method: PaymentMethod,
  patch: PaymentMethodPatch,
  at: DateTime.Utc,
  expected?: number
): Result.Result<MethodDecision | undefined, InvalidState | VersionConflict> =>
  Result.map(may(method, "update", expected), () => {
    const customer_id = patch.customer_id === undefined ? method.customer_id : patch.customer_id
    const metadata = patch.metadata ?? method.metadata
    return customer_id === method.customer_id && Equal.equals(metadata, method.metadata)
      ? undefined
      : { event: "updated", from: method.customer_id, method: change(method, at, { customer_id, metadata }) }
  })

/** The same bytes for what does not exist and what belongs to somebody else. */
export const noSuchMethod = () =>
  new ValidationError({
    code: "payment_method_id",
    message:
      "payment_method_id: no such payment method for this account. Create one with POST /v1/payment_methods, or in sandbox send a test " +
      "token such as tok_visa."
  })

const revokedMethod = () =>
  new ValidationError({
    code: "payment_method_id",
    message: "payment_method_id: this payment method was revoked and cannot be charged. Use another one."
  })

const anothersMethod = () =>
  new ValidationError({
    code: "payment_method_id",
    message:
      "payment_method_id: this payment method belongs to another customer. Use one of this customer, or give this one up there with " +
      "PATCH /v1/payment_methods/{id} first."
  })

/** Why a method does not pay for a customer. */
export type MethodObstacle = "missing" | "revoked" | "of_another_customer"

const refusals: Readonly<Record<MethodObstacle, () => ValidationError>> = {
  missing: noSuchMethod,
  revoked: revokedMethod,
  of_another_customer: anothersMethod
}

/**
 * Why this method does not pay for this customer, by the merchant's reference; undefined where it does. An active method of a customer pays
 * for that customer alone, and one that is nobody's for everybody. A charge that names no customer (null) contradicts no method.
 */
export const obstacleOf = (
  method: Pick<PaymentMethod, "status" | "customer_id"> | undefined,
  customer: string | null
): MethodObstacle | undefined => {
  if (method === undefined) return "missing"
  if (method.status !== "active") return "revoked"
  return customer === null || method.customer_id === null || method.customer_id === customer ? undefined : "of_another_customer"
}

/** The method, if it pays for this customer. */
export const chargeable = (method: PaymentMethod | undefined, customer: string | null): Result.Result<PaymentMethod, ValidationError> => {
  const obstacle = obstacleOf(method, customer)
  return method !== undefined && obstacle === undefined ? Result.succeed(method) : Result.fail(refusals[obstacle ?? "missing"]())
}

/** A method that can be charged becomes this customer's, if it is nobody's yet; undefined when it is the customer's already. */
export const claim = (
  found: PaymentMethod | undefined,
  customer_id: string,
  at: DateTime.Utc
): Result.Result<MethodDecision | undefined, ValidationError> =>
  Result.map(
    chargeable(found, customer_id),
    (method) =>
      method.customer_id === customer_id ? undefined : { event: "updated", from: null, method: change(method, at, { customer_id }) }
  )
