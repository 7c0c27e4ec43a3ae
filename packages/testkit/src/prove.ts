/**
 * `npm run prove`: the long runs. All tests, each file in a process of its own; then thousands of simulated histories and of paid calls
 * whose reply is lost, hundreds of killed servers, storms on hundreds of idempotency keys, each on a Postgres of its own. Exit code 0 when
 * every invariant held.
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Clock, Console, Data, Effect, Fiber, Layer, Option, References } from "effect"
import { Command, Flag } from "effect/cli"
import { TestClock } from "effect/testing"
import { writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { spending } from "./agents/spending/spending.ts"
import { brokenDiagrams } from "./analysis/diagrams.ts"
import { measureAll, reportOf } from "./analysis/report.ts"
import * as billing from "./billing/billing.ts"
import { crafted } from "./hostile-files/crafted.ts"
import { mutations, ofCrafted, readAll } from "./hostile-files/hostile-files.ts"
import { allPatterns, allTests, loadedTests } from "./isolated.ts"
import { due } from "./kills/due.ts"
import * as inside from "./kills/inside.ts"
import { kills } from "./kills/kills.ts"
import { playAll } from "./lost-replies/lost-replies.ts"
import { layerClone, layerTemplateServer } from "./postgres.ts"
import { connections } from "./real-time.ts"
import * as simulation from "./simulation/simulation.ts"
import { storm } from "./storm/storm.ts"
import { utilities } from "./utilities/utilities.ts"

/** An invariant did not hold. What and where was printed. */
class NotProved extends Data.TaggedError("NotProved")<{ readonly message: string }> {}

/** What a suite came to. */
interface Outcome {
  readonly what: string
  readonly broken: number
}

/** Histories that share a database. A fresh one keeps the queries as fast as in the first. */
const PER_DATABASE = 200
const SHOWN = 20
/** Each of two servers is killed so often while timers fall due. */
const KILLS_WHILE_DUE = 20
/** A history takes less than a second; one that takes this long waits for something that never comes. */
const STANDSTILL = "60 seconds"
const BEGINNING = Date.parse("2026-01-01T00:00:00.000Z")

const show = (problems: ReadonlyArray<string>, again: string) =>
  Console.error(
    [...problems.slice(0, SHOWN), ...(problems.length > SHOWN ? [`and ${problems.length - SHOWN} more`] : []), `  again: ${again}`].join(
      "\n"
    )
  )

/** Prints how far a suite is, some twenty times in all. */
const makeProgress = (what: string, total: number) => {
  const step = Math.max(1, Math.floor(total / 20))
  let told = 0
  return (done: number): void => {
    if (done < told + step) return
    told = done
    process.stdout.write(`${what}: ${done} of ${total}\n`)
  }
}

const playSome = Effect.fnUntraced(
  function*(seeds: ReadonlyArray<string>, played: (problems: ReadonlyArray<string>, seed: string) => void) {
    const totals = { requests: 0, crashes: 0, timers: 0 }
    for (const seed of seeds) {
      // A clock of its own: what a seed does must not depend on those before it.
      const history = Effect.andThen(TestClock.setTime(BEGINNING), simulation.simulate(seed)).pipe(
        Effect.provide(TestClock.layer(), { local: true })
      )
      // Joined and not timed itself: what stands still may not let itself be interrupted.
      const result = yield* Effect.flatMap(Effect.forkDetach(history), Fiber.join).pipe(
        Effect.timeout(STANDSTILL),
        // What a history cannot even finish is broken too.
        Effect.catchCause((cause) => Effect.succeed({ problems: [String(cause)], requests: 0, crashes: 0, timers: 0 }))
      )
      played(result.problems, seed)
      if (result.problems.length > 0) {
        yield* show(result.problems.map((problem) => `${seed}: ${problem}`), `npm run prove -- --seed ${seed}`)
      }
      totals.requests += result.requests
      totals.crashes += result.crashes
      totals.timers += result.timers
    }
    return totals
  },
  (played) =>
    played.pipe(
      Effect.provide(connections.pipe(Layer.provide(layerClone))),
      // The faults are meant; what they lead to is judged by the invariants.
      Effect.provideService(References.MinimumLogLevel, "Fatal")
    )
)

const proveSeeds = Effect.fnUntraced(function*(seeds: ReadonlyArray<string>) {
  const progress = makeProgress("simulated histories", seeds.length)
  const totals = { done: 0, broken: 0, requests: 0, crashes: 0, timers: 0 }
  for (let at = 0; at < seeds.length; at += PER_DATABASE) {
    const { crashes, requests, timers } = yield* playSome(seeds.slice(at, at + PER_DATABASE), (problems) => {
      if (problems.length > 0) totals.broken++
      progress(++totals.done)
    })
    totals.requests += requests
    totals.crashes += crashes
    totals.timers += timers
  }
  const what = `${seeds.length} simulated histories: ${totals.requests} requests, ${totals.crashes} crashes, ${totals.timers} timers`
  return { what, broken: totals.broken }
})

const proveKills = Effect.fnUntraced(function*(count: number, seed: string) {
  const report = yield* kills(seed, count, makeProgress("killed servers", count))
  if (report.problems.length > 0) {
    yield* show(report.problems, `npm run prove -- --tests 0 --seeds 0 --storms 0 --replies 0 --kills ${count} --run ${seed}`)
  }
  const what =
    `${report.kills.length} killed servers: ${report.operations} operations, ${report.lost} answers lost, ${report.events} events, ` +
    `${report.repeated} webhooks repeated, at rest ${(report.drained / 1000).toFixed(0)} s after the last kill`
  return { what, broken: report.problems.length }
}, (proved) => proved.pipe(Effect.provide(inside.layer.pipe(Layer.provideMerge(layerClone)))))

const proveStorms = Effect.fnUntraced(function*(keys: number, seed: string) {
  const report = yield* storm(seed, keys, makeProgress("storms", keys))
  if (report.problems.length > 0) {
    yield* show(report.problems, `npm run prove -- --tests 0 --seeds 0 --kills 0 --replies 0 --storms ${keys} --run ${seed}`)
  }
  const what = `${report.keys} storms: ${report.sent} requests, ${report.lost} answers lost, the longest wait ${
    (report.longest / 1000).toFixed(1)
  } s`
  return { what, broken: report.problems.length }
}, (proved) => proved.pipe(Effect.provide(inside.layer.pipe(Layer.provideMerge(layerClone)))))

const proveReplies = Effect.fnUntraced(function*(count: number, first: number, seed: string) {
  const progress = makeProgress("lost replies", count)
  const totals = { done: 0, broken: 0, crashes: 0 }
  const again = (number: number) =>
    `npm run prove -- --tests 0 --seeds 0 --storms 0 --kills 0 --spending 0 --replies 1 --first ${number} --run ${seed}`
  for (let at = first; at < first + count; at += PER_DATABASE) {
    const some = Array.from(
      { length: Math.min(PER_DATABASE, first + count - at) },
      (_, n) => ({ seed: `${seed}-${at + n}`, number: at + n })
    )
    const history = Effect.andThen(
      TestClock.setTime(BEGINNING),
      playAll(some, ({ crashes }) => {
        totals.crashes += crashes
        progress(++totals.done)
      })
    )
    const { outcomes, problems } = yield* history.pipe(
      Effect.provide(TestClock.layer(), { local: true }),
      Effect.provide(connections.pipe(Layer.provide(layerClone))),
      Effect.provideService(References.MinimumLogLevel, "Fatal")
    )
    const wrong = outcomes.filter((one) => one.problems.length > 0)
    totals.broken += wrong.length + (problems.length > 0 ? 1 : 0)
    yield* Effect.forEach(wrong, ({ plan, problems }) => show(problems.map((problem) => `${plan.seed}: ${problem}`), again(plan.number)), {
      discard: true
    })
    if (problems.length > 0) yield* show(problems, again(at))
  }
  const proved: Outcome = { what: `${count} lost replies: ${totals.crashes} crashes`, broken: totals.broken }
  return proved
}, Effect.orDie)

const proveDue = Effect.fnUntraced(function*(timers: number, run: string) {
  const report = yield* due(run, timers, KILLS_WHILE_DUE)
  if (report.problems.length > 0) {
    yield* show(
      report.problems,
      `npm run prove -- --tests 0 --seeds 0 --storms 0 --kills 0 --replies 0 --spending 0 --billing 0 --due ${timers} --run ${run}`
    )
  }
  const what =
    `${report.timers} timers that fall due over ${report.killed} killed servers, ${report.meanwhile} of them while some had run and others not; all had, ${
      (report.drained / 1000).toFixed(0)
    } s after the last kill`
  return { what, broken: report.problems.length }
}, (proved) => proved.pipe(Effect.provide(inside.layer.pipe(Layer.provideMerge(layerClone)))))

const proveSpending = Effect.fnUntraced(function*(count: number, seed: string) {
  const report = yield* spending({ seed, kills: count, stormed: 2 * count, calls: 4 * count })
  if (report.problems.length > 0) {
    yield* show(report.problems, `npm run prove -- --tests 0 --seeds 0 --storms 0 --kills 0 --replies 0 --spending ${count} --run ${seed}`)
  }
  const what =
    `64 agents spending over ${report.killed} killed servers: ${report.delivered} calls delivered, ${report.refused.length} refused, ${report.lost} answers lost, budgets looked at ${report.samples} times`
  return { what, broken: report.problems.length }
}, (proved) => proved.pipe(Effect.provide(inside.layer.pipe(Layer.provideMerge(layerClone)))))

const proveBilling = Effect.fnUntraced(function*(count: number) {
  const progress = makeProgress("histories of subscriptions", count)
  let [done, broken] = [0, 0]
  // A seed for each database: as many histories as keep its queries fast.
  for (let seed = 1; done < count; seed++) {
    const some = Math.min(PER_DATABASE, count - done)
    const before = done
    const failures = yield* billing.playAll({ seed, count: some, progress: (now) => progress(before + now) }).pipe(
      Effect.provide(connections.pipe(Layer.provide(layerClone))),
      Effect.provideService(References.MinimumLogLevel, "Fatal")
    )
    done += some
    broken += failures.length
    if (failures.length > 0) {
      yield* show(
        failures.map(billing.told),
        `npm run prove -- --tests 0 --seeds 0 --storms 0 --kills 0 --replies 0 --spending 0 --billing ${count}`
      )
    }
  }
  const proved: Outcome = { what: `${count} histories of subscriptions, in twenty years, beside the oracle`, broken }
  return proved
})

const ANALYSIS = fileURLToPath(new URL("../../../docs/evidence/analysis.md", import.meta.url))

/**
 * What tells an analysis from a template, as a table in `docs/evidence`. Nothing is broken by a bar that is missed: the table says so. A
 * diagram that does not compile is.
 */
const proveAnalysis = Effect.gen(function*() {
  const measured = yield* Effect.promise(() => measureAll((line) => process.stdout.write(`${line}\n`)))
  yield* Effect.sync(() => writeFileSync(ANALYSIS, reportOf(measured)))
  const diagrams = yield* Effect.promise(() => brokenDiagrams(measured.map(({ analyzed, name }) => ({ name, ...analyzed }))))
  const judged = diagrams === undefined ? "diagrams not compiled, the registry cannot be reached" : "diagrams compiled"
  for (const line of diagrams ?? []) yield* Effect.sync(() => process.stdout.write(`${line}\n`))
  const what = `analysis of ${measured.length} repositories, ${judged}: ${ANALYSIS}`
  const proved: Outcome = { what, broken: diagrams?.length ?? 0 }
  return proved
})

const proveTests = Effect.map(
  allTests,
  (passed): Outcome => ({ what: "all tests, each file in a process of its own", broken: passed ? 0 : 1 })
)

const provePatterns = Effect.map(
  allPatterns,
  (passed): Outcome => ({ what: "all regular expressions, judged anew", broken: passed ? 0 : 1 })
)

/** Three runs of all tests, each with other numbers: none may need a second try. */
const proveGate = Effect.map(
  Effect.forEach([0, 1, 2], loadedTests),
  (passed): Outcome => ({ what: "all tests three times, with two busy loops beside them", broken: passed.filter((one) => !one).length })
)

const proveFiles = Effect.fnUntraced(function*(count: number, seed: string) {
  const mutated = yield* mutations(seed, 0, count)
  const files = [...crafted.map((file) => () => ofCrafted(file)), ...mutated]
  const problems = yield* readAll(files, makeProgress("hostile files", files.length))
  const again =
    `npm run prove -- --tests 0 --seeds 0 --storms 0 --kills 0 --replies 0 --spending 0 --due 0 --billing 0 --files ${count} --run ${seed}`
  if (problems.length > 0) yield* show(problems, again)
  const proved: Outcome = { what: `${crafted.length} crafted and ${count} mutated files`, broken: problems.length }
  return proved
})

const proveUtilities = Effect.gen(function*() {
  const report = yield* utilities
  if (report.problems.length > 0) yield* show(report.problems, "npm run prove -- --utilities")
  const proved: Outcome = { what: `${report.calls} calls of the utility tools, told in ${report.page}`, broken: report.problems.length }
  return proved
}).pipe(Effect.provide(inside.layer.pipe(Layer.provideMerge(layerClone))))

/** Runs a suite and says in one line what came of it. */
const timed = <E, R>(suite: Effect.Effect<Outcome, E, R>) =>
  Effect.gen(function*() {
    const since = yield* Clock.currentTimeMillis
    const { broken, what } = yield* suite
    const seconds = (((yield* Clock.currentTimeMillis) - since) / 1000).toFixed(0)
    yield* Console.log(`${broken === 0 ? "ok  " : "FAIL"}  ${what}; ${broken} broken; ${seconds} s`)
    return broken
  })

const amount = (name: string, usual: number, what: string) =>
  Flag.Int(name).pipe(Flag.withDefault(usual), Flag.withDescription(`${what}; ${usual} unless given, 0 for none`))

const prove = Command.make(
  "prove",
  {
    tests: amount("tests", 1, "All tests, each file in a process of its own, with every number of the random runs"),
    seeds: amount("seeds", 2_000, "Simulated histories"),
    kills: amount("kills", 200, "Servers to kill"),
    storms: amount("storms", 500, "Idempotency keys to storm"),
    replies: amount("replies", 20_000, "Paid calls whose reply is lost"),
    spending: amount("spending", 40, "Servers to kill while agents spend"),
    due: amount("due", 5_000, "Timers that fall due while two servers are killed"),
    billing: amount("billing", 2_000, "Histories of subscriptions, compared with the oracle in Python"),
    files: amount("files", 10_000, "Documents, pages and archives to mutate, beside two hundred crafted files"),
    first: Flag.Int("first").pipe(
      Flag.withDefault(0),
      Flag.withDescription("The number of the first of these calls, which chooses what befalls it")
    ),
    run: Flag.String("run").pipe(Flag.withDefault("prove"), Flag.withDescription("Names the seeds of this run")),
    seed: Flag.String("seed").pipe(Flag.optional, Flag.withDescription("Play this one simulated history and nothing else")),
    analysis: Flag.Boolean("analysis").pipe(
      Flag.withDefault(false),
      Flag.withDescription("Measure the analysis of repositories, write docs/evidence/analysis.md, and nothing else")
    ),
    gate: Flag.Boolean("gate").pipe(
      Flag.withDefault(false),
      Flag.withDescription("Run all tests three times with two busy loops beside them, and nothing else")
    ),
    utilities: Flag.Boolean("utilities").pipe(
      Flag.withDefault(false),
      Flag.withDescription("Call each utility tool, with Debian's programs and without, write docs/evidence/utilities.md, and nothing else")
    )
  },
  Effect.fnUntraced(
    function*(
      {
        analysis: onlyAnalysis,
        billing: billed,
        due: timers,
        files,
        first,
        gate: onlyGate,
        kills: killed,
        replies,
        run,
        seed,
        seeds,
        spending: spent,
        storms,
        tests,
        utilities: onlyUtilities
      }
    ) {
      const only = [
        ...(onlyGate ? [timed(proveGate)] : []),
        ...(onlyUtilities ? [timed(proveUtilities)] : []),
        ...(onlyAnalysis ? [timed(proveAnalysis)] : [])
      ]
      const suites = only.length > 0 ? only : Option.match(seed, {
        onSome: (one) => [timed(proveSeeds([one]))],
        onNone: () => [
          ...(tests > 0 ? [timed(proveTests), timed(provePatterns)] : []),
          ...(seeds > 0 ? [timed(proveSeeds(Array.from({ length: seeds }, (_, n) => `${run}-${n}`)))] : []),
          ...(storms > 0 ? [timed(proveStorms(storms, run))] : []),
          ...(replies > 0 ? [timed(proveReplies(replies, first, run))] : []),
          ...(killed > 0 ? [timed(proveKills(killed, run))] : []),
          ...(timers > 0 ? [timed(proveDue(timers, run))] : []),
          ...(spent > 0 ? [timed(proveSpending(spent, run))] : []),
          ...(billed > 0 ? [timed(proveBilling(billed))] : []),
          ...(files > 0 ? [timed(proveFiles(files, run))] : [])
        ]
      })
      const broken = yield* Effect.forEach(suites, (suite) => suite)
      if (broken.some((count) => count > 0)) {
        return yield* new NotProved({ message: "Not everything held; the commands above play the failures again." })
      }
    }
  )
).pipe(
  Command.withDescription("Long runs with faults, storms and kills"),
  Command.provide(layerTemplateServer)
)

NodeRuntime.runMain(
  Command.run(prove, { version: "0.1.0" }).pipe(
    Effect.catchTag("NotProved", ({ message }) =>
      Effect.andThen(
        Console.error(message),
        Effect.sync(() => {
          process.exitCode = 1
        })
      )),
    Effect.provide(NodeServices.layer)
  )
)
