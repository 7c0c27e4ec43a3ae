/** Every table of moves that a resource's rules consult. */
import { accountMachine } from "@svc/accounts/accounts/rules"
import type { StateMachine } from "@svc/kernel/state-machine"
import { paymentIntentMachine } from "@svc/payments/payment-intents/machine"
import { paymentMethodMachine } from "@svc/payments/payment-methods/machine"
import { deliveryMachine } from "@svc/webhooks/deliveries/rules"

export const stateMachines: ReadonlyArray<StateMachine> = [accountMachine, paymentIntentMachine, paymentMethodMachine, deliveryMachine]
