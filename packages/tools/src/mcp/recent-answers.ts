/** Answers of a session's charged calls, for the identical request that comes again because its answer was lost. */
import { parseJson } from "@svc/kernel/json"
import { Duration, Schema } from "effect"
import { hash } from "node:crypto"
import { all } from "../catalog/index.ts"
import { termHeaders } from "../gate/call-meta.ts"
import type { Answered } from "../gate/model.ts"
import type { MethodAnswer } from "./answers.ts"
import type { Held } from "./event-log.ts"
import type { Id, Message } from "./json-rpc.ts"
import type { Limits } from "./limits.ts"
import type { Door } from "./methods.ts"

type Bounds = Pick<(typeof Limits)["Service"], "answers" | "answerSize" | "allAnswerSize" | "answerAge">

interface Kept {
  /** Unix milliseconds. */
  readonly at: number
  readonly text: string
}

const Stored = Schema.Struct({ result: Schema.Unknown, headers: Schema.Record(Schema.String, Schema.String), meta: Schema.Record(Schema.String, Schema.Unknown) })
const decode = Schema.decodeUnknownSync(Stored)

/** Tools that never cost anything: asked again, they run again. */
const free: ReadonlySet<string> = new Set(all.filter(({ meta }) => meta.prices === "free").flatMap(({ meta, name }) => [name, ...(meta.also ?? [])]))

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === "object" && value !== null && !Array.isArray(value)

/**
 * What two requests share that are the same call: id, name, arguments, and the terms in headers and `_meta`. What a request pays with is left out:
 * a call that was paid for is not paid for again. Undefined for what is never charged.
 */
export const identityOf = ({ id, method, params = {} }: Message & { readonly id: Id }, { headers }: Pick<Door, "headers">): string | undefined => {
  const { _meta, arguments: args, name } = params
  if (id === null || method !== "tools/call" || typeof name !== "string" || free.has(name)) return undefined
  const terms = isRecord(_meta) ? Object.entries(_meta).filter(([key]) => key.startsWith("svc/")) : []
  return hash("sha256", JSON.stringify([id, name, args, terms, termHeaders.map((header) => headers[header])]))
}

/** Whether money was taken for an answer: an account is told what it cost, and whoever has no account has a receipt. */
const isCharged = ({ headers, isError }: Answered): boolean => !isError && Object.keys(headers).length > 0 && headers["x-svc-request-cost"] !== "0"

export class RecentAnswers {
  readonly #held: Held
  readonly #bounds: Bounds
  /** The oldest first. */
  readonly #kept = new Map<string, Kept>()
  #size = 0

  constructor(held: Held, bounds: Bounds) {
    this.#held = held
    this.#bounds = bounds
  }

  find(identity: string, now: number): MethodAnswer | undefined {
    this.expire(now)
    const kept = this.#kept.get(identity)
    if (kept === undefined) return undefined
    const { headers, meta, result } = decode(parseJson(kept.text))
    const cost = "x-svc-request-cost" in headers ? { "x-svc-request-cost": "0" } : {}
    const answer: Answered = { _tag: "Answered", result, isError: false, headers: { ...headers, ...cost, "x-svc-replayed": "true" }, meta: { ...meta, "svc/replayed": true } }
    return { _tag: "Tool", answer }
  }

  /** Keeps what was charged for, if it is not too large; the oldest gives way. */
  keep(identity: string, of: MethodAnswer, now: number): void {
    if (of._tag !== "Tool" || of.answer._tag !== "Answered" || !isCharged(of.answer)) return
    const { headers, meta, result } = of.answer
    const text = JSON.stringify({ result, headers, meta })
    const { allAnswerSize, answers, answerSize } = this.#bounds
    if (text.length > answerSize || this.#kept.has(identity)) return
    this.#kept.set(identity, { at: now, text })
    this.#add(text.length)
    this.expire(now)
    while (this.#kept.size > answers || this.#size > answerSize || (this.#held.answers > allAnswerSize && this.#kept.size > 0)) this.#dropOldest()
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
