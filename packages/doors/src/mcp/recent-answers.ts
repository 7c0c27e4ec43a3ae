/** Answers of a session's charged calls, for the identical request that comes again because its answer was lost. */
import { parseJson } from "@svc/kernel/values/json"
import { isRecord } from "@svc/kernel/values/record"
import { termHeaders } from "@svc/paywall/gate/call-meta"
import { withoutCredits } from "@svc/paywall/gate/credit-headers"
import type { AnsweredCall, ToolAnswer } from "@svc/tool-kit/gate/model"
import { all } from "@svc/tools/catalog/index"
import { Duration, Schema } from "effect"
import { hash } from "node:crypto"
import type { HeldCharacters } from "./event-log.ts"
import type { Id, Message } from "./json-rpc.ts"
import type { Limits } from "./limits.ts"
import type { Door } from "./methods.ts"

type Bounds = Pick<(typeof Limits)["Service"], "answers" | "answerSize" | "allAnswerSize" | "answerAge">

interface Kept {
  /** Unix milliseconds. */
  readonly at: number
  readonly text: string
}

const Stored = Schema.Struct({
  result: Schema.Unknown,
  charged: Schema.Int,
  headers: Schema.Record(Schema.String, Schema.String),
  meta: Schema.Record(Schema.String, Schema.Unknown)
})
const decode = Schema.decodeUnknownSync(Stored)

/** Tools that never cost anything: asked again, they run again. */
const free: ReadonlySet<string> = new Set(
  all.filter(({ meta }) => meta.prices === "free").flatMap(({ meta, name }) => [name, ...(meta.also ?? [])])
)

/**
 * What two requests share that are the same call: id, name, arguments, and the terms in headers and `_meta`. What a request pays with is
 * left out: a call that was paid for is not paid for again. Undefined for what is never charged.
 */
export const identityOf = (
  { id, method, params = {} }: Message & { readonly id: Id },
  { headers }: Pick<Door, "headers">
): string | undefined => {
  const { _meta, arguments: args, name } = params
  if (id === null || method !== "tools/call" || typeof name !== "string" || free.has(name)) return undefined
  const terms = isRecord(_meta) ? Object.entries(_meta).filter(([key]) => key.startsWith("svc/")) : []
  return hash("sha256", JSON.stringify([id, name, args, terms, termHeaders.map((header) => headers[header])]))
}

/** Whether money was taken for an answer that delivered. */
const isCharged = ({ charged, isError }: AnsweredCall): boolean => !isError && charged > 0

/** An answer as the same call has it again: what was charged for costs nothing the second time. The gate adds the credits of the moment. */
export const repeated = (answer: ToolAnswer): ToolAnswer => {
  if (answer._tag !== "Answered" || !isCharged(answer)) return answer
  const headers = withoutCredits(answer.headers)
  const cost = "x-svc-request-cost" in headers ? { "x-svc-request-cost": "0" } : {}
  return {
    ...answer,
    charged: 0,
    headers: { ...headers, ...cost, "x-svc-replayed": "true" },
    meta: { ...answer.meta, "svc/replayed": true }
  }
}

export class RecentAnswers {
  readonly #held: HeldCharacters
  readonly #bounds: Bounds
  /** The oldest first. */
  readonly #kept = new Map<string, Kept>()
  #size = 0

  constructor(held: HeldCharacters, bounds: Bounds) {
    this.#held = held
    this.#bounds = bounds
  }

  find(identity: string, now: number): ToolAnswer | undefined {
    this.expire(now)
    const kept = this.#kept.get(identity)
    if (kept === undefined) return undefined
    return repeated({ _tag: "Answered", isError: false, ...decode(parseJson(kept.text)) })
  }

  /** Keeps what was charged for, if it is not too large; the oldest gives way. */
  keep(identity: string, answer: ToolAnswer, now: number): void {
    if (answer._tag !== "Answered" || !isCharged(answer)) return
    const { charged, headers, meta, result } = answer
    const text = JSON.stringify({ result, charged, headers, meta })
    const { allAnswerSize, answers, answerSize } = this.#bounds
    if (text.length > answerSize || this.#kept.has(identity)) return
    this.#kept.set(identity, { at: now, text })
    this.#add(text.length)
    this.expire(now)
    while (this.#kept.size > answers || this.#size > answerSize || (this.#held.answers > allAnswerSize && this.#kept.size > 0)) {
      this.#dropOldest()
    }
  }

  /** Lets go of what is too old. */
  expire(now: number): void {
    const before = now - Duration.toMillis(this.#bounds.answerAge)
    for (const { at } of this.#kept.values()) {
      if (at >= before) return
      this.#dropOldest()
    }
  }

  forget(): void {
    this.#kept.clear()
    this.#add(-this.#size)
  }

  #dropOldest(): void {
    const [oldest] = this.#kept
    if (oldest === undefined) return
    this.#kept.delete(oldest[0])
    this.#add(-oldest[1].text.length)
  }

  #add(size: number): void {
    this.#size += size
    this.#held.answers += size
  }
}
