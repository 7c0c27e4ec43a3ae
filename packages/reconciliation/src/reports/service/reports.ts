/** The verbs of a report: a statement is read whole, then compared with the ledger. */
import { makeTurns } from "@svc/kernel/http/uploads"
import { type NotFound, notFound, type ValidationError } from "@svc/kernel/resource/errors"
import { checkPage, type Page, type PageRequest } from "@svc/kernel/resource/pages"
import { Committer } from "@svc/kernel/road/committer"
import { nextId } from "@svc/kernel/values/ids"
import { now } from "@svc/kernel/values/time"
import { ProviderUnavailable } from "@svc/payments/payment-intents/errors"
import { Rails } from "@svc/payments/rails/rail"
import { RailBooks, type StatementLine, type StatementType } from "@svc/payments/rails/statement"
import { Clock, Context, Duration, Effect, Fiber, Layer, Schema, Stream } from "effect"
import { type Mismatch, type MismatchFilter, ReportId } from "../../mismatches/model.ts"
import { Mismatches } from "../../mismatches/service.ts"
import type { Report, ReportFilter } from "../model.ts"
import { readFile } from "../provider/file.ts"
import { ReportRepository } from "../repository/reports.ts"
import { commitOf } from "../road.ts"
import { begin, coveredByFile, mayAsk, type ReportRequest } from "../rules/report.ts"
import { makeComparisons } from "./turns.ts"

/** A report with some of its mismatches. */
export interface DetailedReport extends Report, Omit<Page<Mismatch>, "data"> {
  readonly mismatches: ReadonlyArray<Mismatch>
}

/** A file as it comes in. */
export type StatementUpload<E> = Stream.Stream<Uint8Array, E>

/** How long a request waits for its report to be complete, from its beginning on. The service gives up answers that take 25 seconds. */
const PATIENCE = Duration.seconds(15)

/** Lines that are laid by one statement. */
const LAID_AT_ONCE = 2_000

const isReportId = Schema.is(ReportId)

/** Lines as they come, in pieces of a size that one statement lays. */
type Pieces<E> = Stream.Stream<ReadonlyArray<StatementLine>, E>

const unreachable = (source: string) =>
  new ProviderUnavailable({
    message: `The provider of ${source} could not be reached, so there is no report. Ask again in a while, or send its file.`,
    details: { retry_after: 5 }
  })

export class Reports extends Context.Service<Reports, {
  readonly get: (
    account: string,
    id: string,
    filter: MismatchFilter,
    mismatches: PageRequest
  ) => Effect.Effect<DetailedReport, NotFound | ValidationError>
  readonly list: (account: string, filter: ReportFilter, page: PageRequest) => Effect.Effect<Page<Report>>
  /** Asks the rail for its statement. The report is complete, or on its way if that takes long. */
  readonly create: (account: string, asked: ReportRequest) => Effect.Effect<Report, ValidationError | ProviderUnavailable>
  /** Reads a provider's file. A line that cannot be read ends it, and nothing is kept. */
  readonly upload: <E>(account: string, asked: ReportRequest, file: StatementUpload<E>) => Effect.Effect<Report, ValidationError | E>
  /** Takes up the reports whose processes died, or gave up. */
  readonly catchUp: Effect.Effect<void>
}>()("@svc/reconciliation/Reports") {
  static readonly layer = Layer.effect(
    Reports,
    Effect.gen(function*() {
      const books = yield* RailBooks
      const committer = yield* Committer
      const mismatches = yield* Mismatches
      const rails = yield* Rails
      const repository = yield* ReportRepository
      const scope = yield* Effect.scope
      const { catchUp, untilCompleted } = yield* makeComparisons
      const inTurn = makeTurns()

      const find = Effect.fnUntraced(function*(account: string, id: string) {
        return (isReportId(id) ? yield* repository.find(account, id) : undefined) ?? (yield* notFound("reconciliation report"))
      })

      /** Lays the lines; nothing stays of a statement that breaks off. Gives how many there were, and of which kinds. */
      const lay = Effect.fnUntraced(function*<E>(account: string, id: ReportId, pieces: Pieces<E>) {
        let line_count = 0
        const kinds = new Set<StatementType>()
        yield* Stream.runForEach(pieces, (lines) => {
          const first = line_count + 1
          line_count += lines.length
          for (const { type } of lines) kinds.add(type)
          return repository.lay(account, id, first, lines)
        }).pipe(Effect.onExit((exit) => exit._tag === "Success" ? Effect.void : repository.discard(account, id)))
        return { line_count, kinds }
      })

      const read = Effect.fn("Reports.read")(
        function*<E>(account: string, asked: ReportRequest, origin: Report["origin"], pieces: Pieces<E>) {
          const startNanos = yield* Clock.monotonicTimeNanos
          yield* repository.sweep(account)
          const id = ReportId.make(yield* nextId("rr"))
          const { kinds, line_count } = yield* inTurn(account, lay(account, id, pieces))
          const covers = origin === "file" ? coveredByFile(kinds) : rails.byName(asked.source)?.statement?.covers ?? []
          const report = begin(asked, { id, account, origin, covers, line_count, at: yield* now })
          yield* Effect.orDie(committer.commit(commitOf(report)))
          // The client may hang up, or the comparison may take too long for an answer: the comparison goes on.
          const comparing = yield* Effect.forkIn(untilCompleted(account, id), scope, { startImmediately: true })
          const spent = Duration.nanos((yield* Clock.monotonicTimeNanos) - startNanos)
          yield* Effect.timeoutOption(Fiber.await(comparing), Duration.max(Duration.zero, Duration.subtract(PATIENCE, spent)))
          return (yield* repository.find(account, id)) ?? report
        }
      )

      const create = Effect.fn("Reports.create")(function*(account: string, asked: ReportRequest) {
        const { statement } = yield* Effect.fromResult(mayAsk(asked, "statement", rails.all))
        const lines = statement === undefined
          ? Stream.empty
          : statement.lines({ merchant: account, from: asked.from, to: asked.to }).pipe(Stream.provideService(RailBooks, books))
        return yield* read(account, asked, "statement", Stream.grouped(lines, LAID_AT_ONCE)).pipe(
          Effect.catchTag("RailUnreachable", () => Effect.fail(unreachable(asked.source)))
        )
      })

      const upload = Effect.fn("Reports.upload")(function*<E>(account: string, asked: ReportRequest, file: StatementUpload<E>) {
        yield* Effect.fromResult(mayAsk(asked, "file", rails.all))
        return yield* read(account, asked, "file", readFile(file))
      })

      return Reports.of({
        get: Effect.fn("Reports.get")(function*(
          account: string,
          id: string,
          filter: MismatchFilter,
          request: PageRequest
        ) {
          const report = yield* find(account, id)
          const { data, ...page } = yield* mismatches.ofReport(account, id, filter, yield* Effect.fromResult(checkPage(request)))
          return { ...report, ...page, mismatches: data }
        }),
        list: Effect.fn("Reports.list")(repository.list),
        create,
        upload,
        catchUp
      })
    })
  )
}
