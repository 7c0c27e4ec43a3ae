/** The verbs of a bank link: load, decide, call the provider, commit. A retry calls the provider with the same key. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { hashSecret } from "@svc/accounts/api-keys/secret"
import { Idempotency, internalCause } from "@svc/kernel/resource/idempotency"
import { keyedVerbs, type Work } from "@svc/kernel/resource/keyed-verbs"
import { untilCommitted } from "@svc/kernel/resource/versions"
import { makeId } from "@svc/kernel/values/ids"
import { now } from "@svc/kernel/values/time"
import { Context, type DateTime, Effect, Layer, Redacted } from "effect"
import { TransferInstruments } from "../transfer-instruments/service.ts"
import {
  type BankLink,
  BankLinkId,
  type CreateBankLinkRequest,
  type PayoutDestination,
  type ProcessorTokenRequest,
  type SimulateBankLinkRequest,
  type VerifyPayoutRequest
} from "./model.ts"
import { BankLinkProvider } from "./provider/provider.ts"
import * as rules from "./rules.ts"
import { bankLinkVerbs, type BankLinkWork, makeAnswers } from "./service/answers.ts"
import { makeTokenExchange } from "./service/exchange.ts"
import { makeSealedNumbers } from "./service/numbers.ts"

export class BankLinks extends Context.Service<BankLinks>()("@svc/treasury/BankLinks", {
  make: Effect.gen(function*() {
    const provider = yield* BankLinkProvider
    const instruments = yield* TransferInstruments
    const numbers = yield* makeSealedNumbers
    const { answerOnly, answerWith } = yield* makeAnswers
    const { answer, change, commit, get, list } = yield* bankLinkVerbs
    const verbs = keyedVerbs<AccountFacts, BankLink, never>(yield* Idempotency, { name: rules.NAME, get })

    /** Refuses live accounts if only a simulator answers. */
    const checkServed = ({ sandbox }: AccountFacts) =>
      provider.simulate === undefined || sandbox ? Effect.void : Effect.fail(rules.liveRefusal())

    const create = Effect.fnUntraced(function*(work: Work<AccountFacts, undefined, typeof CreateBankLinkRequest.Type>) {
      const { account, at, keyed } = work
      yield* checkServed(account)
      const begun = yield* provider.begin({ key: hashSecret(`${account.id} ${keyed.key}`), account: account.id })
      const { resource, ...effects } = rules.create({ ...begun, id: BankLinkId.make(makeId("bl", at.epochMilliseconds)), account, at })
      return yield* answer(work, resource, effects, 201)
    })

    const destinationWire = (destination: typeof PayoutDestination.Type) => JSON.stringify(destination)

    const verifyPayout = Effect.fnUntraced(function*(work: BankLinkWork<VerifyPayoutRequest>) {
      const { account, at, payload: { bank_account_id }, resource: link } = work
      const { currency, destination_id, holder_name } = yield* Effect.fromResult(rules.accountOf(link, "verify_payout", bank_account_id))
      if (destination_id !== null) {
        const { status } = yield* instruments.get(account.id, destination_id)
        return yield* answerOnly(work, link.id, destinationWire({ destination_id, status }))
      }
      const number = yield* numbers.of(link, bank_account_id)
      const { instrument, ...effects } = yield* instruments.vouchedFor(
        account,
        { type: "bank_account", currency, holder_name, ...number },
        at
      )
      const changed = rules.verified(link, bank_account_id, instrument.id, at)
      return yield* answerWith(work, changed, effects, destinationWire({ destination_id: instrument.id, status: instrument.status }))
    })

    // The key has the version of the link: a retry after a lost answer has the same key, a call after the commit another. The key also has
    // the bank account, because the provider gives each account its own token.
    const giveToken = Effect.fnUntraced(function*(account: string, id: string, request: ProcessorTokenRequest, at: DateTime.Utc) {
      const link = yield* get(account, id)
      const chosen = yield* Effect.fromResult(rules.accountOf(link, "processor_token", request.bank_account_id))
      const key = `${id}:${link.version}:${chosen.id}`
      const token = yield* provider.processorToken({ key, item_id: link.item_id ?? "", bank_account_id: chosen.id })
      const changed = rules.tokenGiven(link, hashSecret(token), at)
      yield* commit(changed, {}, internalCause("bank_link.processor_token", key))
      return { ...changed, processor_token: Redacted.make(token, { label: "processor token" }) }
    })

    return {
      /** Begins a link with the provider. */
      create: verbs.making("BankLinks.create", create),
      get,
      list,
      /** The public token that the simulator's page gives a person who signs in at a bank. */
      simulate: Effect.fn("BankLinks.simulate")(function*(account: AccountFacts, id: string, { outcome = "ok" }: SimulateBankLinkRequest) {
        yield* checkServed(account)
        const link = yield* get(account.id, id)
        yield* Effect.fromResult(rules.mayExchange(link, yield* now))
        if (provider.simulate === undefined) return yield* rules.noSimulator()
        return { public_token: provider.simulate(link.link_token, outcome) }
      }),
      /** Exchanges the public token, once, and seals the account numbers. */
      exchange: verbs.making("BankLinks.exchange", yield* makeTokenExchange),
      /** Makes a transfer instrument of a linked account, once. */
      verifyPayout: verbs.on("BankLinks.verifyPayout", verifyPayout),
      /** Gives a token for the processor. Only the hash of the token is stored. */
      processorToken: Effect.fn("BankLinks.processorToken")((account: AccountFacts, id: string, request: ProcessorTokenRequest) =>
        untilCommitted(rules.NAME, Effect.flatMap(now, (at) => giveToken(account.id, id, request, at)))
      ),
      /** For the timer: expires a link that nobody finished. */
      expire: Effect.fn("BankLinks.expire")(function*(account: string, id: string) {
        yield* change(account, id, (link, at) => Effect.succeed(rules.expire(link, at)))
      })
    }
  })
}) {
  static readonly layer = Layer.effect(BankLinks, BankLinks.make)
}
