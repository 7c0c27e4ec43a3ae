/** The routes of an account's API keys. */
import { AnswersSecret } from "@svc/kernel/http/kept-answers"
import { Forbidden, InvalidState, NotFound } from "@svc/kernel/resource/errors"
import { pageQueryOf, PaginatedList } from "@svc/kernel/resource/pages"
import { pathId } from "@svc/kernel/values/ids"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { Does, forMerchants, NeedsConfirmation, RequiredScope } from "../access/api.ts"
import { ApiKeyId, ApiKeyIssued, ApiKeyJson, CreateApiKeyRequest } from "./model.ts"

export class ApiKeysGroup extends HttpApiGroup.make("api_keys").add(
  HttpApiEndpoint.post("create", "/api_keys", {
    payload: CreateApiKeyRequest,
    success: ApiKeyIssued.pipe(HttpApiSchema.status(201)),
    error: [Forbidden, NotFound, InvalidState]
  })
    .annotate(RequiredScope, "api_keys:write").annotate(Does, "manage").annotate(AnswersSecret, true).annotate(NeedsConfirmation, true)
    .annotateMerge(OpenApi.annotations({
      summary: "Create an API key",
      description:
        "The secret is shown once and cannot be read again. A restricted key can make restricted keys with at most its own scopes. " +
        "Without an `Idempotency-Key`, repeating the request makes another key."
    })),
  HttpApiEndpoint.get("list", "/api_keys", { query: pageQueryOf("key"), success: PaginatedList(ApiKeyJson, "ApiKeyList") })
    .annotate(RequiredScope, "api_keys:read")
    .annotateMerge(OpenApi.annotations({
      summary: "List API keys",
      description: "Newest first, revoked keys included, without their secrets."
    })),
  HttpApiEndpoint.get("get", "/api_keys/:id", { params: { id: pathId("key", ApiKeyId) }, success: ApiKeyJson, error: NotFound })
    .annotate(RequiredScope, "api_keys:read")
    .annotateMerge(OpenApi.annotations({ summary: "Retrieve an API key", description: "Without its secret." })),
  HttpApiEndpoint.post("revoke", "/api_keys/:id/revoke", {
    params: { id: pathId("key", ApiKeyId) },
    success: ApiKeyJson,
    error: [NotFound, Forbidden]
  })
    .annotate(RequiredScope, "api_keys:write").annotate(Does, "protect").annotate(NeedsConfirmation, true)
    .annotateMerge(OpenApi.annotations({
      summary: "Revoke an API key",
      description:
        "At once and for good. A key may revoke itself, even the last one of the account; the operator can then issue another. " +
        "A restricted key may revoke the keys whose scopes it has. Revoking again changes nothing."
    }))
).pipe(forMerchants({ title: "API keys", description: "Keys with which software calls this API for your account." })) {}
