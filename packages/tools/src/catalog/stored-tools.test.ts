/** The stored-data tools as the gate calls them: prices, modes, and arguments that do not fit. */
import { assert, layer } from "@effect/vitest"
import { Accounts } from "@svc/accounts/accounts/service"
import type { Analytics } from "@svc/stores/analytics/service"
import type { Search } from "@svc/stores/search/service"
import type { Vectors } from "@svc/stores/vectors/service"
import { services } from "@svc/testkit/services"
import type { Mode } from "@svc/tool-kit/call"
import type { Compiled } from "@svc/tool-kit/tool"
import { Effect, Result } from "effect"
import { svc_analytics } from "./svc_analytics.ts"
import { svc_vector_database } from "./svc_vector_database.ts"
import { svc_web_search } from "./svc_web_search.ts"

const all = { svc_analytics, svc_vector_database, svc_web_search }
const names = ["svc_analytics", "svc_vector_database", "svc_web_search"] as const
type Name = typeof names[number]

/** Without the types of their arguments, as the gate has them. */
const compiled: Readonly<Record<Name, Compiled<Analytics | Search | Vectors>>> = {
  svc_analytics: svc_analytics.compiled,
  svc_vector_database: svc_vector_database.compiled,
  svc_web_search: svc_web_search.compiled
}

const openAccount = Effect.gen(function*() {
  return (yield* (yield* Accounts).create({ name: "Acme", sandbox: true })).account.id
})

const prepared = (name: Name, args: unknown, account: string, mode: Mode = "standard") =>
  compiled[name].prepare(args, { id: "call_1", mode, account: { id: account, sandbox: true } })

/** What the tool comes to; a refusal of the arguments as text. */
const call = (account: string, name: Name, args: unknown, mode: Mode = "standard") =>
  Effect.gen(function*() {
    const ready = prepared(name, args, account, mode)
    return Result.isFailure(ready) ? ready.failure.message : yield* ready.success.run
  })

layer(services, { timeout: "60 seconds" })("the stored-data tools", (it) => {
  it.effect("cost what the operation and the mode say", () =>
    Effect.gen(function*() {
      const account = yield* openAccount
      const quotes = (name: Name, args: unknown) =>
        (["standard", "lite", "engineer"] as const).map((mode) => {
          const ready = prepared(name, args, account, mode)
          return Result.isSuccess(ready) ? ready.success.quote : ready.failure.message
        })
      assert.deepStrictEqual(quotes("svc_web_search", { operation: "search", query: "x" }), [1, 0, 25])
      for (const operation of ["index", "delete", "delete_namespace", "count"]) {
        assert.deepStrictEqual(quotes("svc_web_search", { operation }), [0, 0, 0], operation)
      }
      for (const operation of ["upsert", "query"]) {
        assert.deepStrictEqual(quotes("svc_vector_database", { operation }), [1, 0, 5], operation)
      }
      for (const operation of ["delete", "delete_namespace"]) {
        assert.deepStrictEqual(quotes("svc_vector_database", { operation }), [0, 0, 0], operation)
      }
      for (const operation of ["capture", "query"]) {
        assert.deepStrictEqual(quotes("svc_analytics", { operation }), [1, 0, 1], operation)
      }
    }))

  it.effect("do their examples, and answer everything that their schema generates", () =>
    Effect.gen(function*() {
      const account = yield* openAccount
      for (const name of names) {
        for (const example of all[name].examples) assert.deepInclude(yield* call(account, name, example), { _tag: "Done" })
        for (const seed of yield* all[name].seeds) {
          for (const mode of ["standard", "engineer"] as const) {
            assert.isObject(yield* call(account, name, seed, mode), `${name} takes what its schema generates`)
          }
        }
      }
    }))

  it.effect("charge an engineer the price of a plain search where nothing answers", () =>
    Effect.gen(function*() {
      const account = yield* openAccount
      const document = { doc_id: "refunds", content: "Refunds arrive within five days." }
      yield* call(account, "svc_web_search", { operation: "index", namespace: "n", document })
      const search = (query: string) => call(account, "svc_web_search", { operation: "search", namespace: "n", query }, "engineer")
      assert.deepInclude(yield* search("refunds"), { _tag: "Done", cents: 25 })
      assert.deepInclude(yield* search("zebra"), { _tag: "Done", cents: 1 })
    }))

  it.effect("say which field is missing, or not for this mode, and charge nothing", () =>
    Effect.gen(function*() {
      const account = yield* openAccount
      const refused = [
        ["svc_web_search", { operation: "search" }, /^query: /],
        ["svc_web_search", { operation: "index" }, /^document or documents: /],
        ["svc_web_search", { operation: "delete" }, /^doc_id: /],
        ["svc_vector_database", { operation: "upsert" }, /^vectors: /],
        ["svc_vector_database", { operation: "query" }, /^query: /],
        ["svc_vector_database", { operation: "query", query: { vector: [1], sparse_ids: ["a"] } }, /^sparse_ids: only in engineer mode/],
        [
          "svc_vector_database",
          { operation: "upsert", vectors: [{ id: "a", vector: [1] }], semantic_dedup: true, dedup_threshold: 0.9 },
          /^dedup_threshold, semantic_dedup: only in engineer mode/
        ],
        ["svc_analytics", { operation: "capture" }, /^event or events: /],
        ["svc_analytics", { operation: "query" }, /^query: /]
      ] as const
      for (const [name, args, message] of refused) {
        const outcome = yield* call(account, name, args)
        assert.isObject(outcome, String(outcome))
        if (typeof outcome !== "object" || outcome._tag !== "Failed") return assert.fail(`${name} did not refuse ${JSON.stringify(args)}`)
        assert.deepInclude(outcome, { cents: 0 })
        assert.deepInclude(outcome.error, { code: "invalid_fields", retryable: false })
        assert.match(outcome.error.message, message)
      }
    }))

  it.effect("refuse what Postgres cannot keep and what is too much, naming the field", () =>
    Effect.gen(function*() {
      const account = yield* openAccount
      const document = (more: object) => ({ operation: "index", document: { doc_id: "a", content: "x", ...more } })
      const refused = [
        ["svc_web_search", document({ content: "a\0b" }), /content/],
        ["svc_web_search", document({ doc_id: "\ud800" }), /doc_id/],
        ["svc_web_search", document({ content: "x".repeat(65_537) }), /content/],
        ["svc_web_search", document({ metadata: { "a\0": 1 } }), /metadata/],
        ["svc_web_search", document({ metadata: { a: "\udc00" } }), /metadata/],
        ["svc_web_search", document({ metadata: { a: { b: 1 } } }), /metadata/],
        ["svc_web_search", document({ metadata: Object.fromEntries(Array.from({ length: 33 }, (_, n) => [`k${n}`, n])) }), /metadata/],
        ["svc_web_search", { operation: "search", query: "x", max_results: 101 }, /max_results/],
        // Nothing to do, and nothing to charge for.
        ["svc_vector_database", { operation: "upsert", vectors: [] }, /vectors/],
        ["svc_vector_database", { operation: "delete", ids: [] }, /ids/],
        ["svc_vector_database", { operation: "query", query: { vector: [] } }, /vector/],
        ["svc_web_search", { operation: "search", query: "" }, /query/],
        ["svc_web_search", { operation: "search", query: " \n" }, /query/],
        ["svc_web_search", { operation: "index", documents: [] }, /documents/],
        ["svc_analytics", { operation: "capture", events: [] }, /events/],
        ["svc_web_search", { operation: "count", namespace: "" }, /namespace/],
        ["svc_web_search", { operation: "count", namespace: "n".repeat(65) }, /namespace/],
        ["svc_vector_database", { operation: "query", query: { vector: Array.from({ length: 4_097 }, () => 1) } }, /vector/],
        ["svc_vector_database", { operation: "query", query: { vector: [1], top_k: 0 } }, /top_k/],
        ["svc_vector_database", { operation: "query", query: { vector: [1], top_k: 1.5 } }, /top_k/],
        ["svc_analytics", { operation: "query", query: { kind: "count_by_bucket", time_zone: "+02:00" } }, /time_zone/],
        ["svc_analytics", { operation: "capture", event: { event: "e", timestamp: "yesterday" } }, /timestamp/]
      ] as const
      for (const [name, args, field] of refused) {
        const outcome = yield* call(account, name, args)
        assert.isString(outcome, `${name} took ${JSON.stringify(args).slice(0, 120)}`)
        assert.match(String(outcome), field)
      }
    }))

  it.effect("give up to a hundred results, in lite mode as many and no snippets", () =>
    Effect.gen(function*() {
      const account = yield* openAccount
      const documents = Array.from({ length: 100 }, (_, n) => ({ doc_id: `d${n}`, content: "same words" }))
      yield* call(account, "svc_web_search", { operation: "index", documents })
      const results = (mode: Mode, max_results?: number) =>
        Effect.map(
          call(
            account,
            "svc_web_search",
            { operation: "search", query: "words", ...(max_results === undefined ? {} : { max_results }) },
            mode
          ),
          (outcome) => typeof outcome === "object" && outcome._tag === "Done" ? JSON.stringify(outcome.result) : ""
        )
      const [lite, standard, engineer] = [yield* results("lite"), yield* results("standard"), yield* results("engineer")]
      assert.deepStrictEqual([lite, standard, engineer].map((text) => text.split("doc_id").length - 1), [10, 10, 11])
      for (const mode of ["lite", "standard"] as const) {
        assert.strictEqual((yield* results(mode, 100)).split("doc_id").length - 1, 100, mode)
      }
      assert.deepStrictEqual([lite, standard, engineer].map((text) => [text.includes("snippet"), text.includes("citations")]), [
        [false, false],
        [true, false],
        [true, true]
      ])
    }))
})
