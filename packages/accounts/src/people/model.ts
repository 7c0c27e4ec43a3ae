/** People: users of this installation, and what each is to an account or to the installation. */
import { EXAMPLE_TIME, exampleId } from "@svc/kernel/resource/examples"
import { EmailAddress } from "@svc/kernel/values/email-address"
import { idSchema } from "@svc/kernel/values/ids"
import { oneLine } from "@svc/kernel/values/text"
import { Timestamp } from "@svc/kernel/values/time"
import { Redacted, Schema } from "effect"
import { Role } from "../access/model.ts"

export const UserId = idSchema("usr", "UserId")
export type UserId = typeof UserId.Type

export const InvitationId = idSchema("ivt", "InvitationId")
export type InvitationId = typeof InvitationId.Type

export const PersonName = oneLine(80)

/** What somebody is to an account, or to the installation. */
export const Person = Schema.Struct({
  id: UserId,
  account_id: Schema.NullOr(Schema.String).annotate({ description: "Null in the installation" }),
  name: Schema.String,
  email: Schema.NullOr(Schema.String),
  role: Role,
  created_at: Timestamp.annotate({ description: "When the person joined" }),
  updated_at: Timestamp,
  version: Schema.Int
}).annotate({ identifier: "Person", description: "Somebody who may sign in, with their role." }).pipe(Schema.annotateEncoded({
  examples: [{
    id: exampleId("usr"),
    account_id: exampleId("acct"),
    name: "Ada Berg",
    email: "ada@example.com",
    role: "developer",
    created_at: EXAMPLE_TIME,
    updated_at: EXAMPLE_TIME,
    version: 1
  }]
}))
export type Person = typeof Person.Type

/** What an invitation is for, as it is stored without the secret of its link. */
export const Invited = Schema.Struct({
  id: InvitationId,
  account_id: Schema.NullOr(Schema.String).annotate({ description: "Null where it is for the installation" }),
  role: Role,
  email: Schema.NullOr(Schema.String).annotate({ description: "Null where the link is for whoever gets it" }),
  created_at: Timestamp,
  expires_at: Timestamp,
  used_at: Schema.NullOr(Timestamp).annotate({ description: "When somebody joined by it" }),
  revoked_at: Schema.NullOr(Timestamp),
  updated_at: Timestamp,
  version: Schema.Int
}).annotate({ identifier: "Invitation", description: "An invitation, without its link, which works once." })
export type Invited = typeof Invited.Type

const example = {
  id: exampleId("ivt"),
  account_id: exampleId("acct"),
  role: "support",
  email: "ada@example.com",
  created_at: EXAMPLE_TIME,
  expires_at: EXAMPLE_TIME,
  used_at: null,
  revoked_at: null,
  updated_at: EXAMPLE_TIME,
  version: 1
} as const

export const Invitation = Invited.pipe(Schema.annotateEncoded({ examples: [example] }))

/** A new invitation with its link, which no later answer shows again. */
export const InvitationMade = Schema.Struct({
  ...Invited.fields,
  link: Schema.RedactedFromValue(Schema.String).annotate({ description: "The page on which the person joins, once. Shown this once" }),
  mailed: Schema.Boolean.annotate({
    description: "Whether the link was sent by mail too. Mail of a sandbox account lies in the outbox of the installation"
  })
}).annotate({ identifier: "InvitationMade" }).pipe(
  Schema.annotateEncoded({ examples: [{ ...example, link: "https://pay.example.com/desk/join/join_…, shown once", mailed: true }] })
)

export const InvitePersonRequest = Schema.Struct({
  role: Role,
  email: Schema.optionalKey(EmailAddress)
}).annotate({ identifier: "InvitePersonRequest", examples: [{ role: "support", email: "ada@example.com" }] })

export const ChangeRoleRequest = Schema.Struct({ role: Role }).annotate({
  identifier: "ChangeRoleRequest",
  examples: [{ role: "finance" }]
})

/** How long a link works that somebody hands on. */
export const INVITATION_MINUTES = 10

/** How long a link works that goes by mail. */
export const MAILED_HOURS = 24

/** The page that takes an invitation. */
export const joinLink = (publicUrl: string, secret: Redacted.Redacted<string>): string => `${publicUrl}/desk/join/${Redacted.value(secret)}`
