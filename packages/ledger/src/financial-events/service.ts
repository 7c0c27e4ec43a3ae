/** Reading and checking the ledger, over HTTP and from the command line alike. */
import { type Difference, differencesOf } from "@svc/kernel/database/difference"
import { LONG_STATEMENTS_AT_ONCE, makeGiveWay, makeUntilQuiet } from "@svc/kernel/http/giving-way"
import { type Contributions, contributions } from "@svc/kernel/parts/contributions"
import { notFound } from "@svc/kernel/resource/errors"
import type { NotFound, ValidationError } from "@svc/kernel/resource/errors"
import { checkPage } from "@svc/kernel/resource/pages"
import type { Page, PageRequest } from "@svc/kernel/resource/pages"
import { now } from "@svc/kernel/values/time"
import { Cause, Context, Duration, Effect, Layer, Option, Schema, Semaphore, Stream } from "effect"
import { type FinancialEvent, FinancialEventId, type FinancialEventSums, type LedgerVerification } from "./model.ts"
import { FinancialEventRepository } from "./repository.ts"
import type { Books, FinancialEventFilter } from "./repository.ts"
import { beginning, behind, brokenAt, verifyBalances, verifyChain, verifyEnd } from "./verify.ts"
import type { ChainBreak, ChainHead, ChainRow, ChainState } from "./verify.ts"

/** What must hold of a whole ledger besides its own chain and balances. It reads within the check's one moment. */
export type BookCheck = (account: string, end: ChainHead) => Effect.Effect<ChainBreak | undefined>

/** Such checks, which parts above contribute: `state-checks.ts`. */
export class BookChecks extends Context.Service<BookChecks, Contributions<BookCheck>>()("@svc/ledger/BookChecks") {
  static readonly layer = Layer.sync(BookChecks, () => contributions<BookCheck>())
}

/** A part of a chain, both ends included. */
export interface ChainRange {
  /** Default 1. */
  readonly from?: number | undefined
  /** Default the end of the chain. */
  readonly to?: number | undefined
}

/** Rows of one query: larger ones block the event loop for longer. */
const CHUNK = 250
/** How long a query waits for a moment in which no short request waits. */
const MOST_QUIET = Duration.millis(50)
/** Rows hashed before other requests get their turn: some 1 ms. */
const SLICE = 200
/** How long a check gives way to others: its own client waits, too. */
const GIVES_WAY = Duration.seconds(8)
/** Checks at one time. Each holds a connection, and hashing is the work of this one thread. */
export const CHECKS_AT_ONCE = LONG_STATEMENTS_AT_ONCE
const ACCOUNTS_AT_ONCE = 500

const isId = Schema.is(FinancialEventId)

export class Ledger extends Context.Service<Ledger, {
  /** Newest first. Fails when the page lies too deep or is named twice. */
  readonly sums: (account: string, filter: FinancialEventFilter) => Effect.Effect<FinancialEventSums>
  readonly list: (account: string, filter: FinancialEventFilter, page: PageRequest) => Effect.Effect<Page<FinancialEvent>, ValidationError>
  readonly get: (account: string, id: string) => Effect.Effect<FinancialEvent, NotFound>
  /** `event_hash` of one event. */
  readonly hashAt: (account: string, sequence_id: number) => Effect.Effect<string | undefined>
  /**
   * Recomputes the chain as it is at one moment. A check that reaches the end of the chain compares it
   * with the head, and one of the whole chain the sums with the stored balances, and asks {@link BookChecks}.
   */
  readonly verify: (account: string, range?: ChainRange) => Effect.Effect<LedgerVerification>
  /** Where the account's balances and its head are not what its events come to: each field that differs. */
  readonly differences: (account: string) => Effect.Effect<ReadonlyArray<Difference>>
  /** Every account, in the order of their ids. */
  readonly accounts: Stream.Stream<string>
  /** Checks every account, each as it is at one moment, in the order of their ids. */
  readonly verifyAll: Stream.Stream<LedgerVerification & { readonly account_id: string }>
}>()("@svc/ledger/Ledger") {
  static readonly layer = Layer.effect(
    Ledger,
    Effect.gen(function*() {
      const repository = yield* FinancialEventRepository
      const checks = yield* Semaphore.make(CHECKS_AT_ONCE)
      const moreChecks = yield* BookChecks

      const list = Effect.fn("Ledger.list")(function*(account: string, filter: FinancialEventFilter, request: PageRequest) {
        return yield* repository.list(account, filter, yield* Effect.fromResult(checkPage(request)))
      })

      const get = Effect.fn("Ledger.get")(function*(account: string, id: string) {
        const event = isId(id) ? yield* repository.find(account, id) : undefined
        return event ?? (yield* notFound("financial event"))
      })

      const pieces = (account: string, after: number, to: number): Stream.Stream<ReadonlyArray<ChainRow>> => {
        const quiet = makeUntilQuiet(MOST_QUIET, GIVES_WAY)
        return Stream.paginate(after, (from) =>
          Effect.map(Effect.andThen(quiet, repository.chain(account, from, to, CHUNK)), (rows) => {
            const last = rows.at(-1)
            return [[rows], rows.length < CHUNK || last === undefined ? Option.none() : Option.some(last.sequence_id)] as const
          }))
      }

      const hashed = (giveWay: Effect.Effect<void>) =>
        Effect.fnUntraced(function*(start: ChainState, rows: ReadonlyArray<ChainRow>) {
          let state = start
          for (let at = 0; at < rows.length && state.first_break === null; at += SLICE) {
            state = verifyChain(rows.slice(at, at + SLICE), state)
            yield* giveWay
          }
          return state
        })

      /** Follows the chain to `to` or to its first break. The next piece is on its way while one is hashed. */
      const follow = (account: string, start: ChainState, to: number): Effect.Effect<ChainState> =>
        pieces(account, start.sequence_id, to).pipe(
          Stream.buffer({ capacity: 1 }),
          Stream.scanEffect(() => start, hashed(makeGiveWay(GIVES_WAY))),
          Stream.takeUntil((state) => state.first_break !== null),
          Stream.runLast,
          Effect.map(Option.getOrElse(() => start))
        )

      /** Where a check from `from` on begins, or the break that is there already. */
      const startOf = Effect.fnUntraced(function*(account: string, from: number, { head }: Books) {
        if (from === 1) return beginning
        const hash = yield* repository.hashAt(account, from - 1)
        if (hash !== undefined) return behind(from - 1, hash)
        return from - 1 > head.sequence_id ? undefined : brokenAt(beginning, from - 1, "gap")
      })

      /** What others have to say of a ledger that holds in itself; the first of them that objects. */
      const compared = Effect.fnUntraced(function*(account: string, state: ChainState, end: ChainHead) {
        for (const one of state.first_break === null ? moreChecks.all() : []) {
          const first_break = yield* one(account, end)
          if (first_break !== undefined) return { ...state, first_break }
        }
        return state
      })

      const check = Effect.fnUntraced(function*(account: string, from: number, to: number, books: Books) {
        const start = yield* startOf(account, from, books)
        // The range lies behind the end of the chain.
        if (start === undefined) return beginning
        const ended = verifyEnd(yield* follow(account, start, to), books.head, to)
        return from === 1 && to >= books.head.sequence_id
          ? yield* compared(account, verifyBalances(ended, books.balances), books.head)
          : ended
      })

      /** A database that cannot be written to, such as a copy, is verified all the same. */
      const keep = Effect.fnUntraced(
        function*(account: string, first_break: ChainBreak | null, isWhole: boolean) {
          if (first_break !== null) yield* repository.keepBreak(account, first_break, yield* now)
          else if (isWhole) yield* repository.forgetBreak(account)
        },
        Effect.catchCauseIf(
          (cause) => !Cause.hasInterruptsOnly(cause),
          (cause) => Effect.logWarning("ledger: what a verification found could not be kept", cause)
        )
      )

      const verify = Effect.fn("Ledger.verify")(function*(account: string, range: ChainRange = {}) {
        const { from = 1, to = Number.MAX_SAFE_INTEGER } = range
        const verification = yield* repository.snapshot(Effect.gen(function*() {
          const books = yield* repository.books(account)
          const { checked, first_break } = yield* check(account, from, to, books)
          return { ok: first_break === null, last_sequence_id: books.head.sequence_id, head_hash: books.head.hash, checked, first_break }
        }))
        yield* keep(account, verification.first_break, from === 1 && to >= verification.last_sequence_id)
        return verification
      }, checks.withPermits(1))

      const differences = Effect.fn("Ledger.differences")(function*(account_id: string) {
        const [stored, derived] = yield* repository.snapshot(Effect.all([repository.stored(account_id), repository.derived(account_id)]))
        const nothing = { available: 0, pending: 0, reserved: 0 }
        const currencies = new Set([...stored.balances.keys(), ...derived.balances.keys()])
        return [
          ...differencesOf({ account_id, table: "account_heads", id: account_id }, stored.head, derived.head),
          // A condition on a balance that nothing has moved yet makes its row.
          ...Array.from(currencies).flatMap((id) =>
            differencesOf({ account_id, table: "balance_accounts", id }, stored.balances.get(id), derived.balances.get(id) ?? nothing)
          )
        ]
      })

      const accounts = Stream.paginate(
        "",
        (after) => Effect.map(repository.accountsAfter(after, ACCOUNTS_AT_ONCE), (ids) => [ids, Option.fromNullishOr(ids.at(-1))] as const)
      )

      const verifyAll = Stream.mapEffect(
        accounts,
        (account_id) => Effect.map(verify(account_id), (verification) => ({ account_id, ...verification }))
      )

      return Ledger.of({ accounts, list, sums: repository.sums, get, hashAt: repository.hashAt, differences, verify, verifyAll })
    })
  )
}
