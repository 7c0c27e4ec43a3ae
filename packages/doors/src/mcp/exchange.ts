/**
 * The answer to one POST, while it comes about. It is JSON where that is enough. Once something has to be said before the end, or when the
 * end takes long, it is a stream, where the caller reads one.
 */
import { Deferred, Duration, Effect, type Exit } from "effect"
import type { MethodOutcome } from "./answers.ts"
import type { EventLog } from "./event-log.ts"
import type { Watched } from "./sessions.ts"

/** What the caller takes. */
export type AcceptedAnswer = "json" | "stream" | "either"

export const readsOf = (accept = "*/*"): AcceptedAnswer => {
  const stream = /text\/event-stream/i.test(accept)
  if (!stream) return "json"
  return /application\/(?:json|\*)|\*\/\*/i.test(accept) ? "either" : "stream"
}

interface Options {
  readonly reads: AcceptedAnswer
  readonly open: () => EventLog
  /** The stream goes on after the last answer. */
  readonly shared?: boolean
  /** So many requests are to be answered. */
  readonly requests: number
  /** Unix milliseconds. */
  readonly since: number
  readonly hold: Duration.Duration
}

export class Exchange implements Watched {
  /** Whether it will be JSON or a stream is known. */
  readonly decided = Deferred.makeUnsafe<void>()
  readonly reads: AcceptedAnswer
  /** In the order of the requests. */
  readonly outcomes: Array<MethodOutcome>
  readonly #options: Options
  #log: EventLog | undefined
  #left: number
  #onEnd: (() => void) | undefined

  constructor(options: Options) {
    this.#options = options
    this.reads = options.reads
    this.outcomes = Array.from({ length: options.requests }, () => undefined)
    this.#left = options.requests
  }

  get log(): EventLog | undefined {
    return this.#log
  }

  get isDone(): boolean {
    return this.#left === 0
  }

  /** Is a stream from now on, which begins with what was answered so far. */
  asStream(): EventLog {
    if (this.#log !== undefined) return this.#log
    const log = this.#options.open()
    this.#log = log
    for (const outcome of this.outcomes) if (outcome !== undefined) log.push(JSON.stringify(outcome.body))
    Deferred.doneUnsafe(this.decided, Effect.void)
    return log
  }

  /** Says something before the end. Who reads nothing but the end is not told. */
  say(message: object): void {
    if (this.reads !== "json") this.asStream().push(JSON.stringify(message))
  }

  /** A request has its answer. The last one ends the exchange. */
  settle(place: number, exit: Exit.Exit<MethodOutcome>): void {
    const outcome = exit._tag === "Success" ? exit.value : undefined
    this.outcomes[place] = outcome
    this.#left--
    if (outcome !== undefined && this.#log !== undefined) this.#log.push(JSON.stringify(outcome.body))
    if (this.#left > 0) return
    if (this.#options.shared !== true) this.#log?.end()
    this.#onEnd?.()
    Deferred.doneUnsafe(this.decided, Effect.void)
  }

  /** Called when every request has its answer. */
  onEnd(listener: () => void): void {
    if (this.#left === 0) listener()
    else this.#onEnd = listener
  }

  /** Becomes a stream when it takes long. */
  tick(now: number): void {
    const { hold, since } = this.#options
    if (this.reads === "either" && now - since >= Duration.toMillis(hold)) this.asStream()
  }
}
