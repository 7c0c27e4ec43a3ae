/**
 * What the context of a request begins with. The server's own context holds every service of the process, and whatever a request adds
 * would copy them all; routes have their services from the time they were built, so a request needs none (docs/decisions/0056).
 */
import { isReference } from "@svc/kernel/values/reference"
import { Context, Effect } from "effect"
import { HttpServer } from "effect/http"

/** Overlays of a context before Effect copies it into one map: more than the server, the router and a handler add. */
const MAX_DEPTH = 24

/** Of Effect's own keys, those that are services of the platform. The rest are references, and what belongs to serving. */
const isService = (key: string): boolean => /^~?effect\/(?:FileSystem|Path|Stdio|Terminal|(?:Layer|crypto|process|sql)\/.*)$/.test(key)

const isKept = (key: string): boolean => isReference(key) || (/^~?effect\//.test(key) && !isService(key))

const small = <R>({ mapUnsafe }: Context.Context<R>): Context.Context<R> =>
  Context.makeUnsafe(new Map(Array.from(mapUnsafe).filter(([key]) => isKept(key))), { maxDepth: MAX_DEPTH })

/** The server, whose requests begin with the references of the process alone. */
export const withSmallContexts = ({ address, serve }: HttpServer.HttpServer["Service"]): HttpServer.HttpServer["Service"] =>
  HttpServer.make({
    address,
    serve: (app, middleware) => Effect.updateContext(middleware === undefined ? serve(app) : serve(app, middleware), small)
  })
