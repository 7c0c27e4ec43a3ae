/** What the endpoints of most resources say alike: their schemas, their refusals, and what a key needs for them. */
import { ReadsIfMatch } from "@svc/kernel/http/if-match"
import { ReadsIdempotencyKey } from "@svc/kernel/http/keyed"
import { byId, described } from "@svc/kernel/resource/api"
import {
  IdempotencyInProgress,
  IdempotencyKeyReused,
  InvalidState,
  NotFound,
  RateLimited,
  VersionConflict
} from "@svc/kernel/resource/errors"
import { pageQueryOf, PaginatedList } from "@svc/kernel/resource/pages"
import { Sums, sumsQueryOf } from "@svc/kernel/resource/sums"
import type { Prefix } from "@svc/kernel/values/ids"
import { Context, Schema } from "effect"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { Does, RequiredScope } from "../access/api.ts"
import type { Activity } from "../access/permits.ts"

/** The refusals of a request whose commit writes its key. */
export const keyedErrors = [IdempotencyKeyReused, IdempotencyInProgress, VersionConflict] as const

/** What an endpoint that changes something says of itself: what it does in the account's name, and its texts. */
type Write = (does: Activity, summary: string, description: string) => Context.Context<never>

/**
 * The endpoints of one resource: `create`, `list`, `sums`, `get` and `act` are the options of each, `makes`, `reads` and `changes` the
 * annotations.
 * `scope` is the first half of its scopes, such as `notes`, `prefix` begins its ids, `schema` is what the API shows, `list` names a page.
 */
export const endpointsOf = <Json extends Schema.Top>(
  { list, prefix, schema, scope }: { readonly scope: string; readonly prefix: Prefix; readonly schema: Json; readonly list: string }
) => {
  const reads = (summary: string, description: string) => described(summary, description).pipe(Context.add(RequiredScope, `${scope}:read`))
  /** 201 the first time, and 200 with the same body when the key comes again. */
  const makes: Write = (does, summary, description) =>
    described(summary, description).pipe(
      Context.add(RequiredScope, `${scope}:write`),
      Context.add(Does, does),
      Context.add(ReadsIdempotencyKey, true)
    )
  const changes: Write = (...words) => makes(...words).pipe(Context.add(ReadsIfMatch, true))
  return {
    makes,
    reads,
    changes,
    create: <Payload extends Schema.Top>(payload: Payload) => ({
      payload,
      success: [schema.pipe(HttpApiSchema.status(201)), schema],
      error: keyedErrors
    } as const),
    list: <const Filters extends Schema.Struct.Fields>(filters: Filters) => ({
      query: { ...pageQueryOf(prefix), ...filters },
      success: PaginatedList(schema, list)
    }),
    /** `fields` are the columns that are added up; `identifier` names the answer, such as `PayoutSums`. */
    sums: <const Filters extends Schema.Struct.Fields, const Field extends string>(
      filters: Filters,
      fields: ReadonlyArray<Field>,
      identifier: string
    ) => ({ query: sumsQueryOf(filters), success: Sums(fields, identifier), error: RateLimited }),
    get: { ...byId, success: schema, error: NotFound },
    act: <Payload extends Schema.Top>(payload: Payload) => ({
      ...byId,
      payload,
      success: schema,
      error: [...keyedErrors, NotFound, InvalidState]
    } as const)
  }
}
