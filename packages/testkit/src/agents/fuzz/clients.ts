/**
 * Clients of the tool server that send what they are told: with sessions of every revision, and with a stream of events beside their POSTs.
 */
import { Data, Effect } from "effect"
import type { Scope } from "effect"
import { HttpServer } from "effect/http"
import { get } from "node:http"
import type { ClientRequest } from "node:http"
import { Service } from "../../contract/service.ts"
import type { NoAnswer, WireAnswer } from "../../contract/wire.ts"
import type { Case, Door } from "./cases.ts"
import { expectedOf } from "./expected.ts"
import { answerProblems, type Documented, messageProblems, procedureProblems, responsesIn } from "./judge.ts"

/** Nothing came that was due. */
class Silence extends Data.TaggedError("Silence")<{ readonly message: string }> {}

const PATIENCE_MILLIS = 60_000

/** The stream of a session with two addresses. */
interface Stream {
  /** Where to POST. */
  readonly messages: string
  /** The next answers on the stream, this many. */
  readonly take: (count: number) => Effect.Effect<ReadonlyArray<unknown>, Silence>
  readonly close: () => void
}

/** Opens a stream and waits for the event that says where to POST. */
const openStream = Effect.fnUntraced(function*(key: string) {
  const base = HttpServer.formatAddress((yield* HttpServer.HttpServer).address)
  const state = { text: "", answers: [] as Array<unknown>, told: () => {} }
  const made = Effect.callback<{ readonly request: ClientRequest; readonly messages: string }, Silence>((resume) => {
    const timer = setTimeout(() => resume(Effect.fail(new Silence({ message: "no stream was opened" }))), PATIENCE_MILLIS)
    const request = get(`${base}/v1/mcp/sse`, { headers: { authorization: `Bearer ${key}` } }, (response) => {
      response.setEncoding("utf8").on("error", () => {}).on("data", (chunk: string) => {
        state.text += chunk
        const whole = state.text.lastIndexOf("\n\n")
        if (whole < 0) return
        const events = state.text.slice(0, whole)
        state.text = state.text.slice(whole + 2)
        const path = /^event: endpoint\ndata: (\S+)/m.exec(events)?.[1]
        if (path !== undefined) {
          clearTimeout(timer)
          resume(Effect.succeed({ request, messages: path }))
          return
        }
        state.answers.push(...responsesIn(events))
        state.told()
      })
    })
    request.on("error", () => {})
  })
  const { messages, request } = yield* made
  const take = (count: number): Effect.Effect<ReadonlyArray<unknown>, Silence> =>
    Effect.callback<ReadonlyArray<unknown>, Silence>((resume) => {
      const look = () => {
        if (state.answers.length < count) return
        clearTimeout(timer)
        state.told = () => {}
        resume(Effect.succeed(state.answers.splice(0, count)))
      }
      const timer = setTimeout(
        () =>
          resume(
            Effect.fail(
              new Silence({ message: `${state.answers.length} of ${count} answers came over the stream within ${PATIENCE_MILLIS} ms` })
            )
          ),
        PATIENCE_MILLIS
      )
      state.told = look
      look()
    })
  return { messages, take, close: () => request.destroy() } satisfies Stream
})

const revisionOf = (door: Door): string => door === "session batch" ? "2025-03-26" : door

/** A client with a session of each revision and a stream, all opened when they are first needed, and again when they have ended. */
export const makeClient = Effect.fnUntraced(
  function*(
    key: string,
    documented: Documented
  ): Effect.fn.Return<
    { readonly judge: (asked: Case) => Effect.Effect<ReadonlyArray<string>, NoAnswer | Silence, HttpServer.HttpServer> },
    never,
    Service | Scope.Scope
  > {
    const wire = yield* Service
    const sessions = new Map<string, string>()
    const open: { stream: Stream | undefined } = { stream: undefined }
    yield* Effect.addFinalizer(() => Effect.sync(() => open.stream?.close()))

    const openSession = Effect.fnUntraced(function*(revision: string) {
      const body = JSON.stringify({
        jsonrpc: "2.0",
        id: 0,
        method: "initialize",
        params: { protocolVersion: revision, capabilities: {}, clientInfo: { name: "fuzz", version: "1" } }
      })
      const answer = yield* wire.send({
        method: "POST",
        target: "/mcp",
        headers: [["Authorization", `Bearer ${key}`], ["Content-Type", "application/json"], ["Accept", "application/json"]],
        body: Buffer.from(body)
      })
      const id = answer.headers["mcp-session-id"]
      return id ?? (yield* new Silence({ message: `no session was opened: ${answer.status} ${answer.text.slice(0, 200)}` }))
    })

    /** Headers and path, with the session in its place. */
    const sent = ({ body, headers, method, target }: Case, session: string) => {
      const filled = (value: string) => value.replaceAll("{session}", session).replaceAll("{key}", `Bearer ${key}`)
      return wire.send({ method, target: filled(target), headers: headers.map(([name, value]) => [name, filled(value)] as const), body })
    }

    const overStream = Effect.fnUntraced(function*(asked: Case) {
      const stream = open.stream ??= yield* openStream(key)
      const answer = yield* sent(asked, stream.messages)
      const expected = expectedOf(asked.body)
      const forget = () => {
        stream.close()
        open.stream = undefined
      }
      if (answer.status !== 202) {
        // What else came over the stream belongs to nobody.
        forget()
        return answerProblems(asked, expected, answer, documented)
      }
      const responses = yield* Effect.tapError(stream.take(expected.ids.length), () => Effect.sync(forget))
      return [...messageProblems(asked, expected, responses, documented), ...(answer.text === "" ? [] : ["a 202 with a body"])]
    })

    const inSession = Effect.fnUntraced(function*(asked: Case) {
      const revision = revisionOf(asked.door)
      const session = sessions.get(revision) ?? (yield* openSession(revision))
      sessions.set(revision, session)
      const answer = yield* sent(asked, session)
      if (asked.method === "DELETE" || answer.status === 404) sessions.delete(revision)
      return answerProblems(asked, expectedOf(asked.body), answer, documented)
    })

    const judge = (asked: Case) => {
      if (asked.door === "sse") return overStream(asked)
      if (asked.door === "rpc") return Effect.map(sent(asked, ""), (answer: WireAnswer) => procedureProblems(asked, answer))
      if (asked.door === "bare" || asked.door === "batch" || asked.door === "stateless") {
        return Effect.map(sent(asked, "none"), (answer) => answerProblems(asked, expectedOf(asked.body), answer, documented))
      }
      return inSession(asked)
    }
    return { judge }
  }
)
