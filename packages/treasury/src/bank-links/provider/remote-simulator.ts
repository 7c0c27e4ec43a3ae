/** The simulated provider in another process, spoken to as a real one would be. */
import { Egress } from "@svc/kernel/egress/service"
import { fromJsonText } from "@svc/kernel/values/json-codec"
import { type Duration, Effect, Layer, Schema } from "effect"
import { BankLinkProviderUnavailable } from "../errors.ts"
import { BankLinkProvider } from "./provider.ts"
import {
  type BankLinkOperation,
  BeginCall,
  Begun,
  ExchangeCall,
  Exchanged,
  FoundLinkToken,
  GivenProcessorToken,
  LinkTokenOfCall,
  MAX_BODY_BYTES,
  paths,
  ProcessorTokenCall
} from "./remote-protocol.ts"
import { publicTokenOf } from "./simulator.ts"

/** How often a call is made again whose answer did not come. */
const RETRIES = 2
const RETRY_AFTER = 5

const unavailable = (why: string) =>
  new BankLinkProviderUnavailable({
    message: `The provider of bank links ${why}. Repeat the request with its idempotency key in ${RETRY_AFTER} s; nothing happens twice.`,
    details: { retry_after: RETRY_AFTER }
  })

export interface RemoteBankLinksOptions {
  /** Where the provider listens, for example `http://127.0.0.1:4100`. */
  readonly url: string
  /** For one call altogether; 5 seconds unless given. */
  readonly timeout?: Duration.Input
}

/** The provider at `url`. */
export const remoteBankLinks = ({ timeout = "5 seconds", url }: RemoteBankLinksOptions) =>
  Layer.effect(
    BankLinkProvider,
    Effect.map(Egress, (egress) => {
      const base = url.replace(/\/$/u, "")

      const operation = <Call, Reply>(name: BankLinkOperation, call: Schema.Codec<Call>, reply: Schema.Codec<Reply>) => {
        const encode = Schema.encodeSync(fromJsonText(call))
        const decode = Schema.decodeUnknownEffect(fromJsonText(reply))
        const once = Effect.fnUntraced(function*(asked: Call) {
          const { body, status } = yield* Effect.mapError(
            egress.post({
              url: base + paths[name],
              headers: { "content-type": "application/json" },
              body: encode(asked),
              timeout,
              maxResponseBytes: MAX_BODY_BYTES,
              repeatable: true
            }),
            () => unavailable("could not be reached, or did not answer")
          )
          if (status !== 200) return yield* unavailable(`answered with status ${status}`)
          return yield* Effect.mapError(decode(body), () => unavailable("answered in a form that was not agreed"))
        })
        return (asked: Call): Effect.Effect<Reply, BankLinkProviderUnavailable> => Effect.retry(once(asked), { times: RETRIES })
      }

      const find = operation("link_token_of", LinkTokenOfCall, FoundLinkToken)
      const give = operation("processor_token", ProcessorTokenCall, GivenProcessorToken)
      return BankLinkProvider.of({
        begin: operation("begin", BeginCall, Begun),
        linkTokenOf: (public_token) => Effect.map(find({ public_token }), ({ link_token }) => link_token),
        exchange: operation("exchange", ExchangeCall, Exchanged),
        processorToken: (call) => Effect.map(give(call), ({ processor_token }) => processor_token),
        simulate: publicTokenOf
      })
    })
  )
