/**
 * Who makes a change, for the audit log. Whoever lets somebody in says who that is, once; whatever writes takes it from there. The log
 * itself is written by the database: `database/audit.ts`.
 */
import { Context, Effect, Option } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import type { SqlClient, SqlError } from "effect/sql"
import { RequestId } from "./http/request-id.ts"
import { Reference } from "./reference.ts"

/** Who: a key by its id, the command line, or the service itself when something falls due. */
export interface Who {
  readonly type: string
  readonly id: string | null
}

/** The service itself. */
const system: Who = { type: "system", id: null }

export class Actor extends Reference<Who>("@svc/kernel/Actor", { defaultValue: () => system }) {}

/** Who makes a change, and by which request. */
export interface Acting extends Who {
  /** The method and path of the route, or what falls due. */
  readonly operation: string | null
  readonly request_id: string | null
  /** Where the request came from, as far as that is known. */
  readonly ip: string | null
}

const routeOf = (context: Context.Context<never>): string | undefined => {
  const found = Option.getOrUndefined(Context.getOption(context, HttpRouter.RouteContext))?.route
  return found === undefined ? undefined : `${found.method} ${Option.getOrElse(found.prefix, () => "")}${found.path}`
}

/** Who is at work in this fiber. `cause` is what a change is called that no request makes. */
export const acting = (cause: string | null = null): Effect.Effect<Acting> =>
  Effect.withFiber(({ context }) => {
    const request = Option.getOrUndefined(Context.getOption(context, HttpServerRequest.HttpServerRequest))
    const { id, type } = Context.get(context, Actor)
    return Effect.succeed({
      type,
      id,
      operation: routeOf(context) ?? cause,
      request_id: Context.get(context, RequestId) ?? null,
      ip: request === undefined ? null : Option.getOrNull(request.remoteAddress)
    })
  })

/** For changes that the road does not write: a transaction in which the database knows who is at work. */
export const withActor = (sql: SqlClient.SqlClient) => <A, E, R>(change: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError.SqlError, R> =>
  sql.withTransaction(Effect.flatMap(acting(), (who) =>
    Effect.andThen(sql`SELECT set_config('svc.actor', ${JSON.stringify(who)}, true)`, change)))
