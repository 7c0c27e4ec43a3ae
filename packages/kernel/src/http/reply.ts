/** Answers that come from the idempotency store, first time and replay alike. */
import { HttpServerResponse } from "effect/http"
import type { StoredReply } from "../road/decision.ts"

/** What a keyed operation answers: the stored bytes, and whether they are a replay. */
export interface Reply extends StoredReply {
  readonly replayed: boolean
  readonly key: string
}

export const respond = (reply: Reply): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(reply.body, {
    status: reply.status,
    contentType: "application/json",
    headers: { "idempotency-key": reply.key, "idempotent-replayed": String(reply.replayed) }
  })
