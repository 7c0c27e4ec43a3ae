/**
 * The ledger as a stream of lines. It is verified as it is read, so that nothing is signed that does not hold; memory holds one piece of
 * each export.
 */
import { makeGiveWay, untilQuiet } from "@svc/kernel/http/giving-way"
import { makePlaces } from "@svc/kernel/http/places"
import type { RateLimited } from "@svc/kernel/resource/errors"
import { Context, Duration, Effect, Layer, Option, PartitionedSemaphore, Schema, type Scope, Stream } from "effect"
import { CheckpointJson } from "../checkpoints/model.ts"
import { Checkpoints } from "../checkpoints/service.ts"
import { beginning } from "../financial-events/model.ts"
import { type ExportedRow, FinancialEventRepository } from "../financial-events/repository.ts"
import { type ChainState, verifyChain, verifyEnd } from "../financial-events/verify.ts"

/**
 * Rows of one query, and of one piece of the body: some 150 KiB, which an export holds while its reader does not take them. Reading them
 * takes this thread some milliseconds without a pause.
 */
const PIECE = 250
/** How long a piece waits for a moment in which no short request waits. */
const MOST_QUIET = Duration.millis(100)
/** Rows that are hashed and written before others get their turn: some 1 ms. */
const SLICE = 100
/** Exports that are open at one time, each of another account: memory for a piece of each, and no connection between two pieces. */
const OPEN = 32
/** Pieces that are made at one time, the exports in turn. */
const MADE_AT_ONCE = 1

const NEWEST = { page: 1, per_page: 1 }

const encodeCheckpoint = Schema.encodeSync(CheckpointJson)
const line = (value: object): string => `${JSON.stringify(value)}\n`

export class LedgerExport extends Context.Service<LedgerExport, {
  /**
   * The ledger as it is when the stream begins, made as it is read. The account has its place until the scope ends, which is one at a time:
   * a second export is refused, and so is one too many of all accounts.
   */
  readonly lines: (account: string) => Effect.Effect<Stream.Stream<string>, RateLimited, Scope.Scope>
}>()("@svc/ledger/LedgerExport") {
  static readonly layer = Layer.effect(
    LedgerExport,
    Effect.gen(function*() {
      const checkpoints = yield* Checkpoints
      const repository = yield* FinancialEventRepository
      const { keep } = makePlaces({ what: "exports of ledgers", atOnce: OPEN, waiting: 0, ofAccount: 1, retryAfter: 5 })
      const giveWay = makeGiveWay()
      const making = yield* PartitionedSemaphore.make<string>({ permits: MADE_AT_ONCE })

      /** The text of rows, and how far the chain holds with them. */
      const textOf = Effect.fnUntraced(function*(start: ChainState, rows: ReadonlyArray<ExportedRow>) {
        let [state, text] = [start, ""]
        for (let at = 0; at < rows.length; at += SLICE) {
          const slice = rows.slice(at, at + SLICE)
          state = verifyChain(slice, state)
          text += slice.map(line).join("")
          yield* giveWay
        }
        return { state, text }
      })

      const from = Effect.fnUntraced(function*(account: string) {
        // Read first, so that it reaches no further than the books.
        const { data } = yield* Effect.orDie(checkpoints.list(account, NEWEST))
        const daily = data.map((checkpoint) => line({ type: "checkpoint", checkpoint: encodeCheckpoint(checkpoint) }))
        const { head } = yield* repository.books(account)

        /** What stands behind the events, once they were read. */
        const end = Effect.fnUntraced(function*(state: ChainState) {
          const { first_break } = verifyEnd(state, head)
          if (first_break !== null) return line({ type: "broken", first_break })
          const checkpoint = yield* checkpoints.seal({ merchant_id: account, last_sequence_id: head.sequence_id, head_hash: head.hash })
          return line({ type: "end", checkpoint: encodeCheckpoint(checkpoint) })
        })

        const piece = Effect.fnUntraced(function*({ after, state: before }: { readonly after: number; readonly state: ChainState }) {
          yield* untilQuiet(MOST_QUIET)
          const rows = yield* repository.exported(account, after, head.sequence_id, PIECE)
          const { state, text } = yield* textOf(before, rows)
          const last = rows.at(-1)
          if (rows.length === PIECE && last !== undefined) return [[text], Option.some({ after: last.sequence_id, state })] as const
          return [[text, yield* end(state)], Option.none()] as const
        })

        const pieces = Stream.paginate({ after: 0, state: beginning }, (at) => making.withPermit(account)(piece(at)))
        return Stream.concat(Stream.fromIterable(daily), pieces)
      })

      return LedgerExport.of({ lines: (account) => Effect.as(keep(account), Stream.unwrap(from(account))) })
    })
  )
}
