/**
 * What is said to a provider of bank links in another process: JSON over POST, one path an operation. Both sides decode with these schemas.
 * 200 is an answer and 409 says that the key belongs to another call; after anything else, or nothing, the same call is made again.
 */
import { Currency } from "@svc/kernel/values/currency"
import { Schema } from "effect"
import { SimulatedOutcome } from "../model.ts"

export const paths = {
  begin: "/bank_links/begin",
  link_token_of: "/bank_links/link_token_of",
  exchange: "/bank_links/exchange",
  processor_token: "/bank_links/processor_token"
} as const
export type BankLinkOperation = keyof typeof paths

/** What both sides accept of one another at most, in bytes. */
export const MAX_BODY_BYTES = 64 * 1024

const Text = Schema.String.check(Schema.isBetweenLength(1, 255))

const Account = Schema.Struct({
  id: Text,
  name: Text,
  holder_name: Text,
  currency: Currency,
  country: Text,
  number: Text,
  routing_number: Schema.NullOr(Text)
})

export const BeginCall = Schema.Struct({ key: Text, account: Text })
export const Begun = Schema.Struct({ link_token: Text, expires_in: Schema.Int.check(Schema.isGreaterThan(0)) })

export const LinkTokenOfCall = Schema.Struct({ public_token: Text })
export const FoundLinkToken = Schema.Struct({ link_token: Schema.NullOr(Text) })

export const ExchangeCall = Schema.Struct({ key: Text, public_token: Text })
export const Exchanged = Schema.Union([
  Schema.TaggedStruct("Linked", { item_id: Text, accounts: Schema.Array(Account).check(Schema.isMinLength(1), Schema.isMaxLength(50)) }),
  Schema.TaggedStruct("Refused", { reason: SimulatedOutcome.pick(["no_accounts", "expired", "already_used"]) })
])

export const ProcessorTokenCall = Schema.Struct({ key: Text, item_id: Text, bank_account_id: Text })
export const GivenProcessorToken = Schema.Struct({ processor_token: Text })
