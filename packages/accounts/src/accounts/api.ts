/** The routes of accounts: a merchant's own, and those of the operator. */
import { IfMatch, ReadsIfMatch } from "@svc/kernel/http/if-match"
import { AnswersSecret } from "@svc/kernel/http/kept-answers"
import { InvalidState, NotFound, VersionConflict } from "@svc/kernel/resource/errors"
import { pageFieldsOf, PaginatedList } from "@svc/kernel/resource/pages"
import { Machine } from "@svc/kernel/resource/state-machine"
import { pathId } from "@svc/kernel/values/ids"
import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { Does, forMerchants, forOperators, NeedsConfirmation, OwnerInPath, RequiredScope } from "../access/api.ts"
import { apiKeyExample, ApiKeyIssued } from "../api-keys/model.ts"
import { accountMachine } from "./machine.ts"
import {
  accountExample,
  AccountId,
  AccountJson,
  AccountStatus,
  AccountSuspended,
  CreateAccountRequest,
  UpdateAccountRequest,
  UpdateTermsRequest
} from "./model.ts"

/** A new account with its first secret key, whose secret no later answer shows again. */
export const AccountCreated = Schema.Struct({
  ...AccountJson.fields,
  api_key: ApiKeyIssued
}).annotate({ identifier: "AccountCreated" }).pipe(Schema.annotateEncoded({
  examples: [{
    ...accountExample,
    api_key: {
      ...apiKeyExample,
      kind: "secret",
      name: "First key",
      prefix: accountExample.api_key_prefix,
      scopes: [],
      secret: "sk_test_4f9Q…, shown once"
    }
  }]
}))

export class AccountsGroup extends HttpApiGroup.make("accounts").add(
  HttpApiEndpoint.get("own", "/account", { success: AccountJson })
    .annotate(RequiredScope, "account:read")
    .annotateMerge(OpenApi.annotations({
      summary: "Retrieve your account",
      description: "The account that the API key belongs to."
    })),
  HttpApiEndpoint.get("get", "/accounts/:id", { params: { id: pathId("acct", AccountId) }, success: AccountJson, error: NotFound })
    .annotate(RequiredScope, "account:read")
    .annotate(OwnerInPath, "id")
    .annotateMerge(OpenApi.annotations({
      summary: "Retrieve an account",
      description:
        "With a key of an account any account but its own answers as if it did not exist. With an operator key every account can be read."
    })),
  HttpApiEndpoint.patch("update", "/account", {
    headers: { "if-match": Schema.optionalKey(IfMatch) },
    payload: UpdateAccountRequest,
    success: AccountJson,
    error: [VersionConflict, InvalidState, AccountSuspended]
  })
    .annotate(RequiredScope, "account:write").annotate(Does, "manage").annotate(NeedsConfirmation, true)
    .annotate(ReadsIfMatch, true)
    .annotateMerge(OpenApi.annotations({
      summary: "Update your account",
      description:
        "Changes the name, where and how you are paid out, and settings. Fields left out stay as they are, also those within `settings`. " +
        "Send the `version` you read, or `If-Match`, to be refused with 409 when somebody else changed the account since. " +
        "While the account is suspended only its name can change."
    }))
).pipe(forMerchants({ title: "Accounts", description: "The merchant's account." }))
  .annotate(Machine, accountMachine)
{}

const moveOf = <const Name extends string>(name: Name, summary: string, description: string) =>
  HttpApiEndpoint.post(name, `/accounts/:id/${name}`, {
    params: { id: pathId("acct", AccountId) },
    success: AccountJson,
    error: [NotFound, InvalidState, VersionConflict]
  }).annotate(ReadsIfMatch, true).annotate(NeedsConfirmation, true).annotateMerge(OpenApi.annotations({ summary, description }))

export class OperatorAccountsGroup extends HttpApiGroup.make("operator_accounts").add(
  HttpApiEndpoint.get("list", "/accounts", {
    query: {
      ...pageFieldsOf("acct"),
      status: Schema.optionalKey(AccountStatus),
      sandbox: Schema.optionalKey(Schema.Boolean.annotate({ description: "Sandbox accounts, or live ones." })),
      q: Schema.optionalKey(Schema.String.annotate({ description: "An id or a name, exactly." }))
    },
    success: PaginatedList(AccountJson, "AccountList")
  }).annotateMerge(OpenApi.annotations({
    summary: "List accounts",
    description: "Every account of the installation, newest first. `total` is exact up to 10,000."
  })),
  HttpApiEndpoint.post("create", "/accounts", {
    payload: CreateAccountRequest,
    success: AccountCreated.pipe(HttpApiSchema.status(201))
  }).annotate(AnswersSecret, true).annotate(NeedsConfirmation, true).annotateMerge(OpenApi.annotations({
    summary: "Open an account",
    description: "Opens a live or sandbox account and makes its first secret key. The secret is shown once. " +
      "Without an `Idempotency-Key`, repeating the request opens another account."
  })),
  HttpApiEndpoint.patch("set_terms", "/accounts/:id", {
    params: { id: pathId("acct", AccountId) },
    headers: { "if-match": Schema.optionalKey(IfMatch) },
    payload: UpdateTermsRequest,
    success: AccountJson,
    error: [NotFound, InvalidState, VersionConflict]
  })
    .annotate(ReadsIfMatch, true).annotate(NeedsConfirmation, true)
    .annotateMerge(OpenApi.annotations({
      summary: "Set an account's terms",
      description:
        "Fees for captures from now on, while what was captured keeps the fee it was charged; and what the account is granted and forbidden, at once. Fields left out stay as they are. " +
        "Send the `version` you read, or `If-Match`, to be refused with 409 when somebody else changed the account since."
    })),
  moveOf("activate", "Activate an account", "A pending account may now take payments."),
  moveOf(
    "suspend",
    "Suspend an account",
    "No new charges and payouts; reads, refunds and dispute answers still work. Takes effect at once."
  ),
  moveOf("reactivate", "Reactivate an account", "Lifts a suspension."),
  moveOf(
    "close",
    "Close an account",
    "For good. Every balance must be zero and nothing may be open: a debt that nobody will pay is written off first (`POST /v1/write_offs`). Its keys can still read."
  )
).pipe(forOperators({ title: "Accounts (operator)", description: "For the operator of the installation, with an operator key." })) {}
