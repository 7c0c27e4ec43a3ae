/**
 * The sessions of this process. A session lives in the process that opened it: another one answers 404, upon which clients open a new one,
 * as the protocol says. Whoever runs several processes sends the requests of a session to the same one.
 */
import { Stopping } from "@svc/kernel/http/stopping"
import { realNow } from "@svc/kernel/values/time"
import { keyIn, paysInKeysPlace } from "@svc/metering/access/model"
import { Context, DateTime, Duration, Effect, Layer, Schedule, type Scope } from "effect"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Base64Url from "effect/encoding/Base64Url"
import { hash } from "node:crypto"
import { HeldCharacters } from "./event-log.ts"
import { Limits } from "./limits.ts"
import type { Revision } from "./revisions.ts"
import { Session, type SessionKind } from "./session.ts"

/** 256 bits that nobody guesses. */
const ID_BYTES = 32

type Headers = Readonly<Record<string, string | undefined>>

/**
 * Whose a request is: SHA-256 of its key, or nothing. Undefined where a payment stands in the place of the key, which says of nobody whose
 * it is: then the session's id, which is as secret as a key, has to do.
 */
const ownerOf = (headers: Headers): string | undefined => {
  const key = keyIn(headers)
  if (key !== undefined) return hash("sha256", key)
  return paysInKeysPlace(headers) ? undefined : ""
}

/** What does something as time goes by. `now` is in Unix milliseconds; `stopping` says that the service ends. */
export interface Watched {
  readonly tick: (now: number, stopping: boolean) => void
}

export class Sessions extends Context.Service<Sessions, {
  readonly open: (kind: SessionKind, headers: Headers, revision: Revision) => Effect.Effect<Session | undefined>
  /** The session of this id, if it lives and belongs to the caller. */
  readonly find: (id: string | undefined, headers: Headers) => Effect.Effect<Session | undefined>
  readonly end: (session: Session) => Effect.Effect<void>
  /** Ticks it every second, until the answer is called. */
  readonly watch: (one: Watched) => () => void
  readonly held: HeldCharacters
  readonly limits: (typeof Limits)["Service"]
  /** Calls outlive the request that brought them. */
  readonly scope: Scope.Scope
  readonly count: () => number
}>()("@svc/doors/mcp/Sessions") {}

const make = Effect.gen(function*() {
  const random = yield* SecureRandom.SecureRandom
  const limits = yield* Limits
  const stopping = yield* Stopping
  const scope = yield* Effect.scope
  const held = new HeldCharacters(limits)
  // In the order of their latest request.
  const all = new Map<string, Session>()
  const watched = new Set<Watched>()
  const millis = Effect.map(realNow, DateTime.toEpochMillis)

  const end = (session: Session) =>
    Effect.suspend(() => {
      all.delete(session.id)
      return session.end()
    })

  const makeRoom = Effect.suspend(() => {
    if (all.size < limits.sessions) return Effect.succeed(true)
    let idle: Session | undefined
    for (const session of all.values()) {
      if (session.isBusy) continue
      idle = session
      break
    }
    return idle === undefined ? Effect.succeed(false) : Effect.as(end(idle), true)
  })

  const open = Effect.fnUntraced(function*(kind: SessionKind, headers: Headers, revision: Revision) {
    if (!(yield* makeRoom)) return undefined
    const id = Base64Url.encode(yield* Effect.orDie(random.randomBytes(ID_BYTES)))
    const session = new Session({ id, owner: ownerOf(headers) ?? "", kind, revision, seen: yield* millis, held, limits })
    all.set(id, session)
    return session
  })

  const find = Effect.fnUntraced(function*(id: string | undefined, headers: Headers) {
    const session = id === undefined ? undefined : all.get(id)
    if (session === undefined || !session.admits(ownerOf(headers))) return undefined
    session.seen = yield* millis
    all.delete(session.id)
    all.set(session.id, session)
    return session
  })

  const watch = (one: Watched) => {
    watched.add(one)
    return () => void watched.delete(one)
  }

  const look = Effect.gen(function*() {
    const now = yield* millis
    for (const one of watched) one.tick(now, stopping())
    for (const session of all.values()) session.recentAnswers.expire(now)
    const idle = now - Duration.toMillis(limits.idle)
    const expired = [...all.values()].filter((session) => session.seen < idle && !session.isBusy)
    yield* Effect.forEach(expired, end, { discard: true })
  })
  yield* Effect.forkScoped(Effect.repeat(look, Schedule.spaced("1 second")))

  return Sessions.of({ open, find, end, watch, held, limits, scope, count: () => all.size })
})

export const layer = Layer.effect(Sessions, make)
