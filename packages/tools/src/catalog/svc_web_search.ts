/** A search of documents that the caller has indexed: of pages it may show, and not of the web. */
import { name, Namespace, needed, Refusals, text } from "@svc/stores/model"
import { Citation, DocId, MaxResults, MOST_IN_A_CALL, SearchDocument, SearchHit } from "@svc/stores/search/model"
import { Search } from "@svc/stores/search/service"
import { tokensOf } from "@svc/stores/search/tokens"
import { accountOf } from "@svc/tool-kit/call"
import { unsaid } from "@svc/tool-kit/fields"
import { billed, tool } from "@svc/tool-kit/tool"
import { Effect, Schema } from "effect"

const RESULTS = 10
const PRICES = { standard: 1, lite: 0, engineer: 25 }

/** A query without a word, such as one of punctuation alone, finds nothing, and would be charged for it. */
const Words = name(512).check(
  Schema.makeFilter((query) => tokensOf(query).length > 0, { ...unsaid, message: "must hold a word to search for" })
)

export const svc_web_search = tool({
  name: "svc_web_search",
  title: "Search documents",
  description:
    "Ranks documents that you indexed, by BM25. Not the internet. Only search costs; engineer adds a quoted answer with citations.",
  auth: "key",
  kind: "inline",
  prices: PRICES,
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  // A hundred pages of ten kilobytes.
  keepsText: true,
  limits: { seconds: 15, bytes: 1 << 20 },
  payload: Schema.Struct({
    operation: Schema.Literals(["index", "search", "delete", "delete_namespace", "count"]),
    namespace: Namespace,
    document: Schema.optionalKey(SearchDocument),
    documents: Schema.optionalKey(Schema.Array(SearchDocument).check(Schema.isMinLength(1), Schema.isMaxLength(MOST_IN_A_CALL))),
    query: Schema.optionalKey(Words),
    max_results: Schema.optionalKey(MaxResults),
    site: Schema.optionalKey(text(253).annotate({ description: "Host; subdomains count" })),
    doc_id: Schema.optionalKey(DocId)
  }),
  result: Schema.Union([
    Schema.Struct({ indexed: Schema.Natural, documents: Schema.Natural }),
    Schema.Struct({
      hits: Schema.Array(SearchHit),
      answer: Schema.optionalKey(Schema.String),
      citations: Schema.optionalKey(Schema.Array(Citation))
    }),
    Schema.Struct({ deleted: Schema.Natural }),
    Schema.Struct({ documents: Schema.Natural })
  ]),
  error: Refusals,
  examples: [
    {
      operation: "index",
      namespace: "help",
      document: { doc_id: "refunds", url: "https://example.com/refunds", title: "Refunds", content: "Refunds arrive within five days." }
    },
    { operation: "search", namespace: "help", query: "when do refunds arrive", max_results: 5, site: "example.com" }
  ],
  services: [Search],
  price: ({ operation }, _mode, fixed) => operation === "search" ? fixed : 0,
  readsOnly: ({ operation }) => operation === "search" || operation === "count",
  run: Effect.fnUntraced(function*({ doc_id, document, documents, max_results = RESULTS, namespace, operation, query, site }, call) {
    const { id: account } = accountOf(call)
    const store = yield* Search
    switch (operation) {
      case "index": {
        const given = yield* needed(
          operation,
          "document or documents",
          document === undefined ? documents : [document, ...(documents ?? [])]
        )
        return { indexed: given.length, documents: yield* store.index(account, namespace, given) }
      }
      case "search": {
        const asked = {
          query: yield* needed(operation, "query", query),
          site,
          snippets: call.mode !== "lite",
          answer: call.mode === "engineer",
          count: max_results
        }
        const result = yield* store.search(account, namespace, asked)
        // An answer of no sentence is no answer: it costs what the hits cost.
        return result.answer === "" ? billed(result, PRICES.standard) : result
      }
      case "delete":
        return { deleted: yield* store.remove(account, namespace, yield* needed(operation, "doc_id", doc_id)) }
      case "delete_namespace":
        return { deleted: yield* store.removeNamespace(account, namespace) }
      case "count":
        return { documents: yield* store.count(account, namespace) }
    }
  })
})
