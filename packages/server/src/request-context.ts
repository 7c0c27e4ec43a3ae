/**
 * What the context of a request begins with. The server's own context holds every service of the process, and whatever a request adds
 * would copy them all; routes have their services from the time they were built, so a request needs none (docs/decisions/0056).
 */
import { isReference } from "@svc/kernel/reference"
import { Context, Effect, Layer } from "effect"
import { HttpServer } from "effect/http"

/** Overlays of a context before Effect copies it into one map: more than the server, the router and a handler add. */
const MAX_DEPTH = 24

/** Effect's own: its references, and what its answers with files need. */
const isOfEffect = (key: string): boolean => key.startsWith("effect/") && !key.startsWith("effect/sql/")

const small = <R>({ mapUnsafe }: Context.Context<R>): Context.Context<R> =>
  Context.makeUnsafe(new Map(Array.from(mapUnsafe).filter(([key]) => isOfEffect(key) || isReference(key))), { maxDepth: MAX_DEPTH })

/** The HTTP server, whose requests begin with the references of the process alone. */
export const layer = Layer.effect(
  HttpServer.HttpServer,
  Effect.map(HttpServer.HttpServer, ({ address, serve }) =>
    HttpServer.make({ address, serve: (app, middleware) => Effect.updateContext(middleware === undefined ? serve(app) : serve(app, middleware), small) }))
)
