/** Answers that come from the idempotency store, first time and replay alike. */
import { Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import type { StoredReply } from "../road/decision.ts"
import type { Header } from "./headers.ts"

/** What a keyed operation answers: the stored bytes, and whether they are a replay. */
export interface Reply extends StoredReply {
  readonly replayed: boolean
  readonly key: string
}

/** On every answer that is stored under a key. */
export const replyHeaders: ReadonlyArray<Header> = [
  {
    name: "Idempotent-Replayed",
    value: Schema.Literals(["true", "false"]).annotate({
      description: "`true` when this is the stored answer of an earlier request with the same key."
    })
  },
  {
    name: "Idempotency-Key",
    value: Schema.String.annotate({
      description: "The key under which the answer is stored.",
      examples: ["3c9ae5ea-980f-4ebd-a027-04529942b95e"]
    })
  }
]

export const respond = (reply: Reply): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(reply.body, {
    status: reply.status,
    contentType: "application/json",
    headers: { "idempotency-key": reply.key, "idempotent-replayed": String(reply.replayed) }
  })
