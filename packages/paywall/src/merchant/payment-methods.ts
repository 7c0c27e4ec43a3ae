/** How calls can be paid for here. */
import { Config, Context, Effect, Layer } from "effect"
import * as Facilitators from "../payment/facilitator.ts"
import { baseSepoliaUsdc, baseUsdc, type Methods } from "../payment/model.ts"

/** Nobody holds the key of this address: where no other is set, test money is not to be sent, only signed. */
const NOWHERE = "0x000000000000000000000000000000000000dEaD"

const settings = Config.all({
  /** The address that stablecoin payments go to. */
  payTo: Config.withDefault(Config.String("TOOLS_STABLECOIN_PAY_TO"), undefined),
  /** The address of a facilitator of x402, who carries transfers out. Without it they are simulated, and the receipts say so. */
  facilitator: Config.withDefault(Config.String("TOOLS_FACILITATOR_URL"), undefined),
  /** The facilitator's own address, which permissions of the scheme `upto` name. Without it that scheme is not offered. */
  permits: Config.withDefault(Config.String("TOOLS_FACILITATOR_ADDRESS"), undefined)
})

/** What a payment with a card is shared with in the sandbox. */
const SANDBOX_CARD = { networkId: "profile_svc_sandbox", paymentMethodTypes: ["card"] } as const

export class PaymentMethods extends Context.Service<PaymentMethods, {
  /** For calls of sandbox accounts and of nobody, or for those of live ones. What is not set up is not offered. */
  readonly of: (sandbox: boolean) => Methods
  readonly facilitator: string | undefined
}>()("@svc/paywall/PaymentMethods") {
  static readonly layer = Layer.effect(
    PaymentMethods,
    settings.pipe(Config.map(({ facilitator, payTo, permits }) => {
      const upto = permits === undefined ? {} : { facilitator: permits }
      const sandbox: Methods = { card: SANDBOX_CARD, stablecoin: { ...baseSepoliaUsdc, payTo: payTo ?? NOWHERE, ...upto } }
      const live: Methods = payTo === undefined || facilitator === undefined ? {} : { stablecoin: { ...baseUsdc, payTo, ...upto } }
      return PaymentMethods.of({ of: (isSandbox) => isSandbox ? sandbox : live, facilitator })
    }))
  )
}

/** The facilitator that carries out transfers of stablecoins here. */
export const facilitator = Layer.unwrap(
  Effect.map(PaymentMethods, ({ facilitator: url }) => url === undefined ? Facilitators.simulated : Facilitators.remote(url))
)
