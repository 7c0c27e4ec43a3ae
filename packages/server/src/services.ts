/** Where implementations meet: every service of the payments half, wired. */
import * as accounts from "@svc/accounts/layer"
import { layerStore, RequestLimit } from "@svc/accounts/api-keys/rate-limit"
import type { Egress } from "@svc/kernel/egress/service"
import * as egress from "@svc/kernel/egress/service"
import type { EgressPolicy } from "@svc/kernel/egress/model"
import { Idempotency } from "@svc/kernel/idempotency"
import { Committer } from "@svc/kernel/road/committer"
import { TimerHandlers, TimerWorker } from "@svc/kernel/timers"
import * as ledger from "@svc/ledger/layer"
import { paymentIntentJobs } from "@svc/payments/payment-intents/jobs"
import { PaymentIntentRepository } from "@svc/payments/payment-intents/repository"
import { PaymentIntents } from "@svc/payments/payment-intents/service"
import { PaymentMethodRepository } from "@svc/payments/payment-methods/repository"
import { PaymentMethods } from "@svc/payments/payment-methods/service"
import { remoteSimulatorRails } from "@svc/payments/rails/remote-simulator"
import { simulatedRails, SimulatorUrl } from "@svc/payments/rails/simulator"
import type { Rails } from "@svc/payments/rails/rail"
import { DeliverySignal } from "@svc/webhooks/deliveries/signal"
import * as webhooks from "@svc/webhooks/layer"
import { Layer } from "effect"
import type { ServerConfig } from "./config.ts"

const LOOPBACK = "127.0.0.1,::1,localhost"

const policyOf = ({ egressAllow, publicUrl }: ServerConfig): EgressPolicy => ({
  allow: (egressAllow ?? (publicUrl === undefined ? LOOPBACK : "none")).split(",").map((entry) => entry.trim()).filter((entry) => entry !== "" && entry !== "none")
})

const rails = (config: ServerConfig): Layer.Layer<Rails, never, Egress> =>
  config.providerUrl === undefined ? simulatedRails : remoteSimulatorRails({ url: config.providerUrl })

const payments = PaymentIntents.layer.pipe(
  Layer.provideMerge(PaymentMethods.layer),
  Layer.provideMerge([PaymentIntentRepository.layer, PaymentMethodRepository.layer])
)

/** Timers of every package, and the worker that runs them. */
const timers = TimerWorker.layer.pipe(Layer.provide(Layer.effect(TimerHandlers, paymentIntentJobs)))

/** The services that requests use. */
export const layer = (config: ServerConfig, baseUrl: string) => {
  const policy = policyOf(config)
  const committer = Committer.layer.pipe(Layer.provide(DeliverySignal.layerCommitListener))
  return payments.pipe(
    Layer.provideMerge(Layer.mergeAll(accounts.layer, ledger.layer, rails(config), webhooks.layer(policy))),
    Layer.provideMerge(Layer.merge(Idempotency.layer, committer)),
    Layer.provideMerge(DeliverySignal.layer),
    Layer.provideMerge(Layer.mergeAll(egress.layer(policy), Layer.succeed(SimulatorUrl, baseUrl), RequestLimit.layer.pipe(Layer.provide(layerStore))))
  )
}

/** What runs beside the requests: due timers and webhook deliveries. */
export const workers = Layer.merge(timers, webhooks.workers)

