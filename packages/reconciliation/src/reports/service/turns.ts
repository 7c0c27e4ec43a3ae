/** Reports are compared one after another in an account, whichever process has them, and taken up where they stood when a process dies. */
import { accountTime } from "@svc/kernel/clocks/account-time"
import { makeTurns } from "@svc/kernel/http/uploads"
import { Committer } from "@svc/kernel/road/committer"
import { waitAfter } from "@svc/kernel/timers/timers"
import { now } from "@svc/kernel/values/time"
import { Cause, Effect, Exit, Semaphore } from "effect"
import { Mismatches } from "../../mismatches/service.ts"
import { ComparisonRepository } from "../repository/comparison.ts"
import { type ComparisonLease, ComparisonLeaseLost, ProgressRepository } from "../repository/progress.ts"
import { ReportRepository } from "../repository/reports.ts"
import { commitOf } from "../road.ts"
import { complete, FindingTally } from "../rules/report.ts"
import { nextPiece } from "./comparing.ts"

/** Statements that this process compares at one time. Each holds a connection while a piece is written. */
const AT_ONCE = 2

/** How soon a process looks again whether another one has made way. */
const LOOK_AGAIN = "250 millis"

export const makeComparisons = Effect.gen(function*() {
  const committer = yield* Committer
  const progress = yield* ProgressRepository
  const reports = yield* ReportRepository
  const books = { repository: yield* ComparisonRepository, reverse: (yield* Mismatches).reverse }
  const { inTimeOf } = yield* accountTime
  const places = yield* Semaphore.make(AT_ONCE)
  const inTurn = makeTurns()

  /** Compares a report from where it stands to its end. */
  const compare = Effect.fnUntraced(function*(turn: ComparisonLease) {
    const report = yield* reports.find(turn.account, turn.report)
    if (report === undefined || report.status === "completed") return
    let reached = turn.progress
    while (reached.phase !== "done") {
      reached = yield* progress.advance(turn, yield* nextPiece(books, report, reached))
      // Others have their turn between two pieces.
      yield* Effect.yieldNow
    }
    yield* committer.commit(commitOf(complete(report, new FindingTally(reached.tally).outcome(), yield* now)))
    yield* reports.discard(turn.account, turn.report)
  })

  const letGo = (turn: ComparisonLease, exit: Exit.Exit<void, unknown>) => {
    if (Exit.isSuccess(exit) || Cause.squash(exit.cause) instanceof ComparisonLeaseLost) return Effect.void
    if (Cause.hasInterruptsOnly(exit.cause)) return progress.release(turn)
    const complain = Effect.logError("a reconciliation report was not completed; it is taken up again where it stands", exit.cause)
    return Effect.andThen(
      Effect.annotateLogs(complain, { account_id: turn.account, resource_id: turn.report }),
      Effect.flatMap(waitAfter(turn.failures + 1), (wait) => progress.postpone(turn, wait))
    )
  }

  /** Compares the oldest report of the account that nobody is at work on. False when there is none, or it is not this process's turn. */
  const next = Effect.fnUntraced(function*(account: string) {
    const turn = yield* progress.claim(account)
    if (turn === undefined) return false
    yield* Effect.ignoreCause(Effect.onExit(compare(turn), (exit) => Effect.ignoreCause(letGo(turn, exit))))
    return true
  })

  const nextInTurn = (account: string) => places.withPermits(1)(inTimeOf(account)(next(account)))

  return {
    /** Compares the reports of the account in their order until this one is complete. */
    untilCompleted: (account: string, id: string): Effect.Effect<void> =>
      inTurn(
        account,
        Effect.gen(function*() {
          while ((yield* reports.find(account, id))?.status === "processing") {
            if (!(yield* nextInTurn(account))) yield* Effect.sleep(LOOK_AGAIN)
          }
        })
      ),

    /** Compares what other processes left behind. */
    catchUp: Effect.flatMap(
      progress.waiting,
      (accounts) => Effect.forEach(accounts, (account) => inTurn(account, nextInTurn(account)), { concurrency: AT_ONCE, discard: true })
    )
  }
})
