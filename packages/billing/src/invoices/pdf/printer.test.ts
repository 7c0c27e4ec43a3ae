/** Documents as the thread prints them: the thread that asks goes on meanwhile. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Schema, Scope } from "effect"
import { invoiceOf, periodLine } from "./fixture.ts"
import { makePrinter } from "./printer.ts"
import { renderPdf } from "./render.ts"
import { type PrintedView, viewOf } from "./view.ts"

const viewIn = (locale: string, lines = 1): PrintedView => {
  const { labels: _, ...view } = viewOf(
    invoiceOf("EUR", Array.from({ length: lines }, (_, n) => periodLine(2_000, "EUR", `Professional ${n}`))),
    { name: "Acme", color: "#0a5c8f" },
    { name: "Jo Doe", email: "jo@example.com", locale, time_zone: "UTC" }
  )
  return view
}

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
        assert.isTrue(Buffer.from(yield* Effect.promise(() => renderPdf(viewIn(locale)))).equals(printed), locale)
      }
    }).pipe(Effect.scoped), 180_000)

  it.live("leaves this one its time, as long documents as they are", () =>
    Effect.gen(function*() {
      const print = yield* makePrinter
      const view = viewIn("de", 120)
      yield* print("acct_a", view)
      const here = yield* turnsDuring(Effect.promise(() => renderPdf(view)))
      const meanwhile = yield* turnsDuring(Effect.forEach([1, 2, 3, 4], () => print("acct_a", view), { concurrency: "unbounded" }))
      assert.isAbove(meanwhile, 10 * here)
    }).pipe(Effect.scoped), 180_000)

  it.live("takes so many that wait, and says to the next when to come again", () =>
    Effect.gen(function*() {
      const print = yield* makePrinter
      const exits = yield* Effect.forEach(Array.from({ length: 31 }), () => Effect.exit(print("acct_a", viewIn("en"))), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual([exits.filter(Exit.isSuccess).length, exits.filter(Exit.isFailure).length], [30, 1])
      const refused = yield* Effect.forEach(exits.filter(Exit.isFailure), (exit) => Effect.flip(exit))
      assert.deepStrictEqual(refused.map(({ _tag, details }) => [_tag, details]), [["RateLimited", { retry_after: 2 }]])
    }).pipe(Effect.scoped), 180_000)

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
    }), 180_000)
})
