/** What the groups of the tool server's routes share: how a caller is recognised, and what is refused before a handler. */
import { CardNumberGuard } from "@svc/kernel/http/card-number-guard"
import { SchemaErrors } from "@svc/kernel/http/schema-errors"
import { strict } from "@svc/kernel/http/strict"
import { RateLimited, Unauthorized } from "@svc/kernel/resource/errors"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity"
import * as OpenApi from "effect/http-api/OpenApi"
import { AuthorizedCaller } from "./model.ts"

/**
 * `X-Svc-Key`, or `Authorization: Bearer`: a tool key `svck_…` or an agent key `agk_…`. On an endpoint that needs one; provides the
 * `AuthorizedCaller`.
 */
export class ToolAuthorization
  extends HttpApiMiddleware.Service<ToolAuthorization, { provides: AuthorizedCaller }>()("@svc/metering/ToolAuthorization", {
    error: [Unauthorized, RateLimited],
    requiredForClient: true,
    security: {
      tool_key: HttpApiSecurity.bearer.pipe(HttpApiSecurity.annotate(
        OpenApi.Description,
        "A key of the tool server: `svck_live_…`, `svck_test_…`, or an agent key `agk_live_…`, `agk_test_…`. It may stand in the header `X-Svc-Key` instead, which wins where both are there."
      ))
    }
  })
{}

/**
 * The end of every group of the tool server: below `/v1`, and nothing let in that a schema does not know. Endpoints that need a key say so
 * themselves, by `ToolAuthorization`.
 */
export const forCallers =
  (about: { readonly title: string; readonly description: string }) =>
  <const Id extends string, Endpoints extends HttpApiEndpoint.Constraint, TopLevel extends boolean>(
    group: HttpApiGroup.HttpApiGroup<Id, Endpoints, TopLevel>
  ) =>
    group.middleware(SchemaErrors).middleware(CardNumberGuard).prefix("/v1").annotateMerge(strict).annotateMerge(
      OpenApi.annotations({ ...about })
    )
