/** How much the server grows while a document comes by its URL, and while an object passes both ways. */
import { freePorts } from "@svc/testkit/ports"
import { Effect, Schema } from "effect"
import { createServer, request } from "node:http"
import { Readable } from "node:stream"
import { toolKey } from "../merchants.ts"
import { BenchFailed, type Server } from "../processes.ts"
import { atMost, figure, type Row } from "../report.ts"
import { Stage } from "../stage.ts"
import { forgetHighest, memory } from "../usage.ts"

const MIB = 1024 ** 2
const DOCUMENT = 50
/** Of an object: as many as an account may keep, and fewer for development. */
const OBJECT = { full: 1024, quick: 256 }
const MOST_GROWTH = 32
const WARM_UP = 20
const LINE = "A refund goes back to the card that paid, within five days.\n"
const PIECE = Buffer.alloc(64 * 1024, LINE)

const bytesOf = function*(mib: number) {
  for (let sent = 0; sent < mib * MIB; sent += PIECE.length) yield PIECE
}

/** Answers `/50` with a text of 50 MiB. */
const textServer = Effect.gen(function*() {
  const { port } = yield* freePorts("port")
  const server = createServer(({ url = "" }, response) => {
    const mib = Number(url.slice(1))
    response.writeHead(200, { "content-type": "text/plain", "content-length": mib * MIB })
    Readable.from(bytesOf(mib)).pipe(response)
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => void server.listen(port, "127.0.0.1", () => resume(Effect.void))),
    () =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  )
  return `http://127.0.0.1:${port}`
})

const asked = <A>(what: string, ask: () => Promise<A>) =>
  Effect.tryPromise({ try: ask, catch: (error) => new BenchFailed({ message: `${what}: ${String(error)}` }) })

const Called = Schema.Struct({
  result: Schema.Struct({
    isError: Schema.Boolean,
    content: Schema.Array(Schema.Unknown),
    structuredContent: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown))
  })
})

/** What a tool gives the first merchant. */
export const call = ({ toolsPort }: Server, name: string, args: object) =>
  asked(name, async () => {
    const answer = await fetch(`http://127.0.0.1:${toolsPort}/mcp`, {
      method: "POST",
      headers: { authorization: `Bearer ${toolKey(0)}`, "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } })
    })
    const { content, isError, structuredContent } = Schema.decodeUnknownSync(Called)(await answer.json()).result
    if (isError || structuredContent === undefined) throw new TypeError(JSON.stringify(content).slice(0, 300))
    return structuredContent
  })

const readDocument = Effect.fnUntraced(function*(server: Server, documents: string, mib: number) {
  const { byte_size } = yield* call(server, "svc_document_parsing", { document_url: `${documents}/${mib}` })
  if (byte_size !== mib * MIB) return yield* new BenchFailed({ message: `A document of ${mib} MiB came as ${String(byte_size)} bytes` })
})

/** Puts an object and gets it again. */
const passObject = Effect.fnUntraced(function*(server: Server, mib: number) {
  const urlFor = (operation: string) =>
    Effect.map(call(server, "svc_object_storage", { operation, key: "bench/object" }), ({ url }) => String(url))
  const putUrl = yield* urlFor("put")
  const put = yield* Effect.callback<number, BenchFailed>((resume) => {
    const headers = { "content-length": mib * MIB }
    const sending = request(putUrl, { method: "PUT", headers }, (answer) => {
      answer.resume()
      resume(Effect.succeed(answer.statusCode ?? 0))
    })
    sending.once("error", ({ message }) => resume(Effect.fail(new BenchFailed({ message: `put: ${message}` }))))
    Readable.from(bytesOf(mib)).pipe(sending)
  })
  const getUrl = yield* urlFor("get")
  const got = yield* asked("get", async () => {
    let bytes = 0
    for await (const chunk of (await fetch(getUrl)).body ?? []) bytes += chunk.length
    return bytes
  })
  if (put !== 200 || got !== mib * MIB) {
    return yield* new BenchFailed({ message: `An object of ${mib} MiB was put with status ${put}, and ${got} bytes came back` })
  }
})

/** The highest resident memory meanwhile, beyond what the server had before. */
export const growthOf = <E, R>(measure: string, { pid }: Server, work: Effect.Effect<void, E, R>, most = MOST_GROWTH) =>
  Effect.gen(function*() {
    const before = memory(pid)
    if (before === undefined) return { measure, value: "only Linux tells", must: `<= ${most} MiB` } satisfies Row
    forgetHighest(pid)
    yield* work
    const growth = (memory(pid)?.highest ?? Number.NaN) - before.now
    return atMost(measure, growth, most, `${figure(growth)} MiB (from ${figure(before.now)})`, `<= ${most} MiB`)
  })

export const serverGrowth = Effect.fnUntraced(function*(server: Server) {
  const { plan } = yield* Stage
  const documents = yield* textServer
  const object = plan.quick ? OBJECT.quick : OBJECT.full
  // Small ones first: the code that is loaded for them, and the heap's room for answers as long, are no growth by size.
  for (let n = 0; n < WARM_UP; n++) {
    yield* readDocument(server, documents, 1)
    yield* passObject(server, 1)
  }
  return [
    yield* growthOf(`growth of the server by a document of ${DOCUMENT} MiB by its URL`, server, readDocument(server, documents, DOCUMENT)),
    yield* growthOf(`growth of the server by an object of ${object} MiB, put and got`, server, passObject(server, object))
  ] satisfies ReadonlyArray<Row>
}, Effect.scoped)
