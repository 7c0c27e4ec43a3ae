/** Addresses that answers name: where a person pays for a call, and where its state can be read. */
import { Context } from "effect"

export class Pages extends Context.Service<Pages, {
  readonly of: (call: string) => { readonly paymentUrl: string; readonly checkoutUrl: string }
  readonly status: (call: string) => string
}>()("@svc/tools/Pages") {
  /** Of a tool server that is reached at this address. */
  static readonly at = (base: string): Pages["Service"] => ({
    of: (call) => ({ paymentUrl: `${base}/pay/${call}`, checkoutUrl: `${base}/pay/${call}` }),
    status: (call) => `${base}/v1/calls/${call}`
  })
}
