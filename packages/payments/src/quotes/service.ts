/** The verbs of a quote: made by a request, ended by its timer. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { type IdempotencyInProgress, type IdempotencyKeyReused, type NotFound, notFound, ValidationError, type VersionConflict } from "@svc/kernel/errors"
import { Idempotency, internalCause, keyDone, type Keyed, once } from "@svc/kernel/idempotency"
import { nextId } from "@svc/kernel/ids"
import type { Page, PageRequest } from "@svc/kernel/pages"
import { Committer } from "@svc/kernel/road/committer"
import type { Addition, Commit, Followed, KeyWrite, StoredReply } from "@svc/kernel/road/decision"
import { now } from "@svc/kernel/time"
import { untilCommitted } from "@svc/kernel/versions"
import { Context, Effect, Layer } from "effect"
import type { RatesUnavailable } from "../rates/errors.ts"
import { Rates } from "../rates/rates.ts"
import { type CreateQuoteRequest, encode, EXPIRES, type Quote, type QuoteFilter, QuoteId, quotes, wireOf } from "./model.ts"
import { QuoteRepository } from "./repository.ts"
import { expire, quote, type QuoteDecision, use } from "./rules.ts"

/** A fresh answer, or the stored one of a repeated request. */
export interface Quoted extends StoredReply {
  readonly replayed: boolean
}

const commitOf = ({ clear, entries, quote: made, set }: QuoteDecision, cause: string, key?: KeyWrite): Commit => ({
  account_id: made.merchant_id,
  at: made.updated_at,
  cause,
  writes: [{ table: quotes, row: encode(made).row }],
  entries,
  events: [],
  set,
  clear,
  ...(key === undefined ? {} : { key })
})

/** For what uses a quote: what its commit writes besides. */
export const onUse = ({ payment_intent_id, quote: used }: { readonly quote: Quote; readonly payment_intent_id: string }, { at }: Followed): Effect.Effect<Addition> =>
  Effect.sync(() => {
    const { clear, quote: made } = use(used, payment_intent_id, at)
    return { writes: [{ table: quotes, row: encode(made).row }], clear }
  })

export class Quotes extends Context.Service<Quotes, {
  /** Answers 201, or 200 with the same body when the key was used for the same request before. */
  readonly create: (account: Pick<AccountFacts, "id">, request: CreateQuoteRequest, keyed?: Keyed) =>
    Effect.Effect<Quoted, ValidationError | RatesUnavailable | IdempotencyKeyReused | IdempotencyInProgress | VersionConflict>
  readonly get: (account: string, id: string) => Effect.Effect<Quote, NotFound>
  readonly list: (account: string, filter: QuoteFilter, page: PageRequest) => Effect.Effect<Page<Quote>>
  /** For the timer: ends one whose time is over. */
  readonly expire: (account: string, id: string) => Effect.Effect<void, NotFound | VersionConflict>
}>()("@svc/payments/Quotes") {
  static readonly layer = Layer.effect(Quotes, Effect.gen(function*() {
    const committer = yield* Committer
    const idempotency = yield* Idempotency
    const rates = yield* Rates
    const repository = yield* QuoteRepository

    const get = Effect.fn("Quotes.get")(function*(account: string, id: string) {
      return (yield* repository.find(account, id)) ?? (yield* notFound("quote"))
    })

    const rateOf = Effect.fnUntraced(function*({ source_currency, target_currency }: CreateQuoteRequest) {
      if (source_currency === target_currency) return undefined
      return yield* Effect.catchTag(rates.between(source_currency, target_currency), "NoRate", ({ currency }) => {
        const code = currency === source_currency ? "source_currency" : "target_currency"
        return Effect.fail(new ValidationError({ code, message: `${code}: there is no rate for ${currency}, so it is not exchanged here. Quote another currency.` }))
      })
    })

    const make = Effect.fnUntraced(function*(account: Pick<AccountFacts, "id">, request: CreateQuoteRequest, keyed?: Keyed) {
      const id = QuoteId.make(yield* nextId("qt"))
      const decided = yield* Effect.fromResult(quote(request, { id, account, rate: yield* rateOf(request), at: yield* now }))
      const reply: StoredReply = { status: 201, body: wireOf(decided.quote) }
      const key = keyed === undefined ? undefined : keyDone(keyed, { type: "quote", id }, reply)
      yield* committer.commit(commitOf(decided, keyed?.key ?? internalCause("quote.create", id), key))
      return reply
    })

    const end = Effect.fnUntraced(function*(account: string, id: string) {
      const decided = expire(yield* get(account, id), yield* now)
      if (decided !== undefined) yield* committer.commit(commitOf(decided, internalCause(EXPIRES, id)))
    })

    return Quotes.of({
      create: Effect.fn("Quotes.create")(function*(account: Pick<AccountFacts, "id">, request: CreateQuoteRequest, keyed?: Keyed) {
        if (keyed !== undefined) return yield* once(idempotency, account.id, keyed, () => make(account, request, keyed))
        // Without a key there is nothing a fresh row could collide with.
        return { ...(yield* Effect.catchTag(make(account, request), "CommitRefused", Effect.die)), replayed: false }
      }),
      get,
      list: Effect.fn("Quotes.list")(repository.list),
      expire: Effect.fn("Quotes.expire")((account: string, id: string) => untilCommitted("quote", end(account, id)))
    })
  }))
}
