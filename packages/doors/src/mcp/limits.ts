/** How much callers may make this process hold, and for how long. */
import { Reference } from "@svc/kernel/values/reference"
import { Duration } from "effect"

export class Limits extends Reference<{
  /** Sessions of one process. When there are more, the one that nobody listens to and that was idle longest ends. */
  readonly sessions: number
  /** After so long without a request and without an open stream a session ends. */
  readonly idle: Duration.Duration
  /** Calls of one session that run at once. */
  readonly runs: number
  /** Requests, notifications and answers in one batch. */
  readonly batch: number
  /**
   * The one stream of a session takes no further calls while its reader has left more bytes than this untaken. Those that run by then are
   * still answered over it.
   */
  readonly room: number
  /** How long a request waits for room. */
  readonly roomWithin: Duration.Duration
  /**
   * Bytes of a stream that its reader has not taken; with more it ends. One message may be larger. Calls that run at once may be answered
   * at once, before any reader could take something: here `runs` answers of half a MiB.
   */
  readonly unread: number
  /** The same, of all streams. */
  readonly allUnread: number
  /** Bytes of a stream's events that are kept for readers who come back. */
  readonly replay: number
  /** The same, of all streams. */
  readonly allReplay: number
  /** Streams of one session that are kept for readers who come back. */
  readonly streams: number
  /** Answers of charged calls that a session keeps, for a request that comes again because its answer was lost. */
  readonly answers: number
  /** Characters of these answers in one session; a larger answer is not kept. */
  readonly answerSize: number
  /** The same, of all sessions. */
  readonly allAnswerSize: number
  /** How long they are kept. */
  readonly answerAge: Duration.Duration
  /** So often something is sent over a silent stream, so that nobody between here and the reader takes it for dead. */
  readonly keepAlive: Duration.Duration
  /** A call that takes longer is answered as a stream, where the caller reads one. */
  readonly hold: Duration.Duration
}>("@svc/doors/mcp/Limits", {
  defaultValue: () => ({
    sessions: 20_000,
    idle: Duration.minutes(30),
    runs: 32,
    batch: 50,
    room: 1024 * 1024,
    // Less than the listener waits for any answer.
    roomWithin: Duration.seconds(10),
    unread: 16 * 1024 * 1024,
    allUnread: 64 * 1024 * 1024,
    replay: 256 * 1024,
    allReplay: 64 * 1024 * 1024,
    streams: 8,
    answers: 32,
    answerSize: 256 * 1024,
    allAnswerSize: 64 * 1024 * 1024,
    answerAge: Duration.minutes(10),
    keepAlive: Duration.seconds(15),
    hold: Duration.seconds(5)
  })
}) {}
