/**
 * What parts above refuse or add when a part below changes, in the same commit, without the part below
 * knowing them. The part below names a moment and notes it in its commits; a part above follows it.
 *
 *     // below, in its model: what followers are told, and what they may refuse with
 *     export const refunding = moment<Refunding, InvalidState>("payment_intent.refunding")
 *     // below, where it builds the commit
 *     moments: [refunding.of({ intent, amount })]
 *     // above, in its resource
 *     followUps: Effect.map(DisputeRepository, (disputes) => [refunding.follow(({ intent }) => …)])
 *
 * A follower decides on what it reads now. What it only read may have changed when the commit is written:
 * where that matters, it writes the row it read, or the change it fears writes a row of this commit, so
 * that one of the two loses the race.
 */
import { Context, Effect, Layer } from "effect"
import { type Contributions, contributions } from "../parts/contributions.ts"
import type { Addition, Commit, CommitMoment, Follower, FollowUp } from "./decision.ts"

/** Something that parts above may follow: they are told `Of`, and may refuse with `R`. */
export interface Moment<in out Of, in out R> {
  /** Notes in a commit that it happens. */
  readonly of: (what: Of) => CommitMoment<R>
  /** Follows it. Followers are asked in the order in which they were contributed; the first refusal is the answer. */
  readonly follow: (follower: Follower<Of, R>) => FollowUp<Of, R>
}

const none: ReadonlyArray<never> = []

/** A moment, named by the resource and what happens to it. */
export const moment = <Of, R = never>(name: string): Moment<Of, R> => {
  const key = Symbol(name)
  // The symbol is private to this moment, so only `follow` below makes a value that bears it.
  const isOwn = (followUp: FollowUp): followUp is FollowUp<Of, R> => followUp.moment === key
  return {
    of: (what) => ({
      moment: key,
      ask: (followUps, commit) => Effect.forEach(followUps.filter(isOwn), ({ follower }) => follower(what, commit))
    }),
    follow: (follower) => ({ moment: key, follower })
  }
}

/** What follows the commits of this process. */
export class FollowUps extends Context.Service<FollowUps, Contributions<FollowUp>>()("@svc/kernel/FollowUps") {
  static readonly layer = Layer.sync(FollowUps, () => contributions<FollowUp>())
}

/** Additions of additions of additions …: more is a circle. */
const DEEPEST = 8

const concat = <A>(own: ReadonlyArray<A> | undefined, more: ReadonlyArray<A> | undefined): ReadonlyArray<A> =>
  more === undefined ? own ?? none : [...own ?? none, ...more]

const plus = <R>(
  commit: Commit<R>,
  { clear, counters, entries, events, moments: _, numbered, requires, set, writes }: Addition<R>
): Commit<R> => ({
  ...commit,
  writes: concat(commit.writes, writes),
  entries: concat(commit.entries, entries),
  events: concat(commit.events, events),
  set: concat(commit.set, set),
  clear: concat(commit.clear, clear),
  requires: concat(commit.requires, requires),
  counters: concat(commit.counters, counters),
  ...(numbered === undefined ? {} : { numbered: concat(commit.numbered, numbered) })
})

/** The commit with what its followers add, and theirs; or the first refusal. */
export const followed = Effect.fnUntraced(
  function*<R>(commit: Commit<R>, followUps: ReadonlyArray<FollowUp>): Effect.fn.Return<Commit<R>, R> {
    let whole = commit
    let moments = commit.moments ?? none
    for (let depth = 0; moments.length > 0; depth++) {
      if (depth === DEEPEST) {
        return yield* Effect.die(
          new Error(`the followers of ${moments.map(({ moment }) => moment.description).join(", ")} follow one another in a circle`)
        )
      }
      const additions = (yield* Effect.forEach(moments, (happened) => happened.ask(followUps, commit))).flat()
      whole = additions.reduce(plus, whole)
      moments = additions.flatMap((addition) => addition.moments ?? none)
    }
    return whole
  }
)
