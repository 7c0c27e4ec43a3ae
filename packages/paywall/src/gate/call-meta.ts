/** `_meta` of a call says what headers of the request say: clients of MCP set headers for a whole connection, and `_meta` for one call. */
import { canonicalize } from "@svc/kernel/values/canonical-json"
import { parseJson } from "@svc/kernel/values/json"
import type { ToolRequest } from "@svc/tool-kit/gate/model"
import { Result } from "effect"

interface MetaTerm {
  /** The header that says the same. */
  readonly header: string
  /** What the value is, in words. */
  readonly takes: string
  /** The value as the header has it; undefined where it does not fit. */
  readonly asHeader: (value: unknown) => string | undefined
  /** Two texts of the header that mean the same are the same here. */
  readonly comparable: (text: string) => string
}

const text = (value: unknown): string | undefined => typeof value === "string" ? value : undefined
const word = (value: string): string => value.trim().toLowerCase()

/** A text that is no JSON is for the reader of the header to refuse. */
const sameJson = (value: string): string => Result.getOrElse(Result.try(() => canonicalize(parseJson(value))), () => value)

/** By name in `_meta`. */
export const callMeta = {
  "svc/idempotency_key": {
    header: "idempotency-key",
    takes: "a string of 1 to 255 characters, fresh for each call: the identical call with the same key is answered, and not charged again",
    asHeader: text,
    comparable: (value) => value
  },
  "svc/mode": { header: "x-agent-mode", takes: "standard, lite or engineer", asHeader: text, comparable: word },
  "svc/budget": {
    header: "x-agent-budget",
    takes: "an object such as {\"budget_per_run_cents\": 50, \"spending_window\": \"daily\"}: what the call may cost",
    asHeader: (value) => typeof value === "object" && value !== null ? JSON.stringify(value) : text(value),
    comparable: sameJson
  },
  "svc/allow_duplicate": {
    header: "x-svc-allow-duplicate",
    takes: "true, to pay for the same call a second time within ten minutes",
    asHeader: (value) => typeof value === "boolean" ? String(value) : text(value),
    comparable: word
  }
} as const satisfies Record<string, MetaTerm>

const terms: ReadonlyArray<readonly [string, MetaTerm]> = Object.entries(callMeta)

/** The headers that say how a call is to be made. */
export const termHeaders: ReadonlyArray<string> = terms.map(([, { header }]) => header)

/** What each name takes, for whoever reads the documents. */
export const callMetaDescribed: Readonly<Record<string, string>> = Object.fromEntries(
  terms.map(([name, { header, takes }]) => [name, `${takes}. Says what the header ${header} says.`])
)

/**
 * The request with its headers completed from `_meta`. A failure says which of the two places is wrong, or that they disagree: neither wins
 * in silence.
 */
export const withCallMeta = (request: ToolRequest): Result.Result<ToolRequest, string> => {
  const said = terms.filter(([name]) => request.meta[name] !== undefined)
  if (said.length === 0) return Result.succeed(request)
  const headers: Record<string, string | undefined> = { ...request.headers }
  for (const [name, { asHeader, comparable, header, takes }] of said) {
    const value = asHeader(request.meta[name])
    if (value === undefined) return Result.fail(`_meta["${name}"]: takes ${takes}.`)
    const other = headers[header]
    if (other !== undefined && comparable(other) !== comparable(value)) {
      return Result.fail(`_meta["${name}"] and the header ${header} say different things. Send one of them, or the same in both.`)
    }
    headers[header] = other ?? value
  }
  return Result.succeed({ ...request, headers })
}
