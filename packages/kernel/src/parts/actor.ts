/**
 * Who makes a change, for the audit log. Whoever lets somebody in says who that is, once; whatever writes takes it from there. The log
 * itself is written by the database: `database/audit.ts`.
 */
import { Context, Effect, Option } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import type { SqlClient, SqlError } from "effect/sql"
import { Reference } from "../values/reference.ts"
import { RequestId } from "./request-id.ts"

/** The actor of a change: a key or a person by its id, the command line, or the service itself when something falls due. */
export interface ActorIdentity {
  readonly type: string
  readonly id: string | null
}

/** The service itself. */
const system: ActorIdentity = { type: "system", id: null }

export class Actor extends Reference<ActorIdentity>("@svc/kernel/Actor", { defaultValue: () => system }) {}

/** The actor of a change, and the request that makes the change. */
export interface ChangeOrigin extends ActorIdentity {
  /** The method and path of the route, or what falls due. */
  readonly operation: string | null
  readonly request_id: string | null
  /** Where the request came from, as far as that is known. */
  readonly ip: string | null
}

const routeOf = (context: Context.Context<never>): string | undefined => {
  const route = Option.getOrUndefined(Context.getOption(context, HttpRouter.RouteContext))?.route
  return route === undefined ? undefined : `${route.method} ${Option.getOrElse(route.prefix, () => "")}${route.path}`
}

/** Whether a person acts, and no software. */
export const isPerson = ({ type }: ActorIdentity): boolean => type === "person"

/** The origin of the changes that are made in this context. `cause` names a change that no request makes. */
export const originIn = (context: Context.Context<never>, cause: string | null = null): ChangeOrigin => {
  const request = Option.getOrUndefined(Context.getOption(context, HttpServerRequest.HttpServerRequest))
  const { id, type } = Context.get(context, Actor)
  return {
    type,
    id,
    operation: routeOf(context) ?? cause,
    request_id: Context.get(context, RequestId) ?? null,
    ip: request === undefined ? null : Option.getOrNull(request.remoteAddress)
  }
}

/** The origin of this fiber's changes. */
export const acting: Effect.Effect<ChangeOrigin> = Effect.withFiber(({ context }) => Effect.succeed(originIn(context)))

/** For changes that the road does not write: a transaction in which the database knows who is at work. */
export const withActor =
  (sql: SqlClient.SqlClient) => <A, E, R>(change: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError.SqlError, R> =>
    sql.withTransaction(
      Effect.flatMap(acting, (who) => Effect.andThen(sql`SELECT set_config('svc.actor', ${JSON.stringify(who)}, true)`, change))
    )

/** What a person did that neither the road nor a trigger writes down: these resources are new now, or were changed or deleted. */
export interface PersonalAct {
  readonly account_id: string
  readonly resource_type: string
  readonly resource_ids: ReadonlyArray<string>
  readonly action: "created" | "updated" | "deleted"
}

/** Makes a change in one transaction with its entries of the audit log, where a person makes it. Others only make the change. */
export const witnessed =
  (sql: SqlClient.SqlClient) =>
  <A, E, R>(change: Effect.Effect<A, E, R>, actOf: (changed: A) => PersonalAct): Effect.Effect<A, E | SqlError.SqlError, R> =>
    Effect.flatMap(acting, (who) =>
      isPerson(who)
        ? sql.withTransaction(Effect.tap(change, (changed) => {
          const { account_id, action, resource_ids, resource_type } = actOf(changed)
          return sql`SELECT svc_audit_act(${account_id}, ${resource_type}, id, ${action}, NULL, NULL, ${JSON.stringify(who)}::jsonb)
            FROM unnest(${resource_ids}::text[]) id`
        }))
        : change)
