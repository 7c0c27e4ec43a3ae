/** A mail that tells one person of what needs them. */
import { Schema } from "effect"
import { Role } from "../access/model.ts"
import { AttentionItem } from "../attention/model.ts"

export const AttentionMail = Schema.Struct({
  id: Schema.Int,
  account_id: Schema.String,
  account_name: Schema.String,
  sandbox: Schema.Boolean,
  user_id: Schema.String,
  /** Null where the person has left the account meanwhile, or has no address any more. */
  email: Schema.NullOr(Schema.String),
  items: Schema.Array(AttentionItem),
  /** The one that is made now among them. */
  attempts: Schema.Int
})
export type AttentionMail = typeof AttentionMail.Type

/** Somebody who can be told. */
export const Addressee = Schema.Struct({ user_id: Schema.String, role: Role })
export type Addressee = typeof Addressee.Type

/** What became of an attempt. A mail that is `pending` again has a moment at which it is tried next. */
export type MailOutcome = { readonly status: "sent" | "failed" } | { readonly status: "pending"; readonly due_at: string }

/** An account's people get no mail sooner than this after the one before: what came meanwhile is in the next one, together. */
export const MINUTES_BETWEEN_MAILS = 10
