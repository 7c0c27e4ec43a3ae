/** How much callers may make this process hold, and for how long. */
import { Duration } from "effect"
import { Reference } from "@svc/kernel/reference"

export class Limits extends Reference<{
  /** Sessions of one process. When there are more, the one that nobody listens to and that was idle longest ends. */
  readonly sessions: number
  /** After so long without a request and without an open stream a session ends. */
  readonly idle: Duration.Duration
  /** Calls of one session that run at once. */
  readonly runs: number
  /** Requests, notifications and answers in one batch. */
  readonly batch: number
  /** Bytes of a stream that its reader has not taken. One message may be larger. */
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
}>("@svc/tools/mcp/Limits", {
  defaultValue: () => ({
    sessions: 20_000,
    idle: Duration.minutes(30),
    runs: 32,
    batch: 50,
    unread: 1024 * 1024,
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
