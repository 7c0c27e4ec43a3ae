/** Exchange rates that the service reads from a file or an address while it runs, and does not use once they are too old. */
import { Download } from "@svc/kernel/egress/service"
import { realNow } from "@svc/kernel/values/time"
import { Data, type DateTime, Effect, FileSystem, Layer, Schedule } from "effect"
import { NoTable, readReferenceRates } from "./ecb.ts"
import { RatesUnavailable } from "./errors.ts"
import type { RateTable } from "./model.ts"
import { Rates } from "./rates.ts"
import type { RatesSettings } from "./settings.ts"

/** The file of `RATES_FILE` cannot be used. */
export class RatesUnreadable extends Data.TaggedError("RatesUnreadable")<{ readonly message: string }> {}

/** The file or the address of the rates. */
export type RatesPlace = NonNullable<RatesSettings["from"]>

/** The bank publishes a new day once a day, so reading each hour is often enough. */
const REFRESH = "1 hour"
/** The largest table that is read. The bank's table of 90 days has 0.2 MB. */
const MOST_BYTES = 4 * 1024 * 1024
const TIMEOUT = "10 seconds"

const DAY = 24 * 3_600_000

/** The number of whole days since the beginning of the table's day. */
const ageOf = ({ date }: RateTable, at: DateTime.Utc): number => Math.floor((at.epochMilliseconds - Date.parse(date)) / DAY)

const none = () =>
  new RatesUnavailable({
    message: "There are no exchange rates yet: those that this installation reads could not be read. Nothing happened; try again later.",
    details: { retry_after: 60 }
  })

const tooOld = ({ date }: RateTable, days: number, most: number) =>
  new RatesUnavailable({
    message:
      `The newest exchange rates are of ${date}, ${days} days ago; at most ${most} days are accepted. Nothing happened; try again once ` +
      "newer ones are there.",
    details: { rate_date: date, retry_after: 3_600 }
  })

/** Reads the file or the address once. The message of its error is for the operator of the service. */
const makeRead = Effect.fnUntraced(function*(from: RatesPlace) {
  const files = yield* FileSystem.FileSystem
  const { get } = yield* Download
  const text = "file" in from
    ? Effect.mapError(
      files.readFileString(from.file),
      ({ message, reason }) => {
        const why = reason._tag === "NotFound" ? "there is no such file" : message
        return new NoTable({
          message: `RATES_FILE is "${from.file}", which cannot be read: ${why}. Correct it, or leave it unset for the built-in rates.`
        })
      }
    )
    : get({ url: from.url, headers: { accept: "application/xml, text/xml" }, timeout: TIMEOUT, maxResponseBytes: MOST_BYTES }).pipe(
      Effect.mapError(({ message }) => new NoTable({ message: `RATES_URL was not answered: ${message}.` })),
      Effect.filterOrFail(
        ({ status }) => status === 200,
        ({ status }) => new NoTable({ message: `RATES_URL answered with status ${status}.` })
      ),
      Effect.map(({ body }) => body)
    )
  return Effect.flatMap(text, readReferenceRates)
})

/**
 * The rates of this file or address, read when the service starts and then each hour. A table that cannot be read, or is older than the
 * present one, changes nothing. A file must exist at the start. An address may be unreachable: exchanges are refused until it answers.
 */
export const layerLoaded = (from: RatesPlace, maxAgeDays: number): Layer.Layer<Rates, RatesUnreadable, Download | FileSystem.FileSystem> =>
  Layer.effect(
    Rates,
    Effect.gen(function*() {
      const read = yield* makeRead(from)
      let held: { readonly table: RateTable; readonly rates: Rates["Service"] } | undefined
      // A table of a future day is a mistake: it would never become too old, and no correct table would replace it. Days begin up to 14
      // hours earlier than in UTC.
      const plausible = Effect.flatMap(read, (table) =>
        Effect.flatMap(realNow, (at) =>
          ageOf(table, at) < -1
            ? Effect.fail(new NoTable({ message: `Its newest day is ${table.date}, which has not come yet.` }))
            : Effect.succeed(table)))
      const refresh = Effect.map(plausible, (table) => {
        if (held === undefined || table.date >= held.table.date) {
          held = { table, rates: Rates.fromTable(table) }
        }
      })
      const attempted = Effect.catch(
        refresh,
        ({ message }) => Effect.logWarning("exchange rates could not be read", { why: message, held: held?.table.date ?? "none" })
      )
      yield* "file" in from
        ? Effect.mapError(refresh, ({ message }) => new RatesUnreadable({ message }))
        : attempted
      yield* Effect.forkScoped(Effect.repeat(attempted, Schedule.spaced(REFRESH)).pipe(Effect.delay(REFRESH)))
      return {
        between: Effect.fnUntraced(function*(source, target) {
          if (held === undefined) return yield* none()
          // The age of rates is measured in the world's time, even if the account has a clock of its own.
          const days = ageOf(held.table, yield* realNow)
          if (days > maxAgeDays) return yield* tooOld(held.table, days, maxAgeDays)
          return yield* held.rates.between(source, target)
        })
      }
    })
  )
