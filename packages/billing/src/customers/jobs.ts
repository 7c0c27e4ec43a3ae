/** What of customers happens without a request of their own: they follow their payment methods, in the same commit. */
import { methodCreated, methodMoved, methodRevoked } from "@svc/payments/payment-methods/model"
import { Effect } from "effect"
import { Customers } from "./service.ts"

export const customerFollowUps = Effect.map(Customers, ({ onMethodCreated, onMethodMoved, onMethodRevoked }) => [
  methodCreated.follow(onMethodCreated),
  methodMoved.follow(onMethodMoved),
  methodRevoked.follow(onMethodRevoked)
])
