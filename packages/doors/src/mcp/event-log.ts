/** The events of one stream: sent to whoever reads it, and kept for a while, for whoever comes back after a broken connection. */
import { Cause, Effect, Latch, Queue, Stream } from "effect"
import { encoder as sse } from "effect/encoding/Sse"
import type { Limits } from "./limits.ts"

type Bounds = Pick<(typeof Limits)["Service"], "room" | "unread" | "allUnread" | "replay" | "allReplay">

/** What all streams together hold, in characters. */
export class HeldCharacters {
  readonly bounds: Bounds
  unread = 0
  replay = 0
  /** Answers of charged calls, in characters. */
  answers = 0
  constructor(bounds: Bounds) {
    this.bounds = bounds
  }
}

const encoder = new TextEncoder()

/** Connections that read one stream at once. A client opens one or two; connections that broke unnoticed count for a while, too. */
const MOST_READERS = 4

/** What one open HTTP answer still has to send. */
export class Outlet {
  readonly #queue: Queue.Queue<string, Cause.Done>
  readonly #held: HeldCharacters
  readonly #room = Latch.makeUnsafe(true)
  #unread = 0
  #ended = false

  private constructor(queue: Queue.Queue<string, Cause.Done>, held: HeldCharacters) {
    this.#queue = queue
    this.#held = held
  }

  static readonly make = (held: HeldCharacters): Effect.Effect<Outlet> =>
    Effect.map(Queue.unbounded<string, Cause.Done>(), (queue) => new Outlet(queue, held))

  /** Sends text, or ends when its reader has left too much untaken. */
  send(text: string): void {
    const { bounds, unread } = this.#held
    if (this.#unread > bounds.unread || unread > bounds.allUnread) return this.end()
    if (!Queue.offerUnsafe(this.#queue, text)) return
    this.#unread += text.length
    this.#held.unread += text.length
    if (this.#unread > bounds.room) this.#room.closeUnsafe()
  }

  /** Waits until its reader has taken enough that more may follow. False when it has ended. */
  get room(): Effect.Effect<boolean> {
    return Effect.map(this.#room.await, () => !this.#ended)
  }

  end(): void {
    this.#ended = true
    this.#room.openUnsafe()
    Queue.endUnsafe(this.#queue)
  }

  /** Its reader is gone: what it did not take is let go. */
  close(): void {
    this.#held.unread -= this.#unread
    this.#unread = 0
    this.end()
    Queue.shutdownUnsafe(this.#queue)
  }

  /** The next texts are taken when those before them are on their way. */
  get bytes(): Stream.Stream<Uint8Array> {
    return Stream.map(Stream.fromQueue(this.#queue), (text) => {
      const taken = Math.min(text.length, this.#unread)
      this.#unread -= taken
      this.#held.unread -= taken
      if (this.#unread <= this.#held.bounds.room) this.#room.openUnsafe()
      return encoder.encode(text)
    })
  }
}

interface Kept {
  readonly at: number
  readonly text: string
}

export class EventLog {
  /** Which of its session's streams it is; part of its events' ids. */
  readonly number: number
  readonly #held: HeldCharacters
  readonly #resumable: boolean
  #wasRead = false
  #kept: Array<Kept> = []
  #bytes = 0
  #last = 0
  /** The event before the first one that is kept. */
  #forgotten = 0
  /** Those who read it, the latest last. */
  #readers: ReadonlyArray<Outlet> = []
  #hangUp: number | undefined
  ended = false

  constructor(number: number, held: HeldCharacters, resumable: boolean) {
    this.number = number
    this.#held = held
    this.#resumable = resumable
  }

  /** The number of its latest event. */
  get last(): number {
    return this.#last
  }

  get hasReader(): boolean {
    return this.#readers.length > 0
  }

  /** The reader that is sent the events: the protocol lets a message go to one stream only. */
  get #latest(): Outlet | undefined {
    return this.#readers.at(-1)
  }

  /** Waits until its reader has room for the answers of more calls. False when nobody will read them. */
  get room(): Effect.Effect<boolean> {
    return this.#latest?.room ?? Effect.succeed(!this.ended)
  }

  push(data: string): void {
    const at = ++this.#last
    const id = this.#resumable ? `${this.number}.${at}` : undefined
    const text = sse.write({ _tag: "Event", event: "message", id, data })
    if (this.#resumable || this.#latest === undefined) this.#keep({ at, text })
    this.#latest?.send(text)
  }

  /** Nothing follows. */
  end(): void {
    this.ended = true
    for (const reader of this.#readers) reader.end()
  }

  /** Closes the connection under a stream that goes on, or the next one: its reader comes back after `millis`. */
  hangUp(millis: number): void {
    this.#hangUp = millis
    if (this.#latest !== undefined) this.#leave(this.#latest, millis)
  }

  /** Whether all that came after this event is still known. */
  knows(after: number): boolean {
    return after >= this.#forgotten && after <= this.#last
  }

  /**
   * Sends to this reader what came after the event `after`, and what comes from now on. The readers before it stay connected, and get the
   * events once it has left: a client may hold two streams of a session open. Of too many, the one that came first ends.
   */
  attach(outlet: Outlet, after: number): void {
    if (this.#readers.length === MOST_READERS) this.#readers[0]?.end()
    this.#readers = [...this.#readers.slice(1 - MOST_READERS), outlet]
    this.#wasRead = true
    for (const { at, text } of this.#kept) if (at > after) outlet.send(text)
    if (!this.#resumable) this.forget()
    if (this.#hangUp !== undefined) this.#leave(outlet, this.#hangUp)
    else if (this.ended) outlet.end()
  }

  detach(outlet: Outlet): void {
    outlet.close()
    this.#remove(outlet)
  }

  /** Its events are kept no longer. */
  forget(): void {
    this.#held.replay -= this.#bytes
    this.#bytes = 0
    this.#forgotten = this.#last
    this.#kept = []
  }

  #leave(outlet: Outlet, millis: number): void {
    outlet.send(`retry: ${millis}\n\n`)
    outlet.end()
    this.#remove(outlet)
    this.#hangUp = undefined
  }

  #remove(outlet: Outlet): void {
    this.#readers = this.#readers.filter((reader) => reader !== outlet)
  }

  #keep(event: Kept): void {
    const { bounds } = this.#held
    this.#kept.push(event)
    this.#bytes += event.text.length
    this.#held.replay += event.text.length
    // Nobody has had a chance to read it yet: the answer that it is for is about to be sent.
    if (!this.#wasRead) return
    while (this.#bytes > bounds.replay || (this.#held.replay > bounds.allReplay && this.#kept.length > 0)) {
      const oldest = this.#kept.shift()
      if (oldest === undefined) return
      this.#bytes -= oldest.text.length
      this.#held.replay -= oldest.text.length
      this.#forgotten = oldest.at
    }
  }
}
