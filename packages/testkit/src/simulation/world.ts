/**
 * The service in one process on a real database, with a provider that faults and a process that dies:
 * before and after a provider call, before and after a commit.
 */
import { Committer } from "@svc/kernel/road/committer"
import { RailOutcomeUnknown, RailUnreachable } from "@svc/payments/rails/model"
import type { Rail, RailFollowUp } from "@svc/payments/rails/rail"
import { Rails } from "@svc/payments/rails/rail"
import { Data, DateTime, Effect, Stream } from "effect"
import { processWith } from "../process.ts"
import type { Books } from "../provider-books.ts"
import { replacing } from "../replacing.ts"
import type { Chance } from "./chance.ts"

/** The process died here. Whoever waited gets no answer; what was durable stays. */
export class Crash extends Data.TaggedError("Crash")<{ readonly where: string }> {}

/** How likely each misfortune is; all zero while a history is brought to its end. */
export interface Faults {
  enabled: boolean
}

const UNREACHABLE = 0.06
const LOST_REPLY = 0.06
const CRASH_AT_CALL = 0.04
const CRASH_AT_COMMIT = 0.03

const crash = (where: string) => Effect.die(new Crash({ where }))

/** A provider call that may not arrive, may lose its answer, or may be the last thing this process did. */
const faulty =
  (chance: Chance, faults: Faults, rail: Rail, what: string) => <A>(call: Effect.Effect<A, RailUnreachable | RailOutcomeUnknown>) =>
    Effect.gen(function*() {
      const luck = faults.enabled ? chance.next() : 1
      if (luck < CRASH_AT_CALL) return yield* crash(`before ${what}`)
      if (luck < CRASH_AT_CALL + UNREACHABLE) {
        return yield* new RailUnreachable({ rail: rail.name, message: "simulated: connection refused" })
      }
      const answer = yield* call
      if (luck < CRASH_AT_CALL + UNREACHABLE + LOST_REPLY) {
        return yield* new RailOutcomeUnknown({ rail: rail.name, message: "simulated: no answer" })
      }
      if (luck < 2 * CRASH_AT_CALL + UNREACHABLE + LOST_REPLY) return yield* crash(`after ${what}`)
      return answer
    })

const refusedKey = (what: string) => Effect.die(new Error(`the provider refused the key of ${what}`))

/** A rail on the provider's books. It is not inline: its calls act in another world. */
const railOn = (books: Books, chance: Chance, faults: Faults, rail: Rail): Rail => {
  const followUp = (operation: "capture" | "refund" | "void") => (call: RailFollowUp) =>
    faulty(chance, faults, rail, operation)(Effect.suspend(() => {
      const answer = books.followUp(operation, rail.name, call)
      return typeof answer === "string" ? refusedKey(operation) : Effect.succeed(answer)
    }))
  return {
    ...rail,
    inline: false,
    statement: {
      covers: ["capture", "refund"],
      lines: ({ from, merchant, to }) =>
        Stream.fromIterable(books.statement(rail.name, { merchant, from: from.epochMilliseconds, to: to.epochMilliseconds })).pipe(
          Stream.map(({ at, ...movement }) => ({ ...movement, occurred_at: DateTime.makeUnsafe(at) }))
        )
    },
    authorize: (request) =>
      faulty(chance, faults, rail, "authorize")(Effect.gen(function*() {
        const answer = books.authorize(rail.name, request)
        if (typeof answer === "string") return yield* refusedKey("authorize")
        if (answer._tag === "Silent") return yield* new RailOutcomeUnknown({ rail: rail.name, message: "simulated: silent" })
        if (answer._tag === "Unreachable") return yield* new RailUnreachable({ rail: rail.name, message: "simulated: unreachable" })
        return answer
      })),
    capture: followUp("capture"),
    refund: followUp("refund"),
    void: followUp("void"),
    lookup: (request) => Effect.sync(() => books.lookup(request)),
    lookupFollowUp: (call) => Effect.sync(() => books.lookupFollowUp(call))
  }
}

/** A commit that may be the last thing this process did, written or not. */
const mortal = (chance: Chance, faults: Faults) =>
  replacing(Committer, (committer) => ({
    commit: (commit) =>
      Effect.gen(function*() {
        const luck = faults.enabled ? chance.next() : 1
        if (luck < CRASH_AT_COMMIT) return yield* crash("before a commit")
        yield* committer.commit(commit)
        if (luck < 2 * CRASH_AT_COMMIT) return yield* crash("after a commit")
      })
  }))

/** One process: everything but the database and the provider, which outlive it. */
export const process = (books: Books, chance: Chance, faults: Faults) =>
  processWith().pipe(
    replacing(Rails, ({ all }) => Rails.these(all.map((rail) => railOn(books, chance, faults, rail)))),
    mortal(chance, faults)
  )
