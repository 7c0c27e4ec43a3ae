/** Calls that cost something, sent again with one key until they are answered, over servers that may die at any moment. */
import { parseJson } from "@svc/kernel/values/json"
import { Effect } from "effect"
import { field } from "../../clients/conformance/parts.ts"
import type { Chance } from "../../simulation/chance.ts"

/** A call as it is meant: sent by whoever, however often, it happens once. */
export interface Intended {
  readonly token: string
  /** Its `Idempotency-Key`. */
  readonly key: string
  readonly tool: string
  readonly mode: "standard" | "engineer"
  readonly args: object
  /** What it costs when it succeeds. */
  readonly cents: number
  /** How it has to end where no limit is in its way. */
  readonly ends: "delivered" | "failed" | "away"
}

/** What was heard of it, from all who sent it. */
export interface Heard {
  readonly call: Intended
  /** Results, as text. */
  readonly delivered: Array<string>
  /** Cents, as the header of each answer that delivered had them. */
  readonly costs: Array<number>
  /** Codes of refusals that are final. */
  readonly refused: Array<{ readonly code: string; readonly key: string | undefined }>
  readonly failed: Array<string>
  readonly problems: Array<string>
  lost: number
}

export const hear = (call: Intended): Heard => ({ call, delivered: [], costs: [], refused: [], failed: [], problems: [], lost: 0 })

const query = (namespace: string) => ({ operation: "search", namespace, query: "refunds" })

/** A namespace with a document that an engineer's search quotes: without a quotation it would cost what the plain one costs. */
export const QUOTED = "quoted"

/** A call that costs 1, 5 or 25 cents, or nothing because it fails or its backend is away. */
export const intend = (chance: Chance, token: string, key: string): Intended => {
  const search = { token, key, tool: "svc_web_search", args: query(key.slice(0, 40)), ends: "delivered" } as const
  const kind = chance.next()
  if (kind < 0.5) return { ...search, mode: "standard", cents: 1 }
  if (kind < 0.75) {
    return {
      token,
      key,
      tool: "svc_vector_database",
      mode: "engineer",
      args: { operation: "query", namespace: "v", query: { vector: [1, 0] } },
      cents: 5,
      ends: "delivered"
    }
  }
  if (kind < 0.85) return { ...search, args: query(QUOTED), mode: "engineer", cents: 25 }
  if (kind < 0.93) return { ...search, mode: "standard", args: { operation: "search", namespace: "n" }, cents: 0, ends: "failed" }
  return { token, key, tool: "svc_llm_inference", mode: "standard", args: { prompt: "text" }, cents: 0, ends: "away" }
}

const PATIENCE = 10_000

interface Answer {
  readonly status: number
  readonly body: unknown
  readonly cost: string | null
}

/** Sends it once; undefined when no whole answer came. */
const ask = (url: string, { args, key, mode, token, tool }: Intended) =>
  Effect.promise(async (): Promise<Answer | undefined> => {
    try {
      const answer = await fetch(`${url}/mcp`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json", "idempotency-key": key, "x-agent-mode": mode },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: tool, arguments: args } }),
        signal: AbortSignal.timeout(PATIENCE)
      })
      return { status: answer.status, body: parseJson(await answer.text()), cost: answer.headers.get("x-svc-request-cost") }
    } catch {
      return undefined
    }
  })

/** Notes what came. True once nothing more is to be expected. */
const note = (heard: Heard, answer: Answer | undefined): boolean => {
  if (answer === undefined) {
    heard.lost++
    return false
  }
  const { body, cost, status } = answer
  const result = field(body, "result")
  if (result !== undefined) {
    const text = JSON.stringify(field(result, "structuredContent"))
    const isAway = field(result, "structuredContent", "_not_configured") === true
    const ended = field(result, "isError") === true ? "failed" : isAway ? "away" : "delivered"
    if (ended !== heard.call.ends) heard.problems.push(`${heard.call.key} was to be ${heard.call.ends} and is ${ended}: ${text}`)
    if (ended === "delivered") {
      heard.delivered.push(text)
      heard.costs.push(Number(cost))
    } else heard.failed.push(text)
    return true
  }
  const code = field(body, "error", "data", "code") ?? field(body, "error_code")
  const again = code === "IDEMPOTENCY_CONFLICT" || status === 503
  if (again) return false
  if (code === "AGENT_BUDGET_EXCEEDED" || code === "CREDITS_EXHAUSTED") {
    const key = field(body, "error", "data", "agent_key_id")
    heard.refused.push({ code, key: typeof key === "string" ? key : undefined })
    return true
  }
  heard.problems.push(`${heard.call.key} was answered ${status} ${JSON.stringify(body).slice(0, 300)}`)
  return true
}

const TURNS = 600

/** Sends it until it is answered. `base` is a server that runs, asked for anew each time. */
export const insist = Effect.fnUntraced(function*(heard: Heard, base: () => string | undefined, pause: () => number) {
  for (let turn = 0; turn < TURNS; turn++) {
    const url = base()
    if (url !== undefined && note(heard, yield* ask(url, heard.call))) return
    yield* Effect.sleep(pause())
  }
  heard.problems.push(`${heard.call.key} never got an answer`)
})
