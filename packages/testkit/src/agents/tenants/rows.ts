/**
 * What an account can make through the tool server, one row each: how it is made, and everything that can be done with it by its id. A
 * thing that joins is one row; a tool of the catalog that calls a service, and is neither in a row nor among those that keep nothing, fails
 * the test.
 */
import { SnapshotStore } from "@svc/stores/snapshots/service/snapshot-store"
import { Effect, type Scope } from "effect"
import type { HttpServer } from "effect/http"
import type { SqlClient } from "effect/sql"
import { hash } from "node:crypto"
import { deflateRawSync } from "node:zlib"
import { jsonOf, send, type Service } from "../../contract/service.ts"
import type { WireAnswer } from "../../contract/wire.ts"
import type { Caller } from "../service.ts"

type Needs = Service | SnapshotStore | SqlClient.SqlClient | HttpServer.HttpServer | Scope.Scope
type Ask = (who: Caller, id: string) => Effect.Effect<WireAnswer, never, Needs>

export interface Row {
  readonly what: string
  /** Tools of the catalog that reach it. */
  readonly tools: ReadonlyArray<string>
  /** The account makes one, and this is its id; undefined where this installation has nothing that makes one. */
  readonly make: (who: Caller, name: string) => Effect.Effect<string | undefined, never, Needs>
  /** Shows it, and changes nothing. */
  readonly look: Ask
  /** All that can be done with it besides. */
  readonly acts: Readonly<Record<string, Ask>>
}

const rpc = (method: string, params: object) => ({ jsonrpc: "2.0", id: 1, method, params })

/** A call of a tool without a session. */
export const call = ({ key }: Caller, name: string, args: object, headers: Readonly<Record<string, string>> = {}) =>
  send("POST", "/mcp", { key, headers, body: rpc("tools/call", { name, arguments: args }) })

const tool = (name: string, args: (id: string) => object): Ask => (who, id) => call(who, name, args(id))

const isAway = ({ text }: WireAnswer): boolean => text.includes("_not_configured")

/** Makes it by a call that has to succeed. */
const made = (name: string, args: (id: string) => object) =>
  Effect.fnUntraced(function*(who: Caller, id: string) {
    const answer = yield* call(who, name, args(id))
    if (answer.status !== 200 || !answer.text.includes("\"isError\":false")) {
      return yield* Effect.die(new Error(`${name} answered ${answer.status} ${answer.text}`))
    }
    return isAway(answer) ? undefined : id
  })

const searchable: Row = {
  what: "documents that are searched",
  tools: ["svc_web_search"],
  make: made(
    "svc_web_search",
    (namespace) => ({
      operation: "index",
      namespace,
      document: {
        doc_id: "d1",
        url: "https://example.com/d1",
        title: "Refunds",
        content: "A secret of ours: refunds arrive within five days."
      }
    })
  ),
  look: tool("svc_web_search", (namespace) => ({ operation: "search", namespace, query: "refunds" })),
  acts: {
    count: tool("svc_web_search", (namespace) => ({ operation: "count", namespace })),
    delete: tool("svc_web_search", (namespace) => ({ operation: "delete", namespace, doc_id: "d1" })),
    delete_namespace: tool("svc_web_search", (namespace) => ({ operation: "delete_namespace", namespace }))
  }
}

const vectors: Row = {
  what: "vectors",
  tools: ["svc_vector_database"],
  make: made(
    "svc_vector_database",
    (namespace) => ({ operation: "upsert", namespace, vectors: [{ id: "v1", vector: [1, 0, 0], metadata: { secret: "ours" } }] })
  ),
  look: tool("svc_vector_database", (namespace) => ({ operation: "query", namespace, query: { vector: [1, 0, 0] } })),
  acts: {
    // Of other dimensions: a namespace of somebody else has none.
    upsert: tool("svc_vector_database", (namespace) => ({ operation: "upsert", namespace, vectors: [{ id: "v1", vector: [1, 0] }] })),
    delete: tool("svc_vector_database", (namespace) => ({ operation: "delete", namespace, ids: ["v1"] })),
    delete_namespace: tool("svc_vector_database", (namespace) => ({ operation: "delete_namespace", namespace }))
  }
}

const analytics: Row = {
  what: "events that are counted",
  tools: ["svc_analytics"],
  make: made("svc_analytics", (namespace) => ({ operation: "capture", namespace, event: { event: "signup", user_id: "u1" } })),
  look: tool("svc_analytics", (namespace) => ({ operation: "query", namespace, query: { kind: "count" } })),
  acts: {
    by_event: tool("svc_analytics", (namespace) => ({ operation: "query", namespace, query: { kind: "count_by_event" } })),
    delete_namespace: tool("svc_analytics", (namespace) => ({ operation: "delete_namespace", namespace }))
  }
}

const objectTool = (args: (key: string) => object): Ask => (who, key) =>
  call(who, "svc_object_storage", args(key), { "X-Agent-Mode": "engineer" })

const objects: Row = {
  what: "objects",
  tools: ["svc_object_storage"],
  make: Effect.fnUntraced(function*(who: Caller, key: string) {
    const signed = yield* call(who, "svc_object_storage", { operation: "put", key })
    const [, path = ""] = /"url":"http:\/\/[^/]+([^"]+)"/.exec(signed.text) ?? []
    const stored = yield* send("PUT", path, { body: { secret: "ours" } })
    return stored.status === 200 ? key : yield* Effect.die(new Error(`an upload answered ${stored.status} ${stored.text}`))
  }),
  look: objectTool((key) => ({ operation: "list", key })),
  acts: {
    copy: objectTool((key) => ({ operation: "copy", key: "mine", source_key: key })),
    delete: objectTool((key) => ({ operation: "delete", key }))
  }
}

const snapshots: Row = {
  what: "snapshots",
  tools: ["analyze_files", "analyze_repo", "svc_improve_my_agent", "get_snapshot", "delete_snapshot", "get_artifact", "deploy", "closer"],
  make: Effect.fnUntraced(function*({ id: account }: Caller) {
    const store = yield* SnapshotStore
    const id = yield* store.begin({ by: { account, perMonth: 100 }, description: { project_name: "shop" } })
    const text = "export const ours = 1\n"
    const about = { path: "AGENTS.md", sha256: hash("sha256", text), bytes: text.length }
    yield* store.complete(account, id, {
      files: [{ ...about, lines: 2, deflated: deflateRawSync(text) }],
      artifacts: [{ ...about, program: "skills", free: true, evidence: "none", text, citations: [] }],
      programs: ["skills"],
      skipped: { count: 0, files: [] }
    })
    return id
  }, Effect.orDie),
  look: tool("get_snapshot", (snapshot_id) => ({ snapshot_id })),
  acts: {
    artifact: tool("get_artifact", (snapshot_id) => ({ snapshot_id, path: "AGENTS.md" })),
    deploy: tool("deploy", (snapshot_id) => ({ snapshot_id })),
    closer: tool("closer", (snapshot_id) => ({ snapshot_id })),
    delete: tool("delete_snapshot", (snapshot_id) => ({ snapshot_id })),
    delete_by_rest: ({ key }, id) => send("DELETE", `/v1/snapshots/${id}`, { key }),
    search: ({ key }, id) => send("GET", `/v1/snapshots/${id}/search?q=ours`, { key }),
    bundle: ({ key }, id) => send("GET", `/v1/snapshots/${id}/bundle.tar.gz`, { key }),
    program: ({ key }, id) => send("POST", `/v1/snapshots/${id}/programs/search`, { key }),
    discard: ({ key }, id) => send("POST", `/v1/snapshots/${id}/discard`, { key })
  }
}

const referral: Row = {
  what: "what referrals earned",
  tools: ["get_referral_code", "get_referral_credits"],
  make: Effect.fnUntraced(function*(who: Caller) {
    const answer = yield* call(who, "get_referral_code", {})
    return /"referral_token":"([^"]+)"/.exec(answer.text)?.[1]
  }),
  // Asked for by nobody's id: each sees their own alone.
  look: tool("get_referral_credits", () => ({})),
  acts: {}
}

const sessionOf = (session: string) => ({ "Mcp-Session-Id": session, Accept: "application/json" })

const sessions: Row = {
  what: "sessions",
  tools: [],
  make: Effect.fnUntraced(function*({ key }: Caller) {
    const opened = yield* send("POST", "/mcp", {
      key,
      headers: { Accept: "application/json" },
      body: rpc("initialize", { protocolVersion: "2025-03-26", capabilities: {}, clientInfo: { name: "t", version: "1" } })
    })
    return opened.headers["mcp-session-id"]
  }),
  look: ({ key }, id) => send("POST", "/mcp", { key, headers: sessionOf(id), body: rpc("ping", {}) }),
  acts: {
    call: ({ key }, id) =>
      send("POST", "/v1/mcp", { key, headers: sessionOf(id), body: rpc("tools/call", { name: "list_programs", arguments: {} }) }),
    batch: ({ key }, id) => send("POST", "/mcp", { key, headers: sessionOf(id), body: [rpc("ping", {})] }),
    cancel: ({ key }, id) =>
      send("POST", "/mcp", {
        key,
        headers: sessionOf(id),
        body: { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } }
      }),
    read: ({ key }, id) => send("GET", "/mcp", { key, headers: sessionOf(id) }),
    resume: ({ key }, id) => send("GET", "/mcp", { key, headers: { ...sessionOf(id), "Last-Event-ID": "1.0" } }),
    by_messages: ({ key }, id) => send("POST", `/v1/mcp/messages?session_id=${id}`, { key, body: rpc("ping", {}) }),
    without_a_key: (_, id) => send("POST", "/mcp", { headers: sessionOf(id), body: rpc("ping", {}) }),
    end: ({ key }, id) => send("DELETE", "/mcp", { key, headers: sessionOf(id) })
  }
}

const paidCalls: Row = {
  what: "calls",
  tools: [],
  make: Effect.fnUntraced(function*(who: Caller) {
    yield* call(who, "svc_web_search", { operation: "search", namespace: "calls", query: "a" })
    const id = /"id":"(call_[^"]+)"/.exec((yield* send("GET", "/v1/usage", who)).text)?.[1]
    if (id === undefined) return yield* Effect.die(new Error("a call that was paid for is not in its account's usage"))
    const own = yield* send("GET", `/v1/calls/${id}`, who)
    return own.status === 200 ? id : undefined
  }),
  look: (who, id) => send("GET", `/v1/calls/${id}`, who),
  acts: {}
}

const usage: Row = {
  what: "usage",
  tools: [],
  make: Effect.fnUntraced(function*(who: Caller) {
    yield* call(who, "svc_web_search", { operation: "search", namespace: "usage", query: "a" })
    const list = jsonOf(yield* send("GET", "/v1/usage", who))
    return list["total"] === 0 ? undefined : "own"
  }),
  look: (who) => send("GET", "/v1/usage", who),
  acts: {}
}

const account: Row = {
  what: "accounts",
  tools: [],
  make: ({ id }: Caller) => Effect.succeed(id),
  look: (who) => send("GET", "/v1/account", who),
  acts: {
    by_id: (who, id) => send("GET", `/v1/accounts/${id}`, who)
  }
}

export const rows: ReadonlyArray<Row> = [searchable, vectors, analytics, objects, snapshots, referral, sessions, paidCalls, usage, account]

/**
 * Tools that call a service and keep nothing of their callers: another account has nothing to see. A tool that calls no service has nowhere
 * to keep anything, and is not named here.
 */
export const keepNothing: ReadonlySet<string> = new Set([
  "prepare_agentic_purchasing_preview",
  "prepare_agentic_purchasing",
  "search_and_discover_tools",
  "get_install_manifest",
  "discover_agentic_purchasing_needs",
  "discover_estate_tools",
  "svc_web_research",
  "svc_web_research_crawl",
  "svc_embeddings",
  "svc_transactional_email",
  "svc_llm_inference",
  "svc_code_sandbox",
  "svc_document_parsing",
  "svc_text_to_speech",
  "svc_speech_to_text",
  "svc_hygiene",
  "assemble_representment"
])
