/** The session of a person in the desk. */
import { EXAMPLE_TIME, exampleId } from "@svc/kernel/resource/examples"
import { idSchema } from "@svc/kernel/values/ids"
import { Timestamp } from "@svc/kernel/values/time"
import { Schema } from "effect"
import { type Person, Role } from "../access/model.ts"

export const SessionId = idSchema("ses", "SessionId")
export type SessionId = typeof SessionId.Type

/** A session ends when nothing is asked for so long. */
export const IDLE_MINUTES = 30

/** A session ends so long after its beginning, whatever is asked. */
export const LONGEST_HOURS = 12

/** How long a proof by passkey or identity provider is enough for what needs a fresh one: keys, payout destinations, roles. */
export const CONFIRMED_MINUTES = 5

/** Whether the proof of who a person is still is enough at this moment, in Unix milliseconds. */
export const isProvenAt = ({ confirmed_at }: Pick<Person, "confirmed_at">, millis: number): boolean =>
  millis - confirmed_at <= CONFIRMED_MINUTES * 60_000

/** An account in which somebody may sign in, or the installation where it is null. */
export const Membership = Schema.Struct({
  account_id: Schema.NullOr(Schema.String),
  account_name: Schema.NullOr(Schema.String),
  /** A sandbox and its live account have the same name. */
  sandbox: Schema.Boolean,
  role: Role
})
export type Membership = typeof Membership.Type

/** A session as the API shows it. */
export const PersonSession = Schema.Struct({
  id: SessionId,
  account_id: Schema.NullOr(Schema.String).annotate({ description: "Where the person is signed in; null in the installation" }),
  person_id: Schema.String,
  ip: Schema.NullOr(Schema.String).annotate({ description: "Where the sign-in came from, as far as that is known" }),
  user_agent: Schema.NullOr(Schema.String).annotate({ description: "What the browser calls itself" }),
  created_at: Timestamp.annotate({ description: "When the person signed in" }),
  seen_at: Timestamp.annotate({ description: "When the session was last used, to the minute" }),
  confirmed_at: Timestamp.annotate({ description: "When the person last proved who they are" })
}).annotate({
  identifier: "PersonSession",
  description:
    `A browser in which a person is signed in. It ends after ${IDLE_MINUTES} idle minutes, and after ${LONGEST_HOURS} hours at most.`
}).pipe(Schema.annotateEncoded({
  examples: [{
    id: exampleId("ses"),
    account_id: exampleId("acct"),
    person_id: exampleId("usr"),
    ip: "203.0.113.7",
    user_agent: "Mozilla/5.0",
    created_at: EXAMPLE_TIME,
    seen_at: EXAMPLE_TIME,
    confirmed_at: EXAMPLE_TIME
  }]
}))
export type PersonSession = typeof PersonSession.Type
