/** Every endpoint of the contract by its command line: what is typed comes to the request that the contract wants. */
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { factsOf } from "@svc/desk/api/endpoints"
import { honoursKey } from "@svc/kernel/http/kept-answers"
import { parseJson } from "@svc/kernel/values/json"
import { isRecord } from "@svc/kernel/values/record"
import { contract } from "@svc/server/api"
import { Arbitrary, Effect, Exit, Schema } from "effect"
import { Command } from "effect/cli"
import { FetchHttpClient } from "effect/http"
import { TestConsole } from "effect/testing"
import { commandFor } from "../command.ts"
import * as help from "../help.ts"
import { resources, type Verb } from "./contract.ts"
import { type Field, fieldsOf } from "./flags.ts"

interface Sent {
  readonly method: string
  readonly url: URL
  readonly headers: Headers
  readonly body: string
}

const PLACE = ["--url", "http://127.0.0.1:9", "--key", "sk_test_x"]

const decoder = new TextDecoder()

/** What a command line sends. An API that answers each request with an empty list stands in for the network. */
const sentBy = Effect.fnUntraced(function*(words: ReadonlyArray<string>) {
  const sent: Array<Sent> = []
  const answer: typeof fetch = async (input, init) => {
    const body = init?.body instanceof Uint8Array ? decoder.decode(init.body) : ""
    sent.push({ method: init?.method ?? "", url: new URL(String(input)), headers: new Headers(init?.headers), body })
    return new Response("{\"data\":[],\"has_more\":false}", { headers: { "content-type": "application/json" } })
  }
  const exit = yield* Effect.flatMap(commandFor(words), (command) => Command.runWith(command, { version: "0" })(words)).pipe(
    Effect.provide([help.layer(false), TestConsole.layer, NodeServices.layer, NodeCrypto.layer]),
    Effect.provideService(FetchHttpClient.Fetch, answer),
    Effect.exit
  )
  return { sent, exit }
})

const valueAt = (value: unknown, path: ReadonlyArray<string>): unknown =>
  path.reduce((inner, name) => isRecord(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined, value)

const wordOf = (value: unknown): string => typeof value === "string" ? value : JSON.stringify(value)

/** As somebody types the value of a field: a list as often as it has items, a record a pair at a time. */
const typedAs = ({ name }: Field, value: unknown): ReadonlyArray<string> => {
  if (typeof value === "boolean") return [value ? `--${name}` : `--no-${name}`]
  if (Array.isArray(value)) return value.map((item) => `--${name}=${wordOf(item)}`)
  if (isRecord(value)) return Object.entries(value).map(([key, item]) => `--${name}=${key}=${wordOf(item)}`)
  return [`--${name}=${wordOf(value)}`]
}

const exampleOf = (schema: Schema.Constraint): Readonly<Record<string, unknown>> => {
  const { examples } = Schema.toJsonSchemaDocument(schema, { referencePolicy: () => undefined }).schema
  return Array.isArray(examples) && isRecord(examples[0]) ? examples[0] : {}
}

/** The contract says what it needs as unknown: its schemas need nothing. */
type Needless = Schema.Codec<unknown, unknown>

const bodySchema = ({ endpoint }: Verb): Needless | undefined => {
  const json = endpoint.payload.get("application/json")
  return json === undefined || json.encoding._tag === "Stream" ? undefined : json.schemas[0] as Needless | undefined
}

const querySchema = ({ endpoint }: Verb): Needless | undefined => endpoint.query as Needless | undefined

const pathWords = (path: string) => Array.from(path.matchAll(/:(\w+)/gu), ([, name = ""]) => `${name}/1`)

const all = resources.flatMap(({ name, verbs }) => verbs.map((verb) => ({ resource: name, verb })))

describe("the commands of resources", () => {
  it("are one for each endpoint of the contract, and none has the name of another command", () => {
    const endpoints = Object.values(contract.groups).flatMap(({ endpoints, identifier }) =>
      Object.keys(endpoints).map((name) => `${identifier}.${name}`)
    )
    assert.deepStrictEqual(all.map(({ verb }) => `${verb.group}.${verb.identifier}`).toSorted(), endpoints.toSorted())
    const names = all.map(({ resource, verb }) => `${resource} ${verb.name}`)
    assert.strictEqual(new Set(names).size, names.length)
  })

  it.effect(
    "send the method, the path and the body that the contract wants, from flags",
    () =>
      Effect.forEach(
        all,
        Effect.fnUntraced(function*({ resource, verb }) {
          const facts = factsOf(verb.endpoint)
          const line = `${resource} ${verb.name}`
          const schema = bodySchema(verb)
          const { idempotency_key, ...body } = schema === undefined ? {} : exampleOf(schema)
          const fields = fieldsOf(facts.body, facts.required, ["idempotency_key"])
          const nulls = fields.filter(({ path }) => valueAt(body, path) === null)
          const flags = fields.flatMap((field) => {
            const value = valueAt(body, field.path)
            return value === undefined || value === null ? [] : typedAs(field, value)
          })
          // What no flag can say.
          const data = nulls.length === 0 ? [] : ["--data", JSON.stringify(body)]
          const key = honoursKey(verb.endpoint) ? ["--idempotency-key", wordOf(idempotency_key ?? "key-1")] : []
          const version = facts.readsVersion ? ["--if-match", "3"] : []
          const file = schema === undefined && verb.endpoint.payload.size > 0 ? ["--file", `${import.meta.dirname}/fixture.pdf`] : []
          const words = [resource, verb.name, ...pathWords(facts.path), ...flags, ...data, ...key, ...version, ...file, ...PLACE]
          const { exit, sent: [request] } = yield* sentBy(words)
          assert.isTrue(Exit.isSuccess(exit), `${words.join(" ")}: ${String(exit)}`)
          assert.strictEqual(
            `${request?.method} ${request?.url.pathname}`,
            `${facts.method} ${facts.path.replaceAll(/:(\w+)/gu, "$1%2F1")}`,
            line
          )
          assert.strictEqual(request?.headers.get("authorization"), "Bearer sk_test_x")
          assert.strictEqual(request?.headers.get("idempotency-key"), key[1] ?? null, line)
          assert.strictEqual(request?.headers.get("if-match"), facts.readsVersion ? "\"3\"" : null, line)
          if (schema === undefined) return
          assert.deepStrictEqual(parseJson(request?.body ?? ""), body, line)
          yield* Schema.decodeUnknownEffect(Schema.toCodecJson(schema))(parseJson(request?.body ?? "")).pipe(Effect.orDie)
        }),
        { discard: true }
      ).pipe(Effect.provide(NodeServices.layer)),
    180_000
  )

  it.effect("send a file in the place of a body, with what else was typed as parameters", () =>
    Effect.gen(function*() {
      const file = `${import.meta.dirname}/fixture.pdf`
      const { sent: [upload] } = yield* sentBy(["files", "upload", "--purpose", "dispute_evidence", "--file", file, ...PLACE])
      assert.deepStrictEqual(
        [upload?.url.search, upload?.headers.get("content-type"), upload?.body],
        ["?purpose=dispute_evidence&filename=fixture.pdf", "application/pdf", "%PDF-1.4\n"]
      )
      const statement = ["reconciliation-reports", "create", "--source", "card_a", "--file", file, ...PLACE]
      const { sent: [report] } = yield* sentBy(statement)
      assert.deepStrictEqual([report?.url.search, report?.headers.get("content-type")], ["?source=card_a", "text/csv"])
    }))

  it.effect(
    "send each parameter of a query as the contract writes it",
    () =>
      Effect.forEach(
        all,
        Effect.fnUntraced(function*({ resource, verb }) {
          const query = querySchema(verb)
          const facts = factsOf(verb.endpoint)
          if (query === undefined || facts.method !== "GET") return
          const fields = fieldsOf(facts.query, [], ["per_page"])
          const [sample] = yield* Effect.orDie(Arbitrary.sampleEffect(Arbitrary.schema(query), { count: 1, seed: 7 }))
          const encoded: unknown = yield* Effect.orDie(Schema.encodeUnknownEffect(query)(sample))
          const typed = fields.flatMap((field) => {
            const value = valueAt(encoded, field.path)
            return value === undefined ? [] : typedAs(field, value)
          })
          const words = [resource, verb.name, ...pathWords(facts.path), ...typed, ...PLACE]
          const { exit, sent: [request] } = yield* sentBy(words)
          assert.isTrue(Exit.isSuccess(exit), `${words.join(" ")}: ${String(exit)}`)
          for (const { path: [name = ""] } of fields) {
            const value = isRecord(encoded) ? encoded[name] : undefined
            const wanted = value === undefined ? [] : Array.isArray(value) ? value.map(String) : [String(value)]
            assert.deepStrictEqual(request?.url.searchParams.getAll(name), wanted, `${resource} ${verb.name} ${name}`)
          }
        }),
        { discard: true }
      ),
    180_000
  )
})
