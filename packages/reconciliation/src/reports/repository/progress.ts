/**
 * How far reports under way have come, in Postgres, and which process is at work on them. Leases are of the world's time: a process works,
 * whatever clock the account has.
 */
import { withActor } from "@svc/kernel/parts/actor"
import { leaseSeconds } from "@svc/kernel/values/leases"
import { iso, realNow } from "@svc/kernel/values/time"
import { Context, Data, DateTime, type Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { noFindings, type TallyState, type Unknown } from "../model.ts"
import { BEGINNING, type DayPlace, FIRST_DAY, type ReferencePlace } from "./laid.ts"

/** How long a process owns the report that it compares. Each piece renews it. */
const LEASE_SECONDS = leaseSeconds(60)

/** The steps of a comparison, in their order. */
export const phases = ["ledger", "named", "corrections", "reference", "again", "amount", "unstated", "done"] as const
export type ComparisonPhase = typeof phases[number]

/** The last rows that are compared, in the order of each phase. */
export interface ComparisonPosition {
  readonly reference: ReferencePlace
  /** How many lines of the reference say again what was said, where it has more lines than one piece; else null. */
  readonly repeated: number | null
  readonly lines: DayPlace
  readonly items: DayPlace
  readonly unknown: Unknown | null
}

const NOTHING: ComparisonPosition = { reference: BEGINNING, repeated: null, lines: FIRST_DAY, items: FIRST_DAY, unknown: null }

/** How far a comparison has come. */
export interface ComparisonProgress {
  readonly phase: ComparisonPhase
  /** The last event of the ledger that is laid. */
  readonly event_id: string
  readonly reached: ComparisonPosition
  readonly tally: TallyState
}

/** The right to compare a report, until its lease is over. */
export interface ComparisonLease {
  readonly account: string
  readonly report: string
  readonly token: string
  readonly progress: ComparisonProgress
  /** How often the comparison has failed. */
  readonly failures: number
}

/** Another worker has the report by now. */
export class ComparisonLeaseLost extends Data.TaggedError("ComparisonLeaseLost") {}

interface Row {
  readonly report_id: string
  readonly phase: ComparisonPhase
  readonly event_id: string
  readonly reached: ComparisonPosition | null
  readonly tally: TallyState | null
  readonly failures: number
}

export class ProgressRepository extends Context.Service<ProgressRepository, {
  /** Accounts with a report that is to be compared and that nobody is at work on. */
  readonly waiting: Effect.Effect<ReadonlyArray<string>>
  /**
   * Takes the oldest report of the account; undefined when there is none, or somebody is at work on one: an account has one report compared
   * at a time.
   */
  readonly claim: (account: string) => Effect.Effect<ComparisonLease | undefined>
  /** Writes a piece and how far the comparison has come by it, or neither. */
  readonly advance: (
    turn: ComparisonLease,
    piece: Effect.Effect<ComparisonProgress>
  ) => Effect.Effect<ComparisonProgress, ComparisonLeaseLost>
  /** Lets go of the report, for whoever takes it up next. */
  readonly release: (turn: ComparisonLease) => Effect.Effect<void>
  /** Lets go of a report whose comparison failed, which is taken up again after a while; others of the account go before it. */
  readonly postpone: (turn: ComparisonLease, wait: Duration.Duration) => Effect.Effect<void>
}>()("@svc/reconciliation/ProgressRepository") {
  static readonly layer = Layer.effect(
    ProgressRepository,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const within = withActor(sql)
      const heldBy = ({ account, report, token }: ComparisonLease) =>
        sql`merchant_id = ${account} AND report_id = ${report} AND lease_token = ${token}`
      const leaseEnd = Effect.map(realNow, (at) => iso(DateTime.add(at, { seconds: LEASE_SECONDS })))

      const waiting = Effect.orDie(Effect.gen(function*() {
        const at = iso(yield* realNow)
        const rows = yield* sql<
          { readonly merchant_id: string }
        >`SELECT DISTINCT merchant_id FROM reconciliation_progress p WHERE (due_at IS NULL OR due_at <= ${at}::timestamptz)
        AND NOT EXISTS (SELECT 1 FROM reconciliation_progress o
          WHERE o.merchant_id = p.merchant_id AND o.lease_token IS NOT NULL AND o.due_at > ${at}::timestamptz)`
        return rows.map(({ merchant_id }) => merchant_id)
      }))

      const claim = Effect.fnUntraced(function*(account: string) {
        const [at, until, token] = [iso(yield* realNow), yield* leaseEnd, randomUUID()]
        // The lock is held for one statement, so that two processes do not take two reports of one account.
        const [row] = yield* sql.withTransaction(Effect.andThen(
          sql`SELECT pg_advisory_xact_lock(hashtextextended(${`reconciliation ${account}`}, 0))`,
          sql<Row>`UPDATE reconciliation_progress SET lease_token = ${token}, due_at = ${until}::timestamptz
          WHERE merchant_id = ${account} AND report_id = (SELECT report_id FROM reconciliation_progress
              WHERE merchant_id = ${account} AND (due_at IS NULL OR due_at <= ${at}::timestamptz) ORDER BY report_id LIMIT 1)
            AND NOT EXISTS (SELECT 1 FROM reconciliation_progress
              WHERE merchant_id = ${account} AND lease_token IS NOT NULL AND due_at > ${at}::timestamptz)
          RETURNING report_id, phase, event_id, reached, tally, failures`
        ))
        return row === undefined ? undefined : {
          account,
          report: row.report_id,
          token,
          progress: { phase: row.phase, event_id: row.event_id, reached: row.reached ?? NOTHING, tally: row.tally ?? noFindings },
          failures: row.failures
        }
      }, Effect.orDie)

      const advance = Effect.fnUntraced(function*(turn: ComparisonLease, piece: Effect.Effect<ComparisonProgress>) {
        const until = yield* leaseEnd
        return yield* within(Effect.gen(function*() {
          const next = yield* piece
          const { event_id, phase, reached, tally } = next
          const rows = yield* sql`UPDATE reconciliation_progress SET phase = ${phase}, event_id = ${event_id}, reached = ${
            JSON.stringify(reached)
          }::jsonb, tally = ${JSON.stringify(tally)}::jsonb,
          due_at = ${until}::timestamptz, failures = 0 WHERE ${heldBy(turn)} RETURNING 1`
          return rows.length === 0 ? yield* new ComparisonLeaseLost() : next
        })).pipe(Effect.catchTag("SqlError", Effect.die))
      })

      const release = (turn: ComparisonLease) =>
        Effect.orDie(Effect.asVoid(sql`UPDATE reconciliation_progress SET lease_token = NULL, due_at = NULL WHERE ${heldBy(turn)}`))

      const postpone = Effect.fnUntraced(function*(turn: ComparisonLease, wait: Duration.Duration) {
        const due = iso(DateTime.addDuration(yield* realNow, wait))
        yield* sql`UPDATE reconciliation_progress SET lease_token = NULL, due_at = ${due}::timestamptz, failures = failures + 1 WHERE ${
          heldBy(turn)
        }`
      }, Effect.orDie)

      return ProgressRepository.of({ waiting, claim, advance, release, postpone })
    })
  )
}
