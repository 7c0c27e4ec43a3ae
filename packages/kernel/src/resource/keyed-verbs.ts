/**
 * Keyed verbs: how a request with an idempotency key makes or changes a resource, of whatever kind. A resource says once how
 * it is loaded; then each verb is one function, from the work to the answer of the request. See docs/decisions/0020.
 */
import { Effect, Predicate, Result } from "effect"
import type { DateTime } from "effect"
import type { Reply } from "../http/reply.ts"
import { span } from "../parts/span.ts"
import type { CommitRefused } from "../road/committer.ts"
import type { KeyWrite, StoredReply } from "../road/decision.ts"
import { now } from "../values/time.ts"
import type { IdempotencyInProgress, IdempotencyKeyReused, NotFound, VersionConflict } from "./errors.ts"
import { hasCalled, once } from "./idempotency.ts"
import type { Idempotency, Keyed } from "./idempotency.ts"
import { atVersion, isLostRace } from "./versions.ts"

/** What a request asks for: who asks, and under which key. */
export interface Command<Account, Payload = unknown> {
  readonly account: Account
  readonly keyed: Keyed
  readonly payload: Payload
}

/** What a request asks of a resource that is there. */
export interface CommandOn<Account, Payload = unknown> extends Command<Account, Payload> {
  readonly id: string
  /** The version that the caller decided on, when it says so. */
  readonly version?: number | undefined
}

/** The one value that a verb works with. Whoever announces a call goes on with the work as it then is. */
export interface Work<Account, Resource, Payload = unknown> extends Command<Account, Payload> {
  /** When it is decided. */
  readonly at: DateTime.Utc
  /** What it is about; nothing yet for a verb that makes it. */
  readonly resource: Resource
  /**
   * Whether the key is written already, because a call to the outside was announced under it: by an earlier request that stopped
   * half way and is resumed now, or by this one.
   */
  readonly announced: boolean
}

/** Whether the key of the work is to be written, or is there already. */
export const modeOf = ({ announced }: Pick<Work<unknown, unknown>, "announced">): KeyWrite["mode"] => announced ? "finish" : "first"

/** What became of a request that stopped half way: it has its answer, or it goes on from here. */
export type Resumed<Resource> =
  | { readonly _tag: "Answered"; readonly reply: StoredReply }
  | { readonly _tag: "GoesOn"; readonly resource: Resource }

/** How resources of one kind are loaded. */
export interface Loading<Account, Resource, E> {
  /** What people call it, such as `payment intent`. */
  readonly name: string
  readonly get: (account: string, id: string) => Effect.Effect<Resource, NotFound>
  /** The resource as this process last wrote it, if it remembers: see `road/remembered.ts`. */
  readonly recall?: (account: string, id: string) => Resource | undefined
  /** Finds out what became of a request that stopped half way, before its verb is tried again. Left out where no verb announces a call. */
  readonly resume?: (work: Work<Account, Resource>) => Effect.Effect<Resumed<Resource>, E>
  /** Whether its verbs act outside this process: then they are carried out whole, also when the client hangs up. */
  readonly actsOutside?: boolean
}

/** What a keyed verb can fail with besides its own refusals. */
export type KeyedFailure = IdempotencyKeyReused | IdempotencyInProgress | VersionConflict

/** Not about what was asked for: nothing is there, it was asked before, or it is under way. */
const UNDECIDED: ReadonlyArray<unknown> = ["NotFound", "IdempotencyKeyReused", "IdempotencyInProgress", "VersionConflict"]
const isRefusal = (error: unknown): error is object => Predicate.hasProperty(error, "_tag") && !UNDECIDED.includes(error._tag)

type Own<E> = Exclude<E, CommitRefused>

/** Makes the wrappers of the verbs of one kind of resource. Generator functions are made once: docs/decisions/0014. */
export const keyedVerbs = <Account extends { readonly id: string }, Resource extends { readonly version: number }, E>(
  idempotency: Idempotency["Service"],
  {
    actsOutside = false,
    get,
    name,
    recall = () => undefined,
    resume = ({ resource }) => Effect.succeed({ _tag: "GoesOn", resource })
  }: Loading<Account, Resource, E>
) => {
  type Verb<On, Payload, Refused> = (work: Work<Account, On, Payload>) => Effect.Effect<StoredReply, Refused>

  const carriedOut = actsOutside ? idempotency.toTheEnd : <A, F>(request: Effect.Effect<A, F>) => request

  /** The verb on the version that the caller decided on. */
  const act = <P, F>(
    command: CommandOn<Account, P>,
    work: Work<Account, Resource, P>,
    verb: Verb<Resource, P, F>
  ): Effect.Effect<StoredReply, F | VersionConflict> =>
    command.version === undefined
      ? verb(work)
      : Effect.flatMap(Effect.fromResult(atVersion(name, work.resource, command.version)), () => verb(work))

  const actFirst = Effect.fnUntraced(function*<P, F>(command: CommandOn<Account, P>, verb: Verb<Resource, P, F>) {
    const at = yield* now
    const known = recall(command.account.id, command.id)
    if (known === undefined) return yield* act(command, workOn(command, yield* get(command.account.id, command.id), at), verb)
    const result = yield* Effect.result(act(command, workOn(command, known, at), verb))
    if (Result.isSuccess(result)) return result.success
    const { failure } = result
    if (isLostRace(failure) || hasCalled(failure)) return yield* Effect.fail(failure)
    // What was remembered may be old: nobody is refused for that.
    const resource = yield* get(command.account.id, command.id)
    if (resource.version === known.version) return yield* Effect.fail(failure)
    return yield* act(command, workOn(command, resource, at), verb)
  })

  const actAgain = Effect.fnUntraced(function*<P, F>(command: Command<Account, P>, resource: Resource, verb: Verb<Resource, P, F>) {
    const work = { ...workOn(command, resource, yield* now), announced: true }
    const resumed = yield* resume(work)
    // It is past the question which version it was decided on: what it announced has made another.
    return resumed._tag === "Answered" ? resumed.reply : yield* verb({ ...work, resource: resumed.resource })
  })

  /** A refusal moves no money and changes nothing, but that it was asked for and refused is part of the account's history. */
  const noted = <A, F>({ account, keyed }: Command<Account>, request: Effect.Effect<A, F>): Effect.Effect<A, F> =>
    Effect.tapError(request, (error) => isRefusal(error) ? idempotency.refused(account.id, keyed, error) : Effect.void)

  return {
    /** A verb that makes a resource. */
    making:
      <P, F>(spanName: string, verb: Verb<undefined, P, F>) =>
      (command: Command<Account, P>): Effect.Effect<Reply, Own<F> | KeyedFailure> =>
        noted(
          command,
          once(idempotency, command.account.id, command.keyed, (begun) =>
            Effect.flatMap(now, (at) =>
              verb({ ...workOn(command, undefined, at), announced: begun._tag === "Resume" })))
        ).pipe(span(spanName)),
    /**
     * A verb that makes a resource and acts on it in the same request. When the request stopped half way, what became of it is found out
     * first, and `next` goes on with the resource that the request made.
     */
    makingAndActing:
      <P, F, G>(spanName: string, verb: Verb<undefined, P, F>, next: Verb<Resource, P, G>) =>
      (command: Command<Account, P>): Effect.Effect<Reply, Own<E> | Own<F> | Own<G> | KeyedFailure> =>
        carriedOut(
          noted(
            command,
            once(idempotency, command.account.id, command.keyed, (begun): Effect.Effect<StoredReply, E | F | G> =>
              begun._tag === "Resume"
                // The key names what its own commit made, which nobody removes.
                ? Effect.flatMap(Effect.orDie(get(command.account.id, begun.resource_id)), (resource) => actAgain(command, resource, next))
                : Effect.flatMap(now, (at) => verb(workOn(command, undefined, at))))
          )
        ).pipe(span(spanName)),
    /**
     * A verb on a resource. When the request stopped half way, what became of it is found out first. A verb that is refused on
     * what this process remembers is tried again on what the database has, if that is something else.
     */
    on:
      <P, F>(spanName: string, verb: Verb<Resource, P, F>) =>
      (command: CommandOn<Account, P>): Effect.Effect<Reply, Own<E> | Own<F> | NotFound | KeyedFailure> =>
        carriedOut(
          noted(
            command,
            once(idempotency, command.account.id, command.keyed, (begun): Effect.Effect<StoredReply, E | F | NotFound | VersionConflict> =>
              begun._tag === "Resume"
                ? Effect.flatMap(get(command.account.id, command.id), (resource) =>
                  actAgain(command, resource, verb))
                : actFirst(command, verb))
          )
        ).pipe(span(spanName))
  }
}

const workOn = <Account, Resource, Payload>(
  command: Command<Account, Payload>,
  resource: Resource,
  at: DateTime.Utc
): Work<Account, Resource, Payload> => ({
  account: command.account,
  keyed: command.keyed,
  payload: command.payload,
  at,
  resource,
  announced: false
})
