/** The verbs of a bank link: load, decide, ask the provider, commit. What the provider is asked has a key that a repetition has, too. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { hashSecret } from "@svc/accounts/api-keys/secret"
import type { Effects } from "@svc/kernel/resource/change"
import { Idempotency, internalCause, keyDone } from "@svc/kernel/resource/idempotency"
import { keyedVerbs, modeOf, type Work } from "@svc/kernel/resource/keyed-verbs"
import { verbsOf } from "@svc/kernel/resource/verbs"
import { untilCommitted } from "@svc/kernel/resource/versions"
import { Committer } from "@svc/kernel/road/committer"
import type { StoredReply } from "@svc/kernel/road/decision"
import { makeId } from "@svc/kernel/values/ids"
import { now } from "@svc/kernel/values/time"
import { Keyring } from "@svc/platform/encryption/keyring"
import { Context, type DateTime, Effect, Layer, Redacted, Schema } from "effect"
import { TransferInstruments } from "../transfer-instruments/service.ts"
import {
  type BankLink,
  bankLinkFilters,
  BankLinkId,
  bankLinkNumbers,
  bankLinks,
  type CreateBankLinkRequest,
  type ExchangeBankLinkRequest,
  Numbers,
  type PayoutDestination,
  type ProcessorTokenRequest,
  type SimulateBankLinkRequest,
  type VerifyPayoutRequest
} from "./model.ts"
import { linkedAccounts, numbersOf } from "./provider/accounts.ts"
import { type BankAccount, BankLinkProvider, type Exchange } from "./provider/provider.ts"
import { linkOfToken, sealedNumbersOf } from "./repository.ts"
import * as rules from "./rules.ts"

type LinkWork<P> = Work<AccountFacts, BankLink, P>

const readNumbers = Schema.decodeUnknownSync(Numbers)
const writeNumbers = Schema.encodeSync(Numbers)

/** How the numbers of a link's accounts are kept and read. */
const sealedNumbers = Effect.gen(function*() {
  const [keyring, kept] = [yield* Keyring, yield* sealedNumbersOf]
  return {
    write: ({ account_id, id }: BankLink, accounts: ReadonlyArray<BankAccount>, at: DateTime.Utc) =>
      bankLinkNumbers.write({
        id,
        account_id,
        sealed: keyring.seal(writeNumbers(numbersOf(accounts)), id),
        created_at: at,
        updated_at: at,
        version: 1
      }),
    of: Effect.fnUntraced(function*({ account_id, id }: BankLink, bank_account_id: string) {
      const sealed = yield* kept(account_id, id)
      const numbers = sealed === undefined ? undefined : readNumbers(yield* Effect.orDie(keyring.open(sealed, id)))
      return numbers?.[bank_account_id] ?? (yield* Effect.die(`the numbers of ${id} lack those of a linked account`))
    })
  }
})

export class BankLinks extends Context.Service<BankLinks>()("@svc/treasury/BankLinks", {
  make: Effect.gen(function*() {
    const provider = yield* BankLinkProvider
    const instruments = yield* TransferInstruments
    const numbers = yield* sealedNumbers
    const committer = yield* Committer
    const ofToken = yield* linkOfToken
    const { answer, change, commit, get, list } = yield* verbsOf(bankLinks, { name: rules.NAME, prefix: "bl", filters: bankLinkFilters })
    const verbs = keyedVerbs<AccountFacts, BankLink, never>(yield* Idempotency, { name: rules.NAME, get })

    /** Where only a simulator answers, live accounts are linked by nobody. */
    const checkServed = ({ sandbox }: AccountFacts) =>
      provider.simulate === undefined || sandbox ? Effect.void : Effect.fail(rules.liveRefusal())

    const create = Effect.fnUntraced(function*(work: Work<AccountFacts, undefined, typeof CreateBankLinkRequest.Type>) {
      const { account, at, keyed } = work
      yield* checkServed(account)
      const begun = yield* provider.begin({ key: hashSecret(`${account.id} ${keyed.key}`), account: account.id })
      const { resource, ...effects } = rules.create({ ...begun, id: BankLinkId.make(makeId("bl", at.epochMilliseconds)), account, at })
      return yield* answer(work, resource, effects, 201)
    })

    /** Keeps an answer under the key of its request, where the request changes nothing. */
    const answerOnly = Effect.fnUntraced(
      function*<P>({ account, at, keyed, ...work }: Work<AccountFacts, unknown, P>, id: string, body: string) {
        const reply: StoredReply = { status: 200, body }
        const key = keyDone(keyed, { type: "bank_link", id }, reply, modeOf(work))
        yield* committer.commit({
          account_id: account.id,
          at,
          cause: keyed.key,
          writes: [],
          entries: [],
          events: [],
          set: [],
          clear: [],
          key
        })
        return reply
      }
    )

    /** The reply of a request that changes the link, and is not the link. */
    const answerWith = Effect.fnUntraced(function*<P>(work: LinkWork<P>, link: BankLink, more: Effects, body: string) {
      const reply: StoredReply = { status: 200, body }
      yield* commit(link, more, work.keyed.key, keyDone(work.keyed, { type: "bank_link", id: link.id }, reply, modeOf(work)))
      return reply
    })

    const refuse = Effect.fnUntraced(function*({ account_id, id }: BankLink, { reason }: Extract<Exchange, { readonly _tag: "Refused" }>) {
      if (reason === "no_accounts") {
        yield* Effect.catchTag(change(account_id, id, (link, at) => Effect.succeed(rules.fail(link, at))), "NotFound", Effect.die)
      }
      return yield* rules.refusal(reason)
    })

    // The key of the exchange is the link and the token: of two at once the provider does one, and both hear of it.
    const exchange = Effect.fnUntraced(function*(work: Work<AccountFacts, undefined, ExchangeBankLinkRequest>) {
      const { account, at, payload: { public_token } } = work
      const link_token = yield* provider.linkTokenOf(public_token)
      const link = (link_token === null ? undefined : yield* ofToken(account.id, link_token)) ?? (yield* rules.noSuchToken())
      const public_token_hash = hashSecret(public_token)
      if (link.public_token_hash === public_token_hash) return yield* answerOnly(work, link.id, bankLinks.encode(link).wire)
      yield* Effect.fromResult(rules.mayExchange(link, at))
      const said = yield* provider.exchange({ key: `${link.id}:${public_token_hash}`, public_token })
      if (said._tag === "Refused") return yield* refuse(link, said)
      const linked = {
        item_id: said.item_id,
        accounts: linkedAccounts(said.accounts),
        public_token_hash
      }
      const { resource, ...effects } = yield* Effect.fromResult(rules.exchange(link, linked, at))
      return yield* answer(work, resource, { ...effects, writes: [numbers.write(link, said.accounts, at)] })
    })

    const destinationWire = (destination: typeof PayoutDestination.Type) => JSON.stringify(destination)

    const verifyPayout = Effect.fnUntraced(function*(work: LinkWork<VerifyPayoutRequest>) {
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

    // The key has the version: a call whose answer was lost is made again under it, and after the commit it is another. It has the bank
    // account: for another one the provider gives another token.
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
      /** What the simulator's page would give the person who signs in at a bank. */
      simulate: Effect.fn("BankLinks.simulate")(function*(account: AccountFacts, id: string, { outcome = "ok" }: SimulateBankLinkRequest) {
        yield* checkServed(account)
        const link = yield* get(account.id, id)
        yield* Effect.fromResult(rules.mayExchange(link, yield* now))
        if (provider.simulate === undefined) return yield* rules.noSimulator()
        return { public_token: provider.simulate(link.link_token, outcome) }
      }),
      /** Takes the public token, once, and seals what it gives. */
      exchange: verbs.making("BankLinks.exchange", exchange),
      /** Makes a transfer instrument of a linked account, once. */
      verifyPayout: verbs.on("BankLinks.verifyPayout", verifyPayout),
      /** A token for the processor, which is kept as a hash. */
      processorToken: Effect.fn("BankLinks.processorToken")((account: AccountFacts, id: string, request: ProcessorTokenRequest) =>
        untilCommitted(rules.NAME, Effect.flatMap(now, (at) => giveToken(account.id, id, request, at)))
      ),
      /** For the timer: nobody signed in. */
      expire: Effect.fn("BankLinks.expire")(function*(account: string, id: string) {
        yield* change(account, id, (link, at) => Effect.succeed(rules.expire(link, at)))
      })
    }
  })
}) {
  static readonly layer = Layer.effect(BankLinks, BankLinks.make)
}
