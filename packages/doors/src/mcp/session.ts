/** One client's conversation: what it said of itself, its streams, and its calls that are under way. */
import { Deferred, Effect, type Fiber } from "effect"
import type { MethodOutcome } from "./answers.ts"
import { EventLog, type HeldCharacters } from "./event-log.ts"
import { errors, type Id, type Params, type Response, type RpcError } from "./json-rpc.ts"
import type { Limits } from "./limits.ts"
import { type LogLevel, logLevels } from "./peer.ts"
import { RecentAnswers } from "./recent-answers.ts"
import type { Revision } from "./revisions.ts"

/** The stream that belongs to no request. */
export const STANDALONE = 0

/** `messages`: the transport of 2024-11-05, whose one stream carries every answer, and whose end is the end of the session. */
export type SessionKind = "streamable" | "messages"

const keyOf = (id: Id): string => JSON.stringify(id)

interface Opening {
  readonly id: string
  readonly owner: string
  readonly kind: SessionKind
  readonly revision: Revision
  readonly seen: number
  readonly held: HeldCharacters
  readonly limits: (typeof Limits)["Service"]
}

interface Run {
  readonly fiber: Fiber.Fiber<MethodOutcome>
  /** Which call it is, where it may be charged. */
  readonly identity: string | undefined
}

export class Session {
  readonly id: string
  /** SHA-256 of the key that it belongs to; empty as long as no key was shown. */
  #owner: string
  readonly kind: SessionKind
  revision: Revision
  /** What the client can do, as it says itself. */
  capabilities: Readonly<Record<string, unknown>> = {}
  /** Unix milliseconds of its latest request. */
  seen: number
  ended = false
  readonly recentAnswers: RecentAnswers
  readonly #held: HeldCharacters
  readonly #limits: Opening["limits"]
  readonly #logs = new Map<number, EventLog>()
  readonly #runs = new Map<string, Run>()
  readonly #asked = new Map<string, Deferred.Deferred<unknown, RpcError>>()
  #level = logLevels.indexOf("info")
  #streams = STANDALONE
  #questions = 0

  constructor(options: Opening) {
    this.id = options.id
    this.#owner = options.owner
    this.kind = options.kind
    this.revision = options.revision
    this.seen = options.seen
    this.#held = options.held
    this.#limits = options.limits
    this.recentAnswers = new RecentAnswers(options.held, options.limits)
  }

  /**
   * Whether a request of this owner belongs to it. A session that was opened without a key takes the first key that comes with its id,
   * which is as secret as a key: stock clients of 2024-11-05 send their key with POST alone. No second key is taken. Undefined is a payment
   * in the place of the key.
   */
  admits(owner: string | undefined): boolean {
    if (this.#owner === "" && owner !== undefined) this.#owner = owner
    return owner === undefined || owner === this.#owner
  }

  /** Whether somebody reads a stream of it, or waits for a call. */
  get isBusy(): boolean {
    return this.#runs.size > 0 || [...this.#logs.values()].some(({ hasReader }) => hasReader)
  }

  get running(): number {
    return this.#runs.size
  }

  setLevel(level: LogLevel): void {
    this.#level = logLevels.indexOf(level)
  }

  tells(level: LogLevel): boolean {
    return logLevels.indexOf(level) >= this.#level
  }

  get standalone(): EventLog {
    return this.#logs.get(STANDALONE) ?? this.#open(STANDALONE)
  }

  /** A stream for the answers to one POST. */
  openLog(): EventLog {
    const over = this.#logs.size - this.#limits.streams
    const done = over < 0 ? [] : [...this.#logs.values()].filter(({ ended, hasReader }) => ended && !hasReader)
    for (const log of done.slice(0, over + 1)) this.#drop(log)
    return this.#open(++this.#streams)
  }

  /** The stream of an event's id, and the event's number in it. */
  find(eventId: string): { readonly log: EventLog; readonly after: number } | undefined {
    const [, stream, at] = /^(\d{1,9})\.(\d{1,15})$/.exec(eventId) ?? []
    const log = this.#logs.get(Number(stream))
    return log === undefined ? undefined : { log, after: Number(at) }
  }

  /** A call begins; it can be cancelled by the id of its request. */
  begin(id: Id, run: Run): void {
    const key = keyOf(id)
    this.#runs.set(key, run)
    run.fiber.addObserver(() => {
      if (this.#runs.get(key) === run) this.#runs.delete(key)
    })
  }

  /** The run of this very call, while it is under way. */
  runOf(id: Id, identity: string): Run["fiber"] | undefined {
    const run = this.#runs.get(keyOf(id))
    return run?.identity === identity ? run.fiber : undefined
  }

  /** Ends the call without an answer, if it is still under way. Does not wait for its end. */
  cancel(id: Id): void {
    this.#runs.get(keyOf(id))?.fiber.interruptUnsafe()
  }

  cancelAll(): void {
    for (const { fiber } of this.#runs.values()) fiber.interruptUnsafe()
  }

  /** Asks the client something, through `send`, and waits for what it says. */
  ask(method: string, params: Params, send: (id: string, method: string, params: Params) => void): Effect.Effect<unknown, RpcError> {
    return Effect.suspend(() => {
      const id = `ask_${++this.#questions}`
      const answer = Deferred.makeUnsafe<unknown, RpcError>()
      this.#asked.set(id, answer)
      send(id, method, params)
      return Effect.ensuring(Deferred.await(answer), Effect.sync(() => this.#asked.delete(id)))
    })
  }

  /** The client answers something that it was asked. Who was not asked is not heard. */
  answered({ error, id, result }: Response): void {
    const question = this.#asked.get(String(id))
    if (question !== undefined) Deferred.doneUnsafe(question, error === undefined ? Effect.succeed(result) : Effect.fail(error))
  }

  /** What it holds is let go. Calls that are under way go on: what was paid for is finished. */
  end(): Effect.Effect<void> {
    return Effect.sync(() => {
      this.ended = true
      for (const question of this.#asked.values()) Deferred.doneUnsafe(question, Effect.fail(errors.invalid("the session has ended")))
      for (const log of this.#logs.values()) this.#drop(log)
      this.recentAnswers.forget()
    })
  }

  #open(number: number): EventLog {
    const log = new EventLog(number, this.#held, this.kind === "streamable")
    this.#logs.set(number, log)
    return log
  }

  #drop(log: EventLog): void {
    log.end()
    log.forget()
    this.#logs.delete(log.number)
  }
}
