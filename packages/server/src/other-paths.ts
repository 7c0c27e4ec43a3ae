/** What is asked for beside the routes: a method that a path has not is told from a path that is not there. */
import { errorCodes } from "@svc/kernel/resource/errors"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import * as requestMetrics from "./request-metrics.ts"

interface Known {
  readonly segments: ReadonlyArray<string>
  readonly methods: ReadonlyArray<string>
}

const knownOf = ({ method, path }: { readonly method: string; readonly path: string }): Known => // HEAD is answered as GET is.
({ segments: path.split("/"), methods: method === "GET" ? ["GET", "HEAD"] : [method] })

/** A segment that begins with a colon stands for any text but none. */
const isOf = ({ segments }: Known, asked: ReadonlyArray<string>): boolean =>
  segments.length === asked.length && segments.every((segment, at) => segment.startsWith(":") ? asked[at] !== "" : segment === asked[at])

/** The router, and what was added to it. */
const noting = (known: Array<Known>) =>
  Layer.effect(
    HttpRouter.HttpRouter,
    Effect.map(HttpRouter.HttpRouter, (router) =>
      HttpRouter.HttpRouter.of({
        ...router,
        add: (method, path, handler, options) => {
          known.push(knownOf({ method, path }))
          return router.add(method, path, handler, options)
        },
        addAll: (routes) => {
          known.push(...routes.map(knownOf))
          return router.addAll(routes)
        }
      }))
  )

const answerTo = (request: { readonly method: string; readonly url: string }, known: ReadonlyArray<Known>, missing: string) => {
  // A slash at the end gets so far only where the router passes it over.
  const asked = (request.url.split("?")[0] ?? "").replace(/(.)\/$/u, "$1").split("/")
  const methods = Array.from(new Set(known.flatMap((one) => isOf(one, asked) ? one.methods : [])))
  // The router does not take an id that no id is as long as: that one exists nowhere.
  const isKnown = methods.length > 0 && !methods.includes(request.method)
  const name = isKnown ? "method_not_allowed" : "not_found"
  const message = isKnown ? `${request.method} is not a method of this path. Use ${methods.join(" or ")}.` : missing
  const response = HttpServerResponse.jsonUnsafe({ error: name, message }, { status: errorCodes[name].status })
  return isKnown ? HttpServerResponse.setHeader(response, "allow", methods.join(", ")) : response
}

/**
 * These routes, each measured as its own, and an answer to all that is none of them: 405 with the methods of the path, or 404 with what is
 * said of a path that is not there.
 */
export const withOtherPaths = <A, E, R>(routes: Layer.Layer<A, E, R>, missing: string) =>
  Layer.unwrap(Effect.sync(() => {
    const known: Array<Known> = []
    const otherwise = HttpRouter.add("*", "*", (request) => Effect.sync(() => answerTo(request, known, missing)))
    return Layer.mergeAll(Layer.provide(routes, [noting(known), requestMetrics.layer]), otherwise)
  }))
