/** The contracts of authentication; the implementation lives with the API keys. */
import { Context } from "effect"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity"
import { Forbidden, RateLimited, Unauthorized } from "../errors.ts"
import { Caller, Operator } from "./caller.ts"

/** Scopes a restricted key may hold; a secret key holds all of its account. */
export const scopes = [
  "account:read",
  "account:write",
  "api_keys:read",
  "api_keys:write",
  "payment_intents:read",
  "payment_intents:write",
  "payment_methods:read",
  "payment_methods:write",
  "ledger:read",
  "webhooks:read",
  "webhooks:write"
] as const
export type Scope = typeof scopes[number]

/** The scope an endpoint asks of a restricted key. An endpoint without one refuses restricted keys. */
export class RequiredScope extends Context.Service<RequiredScope, Scope>()("@svc/kernel/RequiredScope") {}

/** `Authorization: Bearer sk_live_…`, `sk_test_…` or `rk_…`; provides the `Caller`. */
export class Authorization extends HttpApiMiddleware.Service<Authorization, { provides: Caller }>()("@svc/kernel/Authorization", {
  error: [Unauthorized, Forbidden, RateLimited],
  requiredForClient: true,
  security: { secret_key: HttpApiSecurity.bearer }
}) {}

/** `Authorization: Bearer ok_…`: the operator of the installation. */
export class OperatorAuthorization extends HttpApiMiddleware.Service<OperatorAuthorization, { provides: Operator }>()("@svc/kernel/OperatorAuthorization", {
  error: [Unauthorized, Forbidden, RateLimited],
  requiredForClient: true,
  security: { operator_key: HttpApiSecurity.bearer }
}) {}
