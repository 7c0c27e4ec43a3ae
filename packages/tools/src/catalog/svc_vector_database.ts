/** Vectors, and the ones nearest to another: exact cosine. */
import { engineerOnly, Namespace, needed, Refusals } from "@svc/stores/model"
import { Duplicate, Match, MOST_IN_A_CALL, StoredVector, VectorIds, VectorQuery } from "@svc/stores/vectors/model"
import { Vectors } from "@svc/stores/vectors/service"
import { accountOf } from "@svc/tool-kit/call"
import { tool } from "@svc/tool-kit/tool"
import { Effect, Schema } from "effect"

const TOP_K = 10
const LITE_TOP_K = 3
const NEAR = 0.97

export const svc_vector_database = tool({
  name: "svc_vector_database",
  title: "Vector database",
  description: "Stores vectors and finds the nearest by exact cosine. The first upsert fixes the dimensions. delete takes ids.",
  auth: "key",
  kind: "inline",
  prices: { standard: 1, lite: 0, engineer: 5 },
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  // 500 vectors of 384 dimensions, or 50 of 4,096.
  keepsText: true,
  limits: { seconds: 15, bytes: 2 << 20 },
  payload: Schema.Struct({
    operation: Schema.Literals(["upsert", "query", "delete", "delete_namespace"]),
    namespace: Namespace,
    vectors: Schema.optionalKey(Schema.Array(StoredVector).check(Schema.isMinLength(1), Schema.isMaxLength(MOST_IN_A_CALL))),
    query: Schema.optionalKey(VectorQuery),
    ids: Schema.optionalKey(VectorIds),
    semantic_dedup: Schema.optionalKey(Schema.Boolean.annotate({ description: "Engineer: skip near duplicates" })),
    dedup_threshold: Schema.optionalKey(
      Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 })).annotate({ description: "Default 0.97" })
    )
  }),
  result: Schema.Union([
    Schema.Struct({ upserted: Schema.Natural, duplicates: Schema.Array(Duplicate), vectors: Schema.Natural }),
    Schema.Struct({ matches: Schema.Array(Match) }),
    Schema.Struct({ deleted: Schema.Natural })
  ]),
  error: Refusals,
  examples: [
    { operation: "upsert", namespace: "docs", vectors: [{ id: "a", vector: [0.1, 0.9, 0.2], metadata: { lang: "en" } }] },
    { operation: "query", namespace: "docs", query: { vector: [0.2, 0.8, 0.1], top_k: 5, filter: { lang: "en" } } }
  ],
  // Room that is given back costs nothing.
  services: [Vectors],
  price: ({ operation }, _mode, fixed) => operation === "upsert" || operation === "query" ? fixed : 0,
  readsOnly: ({ operation }) => operation === "query",
  run: Effect.fnUntraced(function*({ dedup_threshold, ids, namespace, operation, query, semantic_dedup, vectors }, call) {
    const { id: account } = accountOf(call)
    const store = yield* Vectors
    const { recency_half_life_days, sparse_ids } = query ?? {}
    yield* engineerOnly(call.mode, { recency_half_life_days, sparse_ids, dedup_threshold, semantic_dedup })
    const dedup = semantic_dedup ?? dedup_threshold !== undefined ? dedup_threshold ?? NEAR : undefined
    switch (operation) {
      case "upsert":
        return yield* store.upsert(account, namespace, yield* needed(operation, "vectors", vectors), { dedup })
      case "query": {
        const asked = yield* needed(operation, "query", query)
        const wanted = asked.top_k ?? TOP_K
        return {
          matches: yield* store.query(account, namespace, asked, {
            dedup,
            count: call.mode === "lite" ? Math.min(wanted, LITE_TOP_K) : wanted
          })
        }
      }
      case "delete":
        return { deleted: yield* store.remove(account, namespace, yield* needed(operation, "ids", ids)) }
      case "delete_namespace":
        return { deleted: yield* store.removeNamespace(account, namespace) }
    }
  })
})
