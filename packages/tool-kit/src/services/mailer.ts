/** What sends mail. */
import { Context, type Effect, Schema } from "effect"
import type { Backend } from "../backend.ts"
import type { Call } from "../call.ts"
import { may } from "../fields.ts"
import type { FetchFailed, InvalidRequest } from "./errors.ts"

export const Sent = Schema.Struct({
  message_id: Schema.String,
  delivered_to: Schema.Array(Schema.String),
  from: Schema.String,
  subject: Schema.String,
  /** Recipients whom the mail server would not write to. */
  rejected: Schema.Array(Schema.Struct({ address: Schema.String, reason: Schema.String, temporary: Schema.Boolean })),
  /** `delivery_unknown`: the mail server took all of it, and its reply was lost. It is not sent again. */
  status: Schema.Literals(["sent", "delivery_unknown"])
})

export type Sent = typeof Sent.Type

const DnsRecord = Schema.Struct({
  type: Schema.Literals(["TXT", "CNAME", "MX"]),
  name: Schema.String,
  value: Schema.String,
  purpose: Schema.String
})

/** What a domain publishes so that its mail is believed. */
export const SenderSetup = Schema.Struct({
  domain: Schema.String,
  records: Schema.Array(DnsRecord),
  /** PEM, given once and not kept. */
  dkim_private_key: may(Schema.String),
  steps: Schema.Array(Schema.String)
})

export interface MailRequest {
  readonly to: ReadonlyArray<string>
  readonly subject: string
  readonly body_html?: string
  readonly body_text?: string
  readonly reply_to?: string
}

export interface SetupRequest {
  readonly domain: string
  readonly provider?: string
  readonly dkim_selector?: string
  readonly dmarc_policy?: "none" | "quarantine" | "reject"
}

export class Mailer extends Context.Service<
  Mailer,
  Backend<{
    readonly send: (mail: MailRequest, call: Call) => Effect.Effect<typeof Sent.Type, FetchFailed | InvalidRequest>
    /** Sends nothing. */
    readonly setup: (request: SetupRequest) => Effect.Effect<typeof SenderSetup.Type, InvalidRequest>
  }>
>()("@svc/tool-kit/Mailer") {}
