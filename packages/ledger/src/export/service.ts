/** The ledger as a stream of lines. It is verified as it is read, so that nothing is signed that does not hold; memory holds a few thousand rows. */
import { Context, Effect, Layer, Schema, Stream } from "effect"
import { CheckpointJson } from "../checkpoints/model.ts"
import { Checkpoints } from "../checkpoints/service.ts"
import { beginning } from "../financial-events/model.ts"
import { type ExportedRow, FinancialEventRepository } from "../financial-events/repository.ts"
import { type ChainState, verifyChain, verifyEnd } from "../financial-events/verify.ts"

/** Rows of one query, and of one piece of the body. */
const CHUNK = 2_000
/** Rows hashed before other requests get their turn: some 3 ms. */
const SLICE = 500
const NEWEST = { page: 1, per_page: 1 }

const encodeCheckpoint = Schema.encodeSync(CheckpointJson)
const line = (value: object): string => `${JSON.stringify(value)}\n`

export class LedgerExport extends Context.Service<LedgerExport, {
  /** The ledger as it is when the stream begins. */
  readonly lines: (account: string) => Stream.Stream<string>
}>()("@svc/ledger/LedgerExport") {
  static readonly layer = Layer.effect(LedgerExport, Effect.gen(function*() {
    const checkpoints = yield* Checkpoints
    const repository = yield* FinancialEventRepository

    const checked = Effect.fnUntraced(function*(start: ChainState, rows: ReadonlyArray<ExportedRow>) {
      let state = start
      for (let at = 0; at < rows.length && state.first_break === null; at += SLICE) {
        state = verifyChain(rows.slice(at, at + SLICE), state)
        yield* Effect.yieldNow
      }
      return state
    })

    const from = Effect.fnUntraced(function*(account: string) {
      // Read first, so that it reaches no further than the books.
      const { data } = yield* Effect.orDie(checkpoints.list(account, NEWEST))
      const daily = data.map((checkpoint) => line({ type: "checkpoint", checkpoint: encodeCheckpoint(checkpoint) }))
      const { head } = yield* repository.books(account)
      let state = beginning

      const piece = Effect.fnUntraced(function*(rows: ReadonlyArray<ExportedRow>) {
        state = yield* checked(state, rows)
        return rows.map(line).join("")
      })

      /** What stands behind the events, once they were read. */
      const tail = Effect.gen(function*() {
        const { first_break } = verifyEnd(state, head)
        if (first_break !== null) return line({ type: "broken", first_break })
        const end = yield* checkpoints.seal({ merchant_id: account, last_sequence_id: head.sequence_id, head_hash: head.hash })
        return line({ type: "end", checkpoint: encodeCheckpoint(end) })
      })

      const pieces = repository.whole(account, head.sequence_id, CHUNK).pipe(Stream.buffer({ capacity: 1 }), Stream.mapEffect(piece))
      return Stream.fromIterable(daily).pipe(Stream.concat(pieces), Stream.concat(Stream.fromEffect(tail)))
    })

    return LedgerExport.of({ lines: (account) => Stream.unwrap(from(account)) })
  }))
}
