/** `svc reconcile`: a rail's statement, or a provider's file, beside the ledger. */
import type { Client } from "@svc/client/client"
import { iso } from "@svc/kernel/values/time"
import type { Mismatch, Side } from "@svc/reconciliation/mismatches/model"
import { Clock, DateTime, Effect, FileSystem, Option, Schedule } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { clockOf } from "../clocks.ts"
import { apiFlags, connect } from "../connection.ts"
import { CalledWrongly, CommandFailed } from "../failure.ts"
import { momentIn, spanIn } from "../moments.ts"
import { print } from "../output.ts"

/** Mismatches that are shown; the API has all of them. */
const SHOWN = 100

/** Where the account stands in time. A key that may not read the clock is answered by the world's time. */
const presentOf = Effect.fnUntraced(function*(client: Client) {
  const clock = yield* Effect.orElseSucceed(clockOf(client), () => undefined)
  return clock?.now ?? DateTime.makeUnsafe(yield* Clock.currentTimeMillis)
})

/** A moment, or how long ago. */
const momentOf = (flag: string, text: string, present: DateTime.Utc): Effect.Effect<DateTime.Utc, CalledWrongly> => {
  const span = spanIn(text)
  const moment = span === undefined ? momentIn(text) : DateTime.subtract(present, { seconds: span })
  return moment === undefined
    ? Effect.fail(
      new CalledWrongly({
        message: `--${flag}: "${text}" is no moment. Give one such as 2026-11-21T08:00:00Z, or how long ago, such as 24h or 7d.`
      })
    )
    : Effect.succeed(moment)
}

const sideOf = (side: Side | null): string => side === null ? "nothing" : `${side.amount} ${side.currency} at ${iso(side.occurred_at)}`

const lineOf = (
  { actual, expected, id, line_type, provider_reference, status, type }: Pick<
    Mismatch,
    "actual" | "expected" | "id" | "line_type" | "provider_reference" | "status" | "type"
  >
): string =>
  `${id}  ${type}  ${line_type} ${provider_reference ?? "without a reference"}: the ledger has ${sideOf(expected)}, the provider ${
    sideOf(actual)
  }  ${status}`

export const reconcile = Command.make(
  "reconcile",
  {
    source: Argument.String("rail").pipe(Argument.withDescription("The rail, for example card_a")),
    from: Flag.String("from").pipe(
      Flag.withDescription("Where the period begins: a moment (ISO 8601) or how long ago (24h, 7d); 1d unless given"),
      Flag.withDefault("1d")
    ),
    to: Flag.String("to").pipe(Flag.withDescription("Where it ends: a moment, or how long ago; now unless given"), Flag.optional),
    file: Flag.String("file").pipe(Flag.withDescription("The provider's file, CSV, instead of the rail's own statement"), Flag.optional),
    ...apiFlags
  },
  Effect.fnUntraced(function*({ file, from, source, to, ...flags }) {
    const { client, explain } = yield* connect(flags)
    const present = yield* presentOf(client)
    const asked = {
      source,
      from: yield* momentOf("from", from, present),
      to: Option.isSome(to) ? yield* momentOf("to", to.value, present) : DateTime.add(present, { seconds: 1 })
    }
    const fs = yield* FileSystem.FileSystem
    if (Option.isSome(file)) {
      yield* fs.access(file.value).pipe(Effect.mapError(() =>
        new CommandFailed({
          message: `${file.value} cannot be read. Give the path of a CSV file; docs/reconciliation.md says what stands in it.`
        })
      ))
    }
    const request = Option.isSome(file) ? { query: asked, payload: fs.stream(file.value) } : { query: {}, payload: asked }
    const { id } = yield* client.reconciliation_reports.create(request).pipe(Effect.mapError(explain))
    const report = yield* client.reconciliation_reports.get({ params: { id }, query: { per_page: SHOWN } }).pipe(
      Effect.repeat({ until: ({ status }) => status === "completed", schedule: Schedule.spaced("1 second") }),
      Effect.mapError(explain)
    )
    const { matched, mismatched, unreconciled } = report.counts
    yield* print(
      report,
      `${id}  ${report.line_count} lines: ${matched} matched, ${mismatched} mismatched, ${unreconciled} unreconciled`,
      ...report.mismatches.map(lineOf),
      ...(report.has_more ? [`and ${report.total - report.mismatches.length} more: GET /v1/reconciliation/reports/${id}`] : [])
    )
  })
).pipe(
  Command.withDescription("Compare a rail's statement, or a provider's file, with the ledger"),
  Command.withExamples([{ command: "svc reconcile card_a --from 7d", description: "What the last week comes to" }])
)
