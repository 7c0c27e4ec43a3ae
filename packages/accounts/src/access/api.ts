/** The contracts of authentication and authorization; the implementation lives with the API keys. */
import { Forbidden, RateLimited, Unauthorized } from "@svc/kernel/errors"
import { CardNumberGuard } from "@svc/kernel/http/card-number-guard"
import { SchemaErrors } from "@svc/kernel/http/schema-errors"
import { strict } from "@svc/kernel/http/strict"
import { Context } from "effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity"
import * as OpenApi from "effect/http-api/OpenApi"
import { Caller, Operator } from "./model.ts"

/** The scope an endpoint asks of a restricted key. An endpoint without one refuses restricted keys. */
export class RequiredScope extends Context.Service<RequiredScope, `${string}:${"read" | "write"}`>()("@svc/accounts/RequiredScope") {}

/** `Authorization: Bearer sk_live_…`, `sk_test_…` or `rk_…`; provides the `Caller`. */
export class Authorization extends HttpApiMiddleware.Service<Authorization, { provides: Caller }>()("@svc/accounts/Authorization", {
  error: [Unauthorized, Forbidden, RateLimited],
  requiredForClient: true,
  security: { secret_key: HttpApiSecurity.bearer }
}) {}

/** `Authorization: Bearer ok_…`: the operator of the installation. */
export class OperatorAuthorization extends HttpApiMiddleware.Service<OperatorAuthorization, { provides: Operator }>()("@svc/accounts/OperatorAuthorization", {
  error: [Unauthorized, Forbidden, RateLimited],
  requiredForClient: true,
  security: { operator_key: HttpApiSecurity.bearer }
}) {}

/** What a group of routes is called in the documentation, and what it is for. */
export interface About {
  readonly title: string
  readonly description: string
}

/**
 * The end of every group of a merchant's routes: below `/v1`, with a key of an account, and nothing let in that a schema
 * does not know. Endpoints that are added after it have none of this.
 */
export const forMerchants = (about: About) =>
<const Id extends string, Endpoints extends HttpApiEndpoint.Constraint, TopLevel extends boolean>(group: HttpApiGroup.HttpApiGroup<Id, Endpoints, TopLevel>) =>
  group.middleware(SchemaErrors).middleware(CardNumberGuard).middleware(Authorization).prefix("/v1").annotateMerge(strict).annotateMerge(OpenApi.annotations({ ...about }))

/** The same for the operator's routes. */
export const forOperators = (about: About) =>
<const Id extends string, Endpoints extends HttpApiEndpoint.Constraint, TopLevel extends boolean>(group: HttpApiGroup.HttpApiGroup<Id, Endpoints, TopLevel>) =>
  group.middleware(SchemaErrors).middleware(CardNumberGuard).middleware(OperatorAuthorization).prefix("/v1").annotateMerge(strict).annotateMerge(OpenApi.annotations({ ...about }))
