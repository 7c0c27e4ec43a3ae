import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { once } from "node:events"
import { createServer, type Socket } from "node:net"
import { Connection } from "./connection.ts"

/** A server that answers each request by `answer`, as it is, on one port for as long as the scope. */
const serving = (answer: (socket: Socket) => void) =>
  Effect.acquireRelease(
    Effect.promise(() =>
      new Promise<{ readonly port: number; readonly close: () => void }>((resolve) => {
        const server = createServer((socket) => {
          socket.setNoDelay(true)
          socket.on("data", () => answer(socket))
          socket.on("error", () => {})
        })
        server.listen(0, "127.0.0.1", () => {
          const address = server.address()
          resolve({ port: typeof address === "object" && address !== null ? address.port : 0, close: () => server.close() })
        })
      })
    ),
    ({ close }) => Effect.sync(close)
  )

const ask = (port: number) =>
  Effect.acquireRelease(Effect.sync(() => new Connection(port)), (connection) => Effect.sync(() => connection.close()))

const sent = (connection: Connection) => Effect.promise(() => connection.send("GET", "/", "sk", ""))

/** Writes the parts of a text in turns of the event loop of their own. */
const inParts = (socket: Socket, bytes: Buffer, cuts: ReadonlyArray<number>) => {
  const places = [0, ...cuts.map((cut) => cut % bytes.length).toSorted((a, b) => a - b), bytes.length]
  const write = (n: number) => {
    const from = places[n]
    const to = places[n + 1]
    if (from === undefined || to === undefined) return
    socket.write(bytes.subarray(from, to), () => setImmediate(() => write(n + 1)))
  }
  write(0)
}

const Cut = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 10_000 }))
const Cuts = Schema.Array(Cut).check(Schema.isMaxLength(6))
const Status = Schema.Literals([200, 201, 402, 409, 500])

describe("a connection", () => {
  it.live.prop(
    "reads an answer however it is cut, and the next one after it",
    [Cuts, Schema.String, Status],
    ([cuts, body, status]) =>
      Effect.gen(function*() {
        const text = body.toWellFormed()
        const head = `HTTP/1.1 ${status} Any\r\nX-A: b\r\ncontent-length: ${Buffer.byteLength(text)}`
        const bytes = Buffer.from(`${head}\r\n\r\n${text}`)
        const { port } = yield* serving((socket) => inParts(socket, bytes, cuts))
        const connection = yield* ask(port)
        assert.deepStrictEqual(yield* sent(connection), { status, head, body: text })
        assert.deepStrictEqual(yield* sent(connection), { status, head, body: text })
      }).pipe(Effect.scoped),
    { arbitrary: { runs: 60 } }
  )

  it.live("fails when the server closes before the answer is whole", () =>
    Effect.gen(function*() {
      const { port } = yield* serving((socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"))
      const connection = yield* ask(port)
      const failure = yield* Effect.flip(Effect.tryPromise(() => connection.send("GET", "/", "sk", "")))
      assert.instanceOf(failure.cause, Error)
    }).pipe(Effect.scoped))

  it.live("is opened again when the server closed it between two requests", () =>
    Effect.gen(function*() {
      const text = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
      const ended: Array<Promise<unknown>> = []
      const { port } = yield* serving((socket) => {
        ended.push(once(socket, "close"))
        socket.end(text)
      })
      const connection = yield* ask(port)
      for (const times of [1, 2, 3]) {
        assert.strictEqual((yield* sent(connection)).body, "ok")
        assert.strictEqual(ended.length, times)
        yield* Effect.promise(() => Promise.all(ended))
      }
    }).pipe(Effect.scoped))

  it.live("fails on an answer whose length it cannot tell", () =>
    Effect.gen(function*() {
      const { port } = yield* serving((socket) => socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"))
      const connection = yield* ask(port)
      const failure = yield* Effect.flip(Effect.tryPromise(() => connection.send("GET", "/", "sk", "")))
      assert.include(String(failure.cause), "Content-Length")
    }).pipe(Effect.scoped))
})
