/**
 * A payment provider for tests, in a process of its own, so that it outlives the service under test:
 * `node packages/testkit/src/provider.ts <port>`. It speaks the protocols of the remote simulator rail and of bank links.
 *
 * Beside that protocol:
 * - `GET /books`: calls and effects, by key and by payment.
 * - `GET /bank_links`: calls and effects of bank links, and the items.
 * - `POST /faults` `{kind, probability?, seed?, delay_ms?, operations?}`: what goes wrong from now on.
 * - `POST /actions/<key>` `{passed}`: the customer confirms, or fails to.
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { fromJsonText } from "@svc/kernel/values/json-codec"
import {
  AuthorizeCall,
  FollowUpCall,
  LookupCall,
  MAX_BODY_BYTES,
  paths,
  STATEMENT_LINES,
  STATEMENT_PATH,
  StatementCall
} from "@svc/payments/rails/remote-protocol"
import type { RemoteOperation } from "@svc/payments/rails/remote-protocol"
import type { BankLinkOperation } from "@svc/treasury/bank-links/provider/remote-protocol"
import { Clock, Data, Effect, Schema } from "effect"
import type { Scope } from "effect"
import { createHash } from "node:crypto"
import { createServer } from "node:http"
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import { bankLinkOperationAt, bankLinkOperations, type BankLinkReport, makeBankLinks } from "./provider-bank-links.ts"
import { makeBooks, operations } from "./provider-books.ts"
import type { Books, Report } from "./provider-books.ts"

const faultyOperations = [...operations, ...bankLinkOperations]

/** What goes wrong with a call. */
export const Faults = Schema.Struct({
  /**
   * `refuse`: 503 before the call is looked at. `reset_before`, `reset_after`: the connection breaks before
   * or after the effect. `drop_reply`: the effect happens and no reply ever comes. `delay_ms`: the reply
   * comes `delay_ms` late.
   */
  kind: Schema.Literals(["none", "refuse", "reset_before", "reset_after", "delay_ms", "drop_reply"]),
  /** Of each single call, 0 to 1. */
  probability: Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 })).pipe(Schema.withDecodingDefaultKey(Effect.succeed(1))),
  /** The same seed strikes the same calls, whatever order they come in. */
  seed: Schema.Int.pipe(Schema.withDecodingDefaultKey(Effect.succeed(1))),
  delay_ms: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 60_000 })).pipe(Schema.withDecodingDefaultKey(Effect.succeed(100))),
  operations: Schema.Array(Schema.Literals(faultyOperations)).pipe(Schema.withDecodingDefaultKey(Effect.succeed(faultyOperations)))
})
export type Faults = typeof Faults.Type

export class ProviderError extends Data.TaggedError("ProviderError")<{ readonly message: string }> {}

export interface Provider {
  readonly url: string
  readonly port: number
  /** What `GET /books` shows, read in this process. */
  readonly report: () => Report
  /** The same of `GET /bank_links`. */
  readonly bankLinks: () => BankLinkReport
}

interface Reply {
  readonly status: number
  readonly body: unknown
}
/** No reply at all: the connection breaks, or stays silent. */
type Silence = "reset" | "never"

const ok = (body: unknown): Reply => ({ status: 200, body })
const problem = (status: number, message: string): Reply => ({ status, body: { error: message } })
const keyProblems = { reused: problem(409, "the key belongs to another call"), closed: problem(410, "the key was closed by a lookup") }

const fromJson = <S extends Schema.ConstraintDecoder<unknown>>(schema: S) => Schema.decodeUnknownSync(fromJsonText(schema))
const readAuthorize = fromJson(AuthorizeCall)
const readFollowUp = fromJson(FollowUpCall)
const readLookup = fromJson(LookupCall)
const readFaults = fromJson(Faults)
const readStatement = fromJson(StatementCall)
const readAction = fromJson(Schema.Struct({ passed: Schema.Boolean }))
const readKey = fromJson(Schema.Union([
  Schema.Struct({ request: Schema.Struct({ key: Schema.String }) }),
  Schema.Struct({ call: Schema.Struct({ key: Schema.String }) })
]))
/** A question has no key: it strikes by what it asks. */
const readBankLinkKey = fromJson(Schema.Union([Schema.Struct({ key: Schema.String }), Schema.Struct({ public_token: Schema.String })]))

const operationAt: ReadonlyMap<string, RemoteOperation> = new Map(operations.map((operation) => [paths[operation], operation]))

type Operation = (typeof faultyOperations)[number]

/** A call that faults may strike. */
interface Call {
  readonly operation: Operation
  readonly key: string
  readonly perform: () => Reply | Silence
}

const perform = (books: Books, operation: RemoteOperation, text: string): Reply | Silence => {
  switch (operation) {
    case "authorize": {
      const { rail, request } = readAuthorize(text)
      const answer = books.authorize(rail, request)
      if (typeof answer === "string") return keyProblems[answer]
      if (answer._tag === "Unreachable") return problem(503, "not reached")
      return answer._tag === "Silent" ? "reset" : ok(answer)
    }
    case "lookup":
      return ok(books.lookup(readLookup(text).request))
    case "lookup_follow_up":
      return ok(books.lookupFollowUp(readFollowUp(text).call) ?? null)
    default: {
      const { call, rail } = readFollowUp(text)
      const confirmation = books.followUp(operation, rail, call)
      return typeof confirmation === "string" ? keyProblems[confirmation] : ok(confirmation)
    }
  }
}

/** A number from 0 to 1 that depends on the seed, the call, and how often it was made. */
const chance = (seed: number, operation: Operation, key: string, nth: number): number =>
  createHash("sha256").update(JSON.stringify([seed, operation, key, nth])).digest().readUInt32BE(0) / 2 ** 32

/** Runs one call under the faults in force. */
const makeFaulty = () => {
  let faults: Faults = readFaults(`{"kind":"none"}`)
  const seen = new Map<string, number>()

  const strikes = (operation: Operation, key: string): boolean => {
    const id = `${operation} ${key}`
    const nth = seen.get(id) ?? 0
    seen.set(id, nth + 1)
    return faults.kind !== "none" && faults.operations.includes(operation) && chance(faults.seed, operation, key, nth) < faults.probability
  }

  const run = Effect.fnUntraced(function*({ key, operation, perform }: Call): Effect.fn.Return<Reply | Silence> {
    if (!strikes(operation, key)) return perform()
    const { delay_ms, kind } = faults
    if (kind === "refuse") return problem(503, "refused before the call was looked at")
    if (kind === "reset_before") return "reset"
    const reply = perform()
    if (kind === "delay_ms") yield* Effect.sleep(delay_ms)
    if (kind === "reset_after") return "reset"
    return kind === "drop_reply" ? "never" : reply
  })

  return {
    run,
    set: (next: Faults) => {
      faults = next
    }
  }
}

/** No fault strikes a statement: it is drawn when all is over. */
const statementPart = (books: Books, text: string) => {
  const { after, rail, ...period } = readStatement(text)
  return books.statement(rail, period).slice(after, after + STATEMENT_LINES).map(({ amount, at, currency, provider_reference, type }) => ({
    type,
    provider_reference,
    amount,
    currency,
    at
  }))
}

const railCall = (books: Books, operation: RemoteOperation, text: string): Call => {
  const named = readKey(text)
  const { key } = "request" in named ? named.request : named.call
  return { operation, key, perform: () => perform(books, operation, text) }
}

type BankLinks = ReturnType<typeof makeBankLinks>

const bankLinkCall = (bankLinks: BankLinks, operation: BankLinkOperation, text: string): Call => {
  const named = readBankLinkKey(text)
  const performed = () => {
    const answer = bankLinks.perform(operation, text)
    return answer === undefined ? keyProblems.reused : ok(answer)
  }
  return { operation, key: "key" in named ? named.key : named.public_token, perform: performed }
}

const route = (books: Books, bankLinks: BankLinks) => {
  const faulty = makeFaulty()
  return (method: string, path: string, text: string): Effect.Effect<Reply | Silence> => {
    const operation = operationAt.get(path)
    if (method === "POST" && operation !== undefined) return faulty.run(railCall(books, operation, text))
    const bankLinkOperation = bankLinkOperationAt.get(path)
    if (method === "POST" && bankLinkOperation !== undefined) return faulty.run(bankLinkCall(bankLinks, bankLinkOperation, text))
    return Effect.sync(() => {
      if (method === "GET" && path === "/books") return ok(books.report())
      if (method === "GET" && path === "/bank_links") return ok(bankLinks.report())
      if (method === "POST" && path === "/faults") {
        faulty.set(readFaults(text))
        return ok({})
      }
      if (method === "POST" && path === STATEMENT_PATH) return ok(statementPart(books, text))
      const key = method === "POST" ? /^\/actions\/(.+)$/.exec(path)?.[1] : undefined
      if (key === undefined) return problem(404, "no such path")
      return books.act(decodeURIComponent(key), readAction(text).passed) ? ok({}) : problem(409, "no step is open under this key")
    })
  }
}

const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = []
  let size = 0
  for await (const chunk of request) {
    const part: Buffer = Buffer.from(chunk)
    size += part.length
    if (size > MAX_BODY_BYTES) throw new Error("the body is too large")
    chunks.push(part)
  }
  return Buffer.concat(chunks).toString("utf8")
}

const send = (response: ServerResponse, outcome: Reply | Silence): void => {
  if (outcome === "never") return
  if (outcome === "reset") {
    response.socket?.resetAndDestroy()
    return
  }
  response.writeHead(outcome.status, { "content-type": "application/json" }).end(JSON.stringify(outcome.body))
}

const listen = (server: Server, port: number) =>
  Effect.callback<number, ProviderError>((resume) => {
    server.once("error", (error) =>
      resume(Effect.fail(new ProviderError({ message: `The provider cannot listen on port ${port}: ${error.message}` }))))
    server.listen(port, "127.0.0.1", () => {
      const address = server.address()
      resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : port))
    })
  })

/** Starts a provider with empty books on this port, 0 for any. Its time is Effect's Clock. It stops with the scope. */
export const startProvider = Effect.fnUntraced(function*(port: number): Effect.fn.Return<Provider, ProviderError, Scope.Scope> {
  const clock = yield* Clock.Clock
  const run = Effect.runPromiseWith(yield* Effect.context<never>())
  const at = { url: "" }
  const books = makeBooks(() => `${at.url}/actions`, () => clock.currentTimeMillisUnsafe())
  const bankLinks = makeBankLinks()
  const handle = route(books, bankLinks)
  const server = createServer((request, response) => {
    void readBody(request)
      .then((text) => run(handle(request.method ?? "", request.url ?? "", text)))
      .catch((error: unknown) => problem(400, error instanceof Error ? error.message : String(error)))
      .then((outcome) => send(response, outcome))
  })
  yield* Effect.addFinalizer(() =>
    Effect.callback<void>((resume) => {
      server.close(() => resume(Effect.void))
      server.closeAllConnections()
    })
  )
  const bound = yield* listen(server, port)
  at.url = `http://127.0.0.1:${bound}`
  return { url: at.url, port: bound, report: books.report, bankLinks: bankLinks.report }
})

const main = Effect.scoped(Effect.gen(function*() {
  const port = Number(process.argv[2] ?? 0)
  const { url } = yield* startProvider(port)
  process.stdout.write(`provider listening on ${url}\n`)
  return yield* Effect.never
}))

if (import.meta.main) NodeRuntime.runMain(main)
