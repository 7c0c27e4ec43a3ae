/** Addresses that answers name: where a person pays for a call, and where its state can be read. */
import { Context } from "effect"

export class Pages extends Context.Service<Pages, {
  /** The address of the page that sells this offer, which is sealed in it. */
  readonly of: (offer: string) => { readonly paymentUrl: string; readonly checkoutUrl: string }
  readonly status: (call: string) => string
  /** The address of a purchase of credits. */
  readonly purchase: (id: string) => string
}>()("@svc/paywall/Pages") {
  /** Of a tool server that is reached at this address. */
  static readonly at = (base: string): Pages["Service"] => ({
    of: (offer) => ({ paymentUrl: `${base}/pay/${offer}`, checkoutUrl: `${base}/pay/${offer}` }),
    status: (call) => `${base}/v1/calls/${call}`,
    purchase: (id) => `${base}/v1/credits/purchases/${id}`
  })
}
