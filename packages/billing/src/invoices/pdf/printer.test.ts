/** Documents as the thread prints them: the thread that asks goes on meanwhile. */
import { assert, describe, it } from "@effect/vitest"
import { BeingFetched, type FetchState } from "@svc/platform/fetched/model"
import { FetchedPackages } from "@svc/platform/fetched/service"
import { fetchedFolder, missing } from "@svc/testkit/fetched"
import { Effect, Exit, Layer, Logger, Schema, Scope } from "effect"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { invoiceOf, periodLine } from "./fixture.ts"
import { alphabetFonts } from "./font-groups.ts"
import { makePrinter } from "./printer.ts"
import { leavesOf, readPdf } from "./read-fixture.ts"
import { renderPdf } from "./render.ts"
import { type PrintedView, viewOf } from "./view.ts"

const viewIn = (locale: string, lines = 1, name = "Jo Doe"): PrintedView => {
  const { labels: _, ...view } = viewOf(
    invoiceOf("EUR", Array.from({ length: lines }, (_, n) => periodLine(2_000, "EUR", `Professional ${n}`))),
    { name: "Acme", color: "#0a5c8f" },
    { name, email: "jo@example.com", locale, time_zone: "UTC" }
  )
  return view
}

/** Nothing is fetched, and nothing was. */
const withoutFonts = FetchedPackages.layerOf({ time: "never", folder: join(tmpdir(), "svc-no-fonts") })

const Report = Schema.Struct({ workers: Schema.Array(Schema.Unknown) })

/** Threads of this process besides its own. */
const threads = () => Schema.decodeUnknownSync(Report)(process.report.getReport()).workers.length

/** How often this thread had a turn while the work was done. */
const turnsDuring = Effect.fnUntraced(function*<A>(work: Effect.Effect<A, unknown>) {
  let turns = 0
  const turn = Effect.repeat(Effect.promise(() => new Promise<void>((resolve) => setImmediate(() => (turns++, resolve())))), {
    until: () => false
  })
  yield* Effect.raceFirst(Effect.orDie(work), turn)
  return turns
})

describe("the thread that prints", () => {
  it.live("makes the same bytes as this one, in every language", () =>
    Effect.gen(function*() {
      const print = yield* makePrinter
      for (const locale of ["en", "ja", "ar"]) {
        const printed = yield* print("acct_a", viewIn(locale))
        assert.isTrue(Buffer.from((yield* Effect.promise(() => renderPdf(viewIn(locale)))).bytes).equals(printed), locale)
      }
    }).pipe(Effect.scoped, Effect.provide(withoutFonts)), 180_000)

  it.live("leaves this one its time, as long documents as they are", () =>
    Effect.gen(function*() {
      const print = yield* makePrinter
      const view = viewIn("de", 120)
      yield* print("acct_a", view)
      const here = yield* turnsDuring(Effect.promise(() => renderPdf(view)))
      const meanwhile = yield* turnsDuring(Effect.forEach([1, 2, 3, 4], () => print("acct_a", view), { concurrency: "unbounded" }))
      assert.isAbove(meanwhile, 10 * here)
    }).pipe(Effect.scoped, Effect.provide(withoutFonts)), 180_000)

  it.live("takes so many that wait, and says to the next when to come again", () =>
    Effect.gen(function*() {
      const print = yield* makePrinter
      const exits = yield* Effect.forEach(Array.from({ length: 31 }), () => Effect.exit(print("acct_a", viewIn("en"))), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual([exits.filter(Exit.isSuccess).length, exits.filter(Exit.isFailure).length], [30, 1])
      const refused = yield* Effect.forEach(exits.filter(Exit.isFailure), (exit) => Effect.flip(exit))
      assert.deepStrictEqual(refused.map(({ _tag, details }) => [_tag, details]), [["RateLimited", { retry_after: 2 }]])
    }).pipe(Effect.scoped, Effect.provide(withoutFonts)), 180_000)

  it.live("is another one after a document that cannot be printed, and ends with the service", () =>
    Effect.gen(function*() {
      const scope = yield* Scope.make()
      const print = yield* Scope.provide(makePrinter, scope)
      // No view: the rendering throws.
      const failed = yield* Effect.exit(print("acct_a", { ...viewIn("en"), rows: Object(7) }))
      assert.isTrue(Exit.isFailure(failed))
      assert.isAbove((yield* print("acct_a", viewIn("en"))).length, 1_000)
      assert.strictEqual(threads(), 1)
      yield* Scope.close(scope, Exit.void)
      assert.strictEqual(threads(), 0)
    }).pipe(Effect.provide(withoutFonts)), 180_000)
})

const HEBREW = "משה"

/** The lines of the log, once the documents were printed, and the letters of the customer's name as they lie on paper. */
const printedAs = Effect.fnUntraced(function*(names: ReadonlyArray<string>) {
  const log: Array<string> = []
  const documents = yield* Effect.flatMap(makePrinter, (print) => Effect.forEach(names, (name) => print("acct_a", viewIn("en", 1, name))))
    .pipe(
      Effect.scoped,
      Effect.provide(Logger.layer([Logger.make(({ message }) => void log.push(String(message)))]))
    )
  const drawn = documents.map((bytes) => {
    const leaf = leavesOf(readPdf(bytes).root)[4]
    return (leaf?.glyphs ?? []).toSorted((one, other) => one.x - other.x).map(({ letter }) => letter).join("")
  })
  return { drawn, log }
})

const folder = await fetchedFolder(alphabetFonts)

describe("letters that only fonts of packages have", () => {
  it.live("are left out where nothing is fetched, and the log says which and why, once a document", () =>
    Effect.gen(function*() {
      const { drawn, log } = yield* printedAs([`Jo ${HEBREW} ﬁ 😀`, "Jo"])
      assert.deepStrictEqual(drawn, ["Jo  fi ", "Jo"])
      assert.lengthOf(log, 1)
      const says = /^The PDF of "Invoice ACME-000042" lacks letters that no font here has: U\+05D4, U\+05DE, U\+05E9, U\+FB01, U\+1F600\. /u
      assert.match(log[0] ?? "", says)
      assert.include(log[0], "The operator sets FETCH_PACKAGES to when_needed or at_start.")
    }).pipe(Effect.provide(withoutFonts)), 180_000)

  it.live.skipIf(folder === undefined)("are there when the fonts have come", () =>
    Effect.gen(function*() {
      let looks = 0
      const state = (): FetchState => looks < 3 ? { _tag: "Missing" } : { _tag: "Ready", folder: folder ?? "" }
      const onTheirWay = FetchedPackages.of({
        state: ({ name }) => Effect.sync((): FetchState => name === alphabetFonts.name ? state() : { _tag: "Missing" }),
        folderOf: () => Effect.suspend(() => ++looks < 3 ? Effect.fail(new BeingFetched({ message: "" })) : Effect.succeed(folder ?? "")),
        atStart: () => Effect.void
      })
      const { drawn, log } = yield* Effect.provide(printedAs([HEBREW]), Layer.succeed(FetchedPackages, onTheirWay))
      assert.deepStrictEqual([drawn, log], [[Array.from(HEBREW).toReversed().join("")], []], missing(alphabetFonts))
    }), 180_000)
})
