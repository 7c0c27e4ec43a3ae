/**
 * Effect's `HttpApiBuilder`, but that bodies are read by the kernel's reader of JSON: Effect reads JSON with V8 and nothing
 * else, so a JSON body goes to it as text, and the schema of that text reads it. The contract itself stays as it is.
 */
import { Context, Effect, Layer, Schema, SchemaGetter } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { jsonReader } from "../values/json-codec.ts"
import { parseJson } from "../values/json.ts"
import { ReadsIdempotencyKey } from "./keyed.ts"
import { withEndpoints } from "./with-endpoints.ts"

export { layer } from "effect/http-api/HttpApiBuilder"

/** What Effect makes of a body: one that is empty is none at all. */
const decode = jsonReader({ message: "Expected a valid JSON body" }, (text) => text === "" ? undefined : parseJson(text))
/** Where the key may come in a header, nothing else may be left to say: nothing at all is `{}`. */
const decodeKeyed = jsonReader({ message: "Expected a valid JSON body" }, (text) => text === "" ? {} : parseJson(text))
const encode = SchemaGetter.stringifyJson()

const asText = ({ annotations, payload }: Pick<HttpApiEndpoint.Top, "annotations" | "payload">): HttpApiEndpoint.PayloadMap => {
  const read = Context.getOrUndefined(annotations, ReadsIdempotencyKey) === true ? decodeKeyed : decode
  return new Map(Array.from(payload, ([contentType, entry]) => [
    contentType,
    entry.encoding._tag !== "Json" ? entry : {
      encoding: { _tag: "Text", contentType: entry.encoding.contentType },
      schemas: [Schema.String.pipe(Schema.decodeTo(Schema.Union(entry.schemas), { decode: read, encode }))]
    }
  ]))
}

/** A context with these services alone. */
const only = (keys: ReadonlySet<string>) => <R>({ mapUnsafe }: Context.Context<R>): Context.Context<R> =>
  Context.makeUnsafe(new Map(Array.from(mapUnsafe).filter(([key]) => keys.has(key))))

/** Handlers are built with these services, whatever else is there; the type of what builds them stays. */
const builtWith = (services: Context.Context<never>) => <A>(handlers: A): A =>
  Effect.isEffect(handlers) ? Effect.updateContext(handlers, (own) => Context.merge(services, own)) as A : handlers

/**
 * `HttpApiBuilder.group`. Handlers that are built by Effect's own are open to what docs/decisions/0017 tells of. And Effect adds the
 * context in which it builds a group to that of each request: here that is the middleware alone, while the handlers are built
 * with all services (docs/decisions/0056).
 */
export const group: typeof HttpApiBuilder.group = (api, identifier, build) =>
  Layer.fromBuildMemo((memoMap, scope) =>
    Effect.contextWith((services: Context.Context<never>) => {
      const middleware = new Set<string>()
      const readable = withEndpoints(api, ({ endpoint }) => {
        for (const { key } of endpoint.middlewares) middleware.add(key)
        return { payload: asText(endpoint) }
      })
      const handlers = HttpApiBuilder.group(readable, identifier, (unhandled) => builtWith(services)(build(unhandled)))
      return Effect.updateContext(Layer.buildWithMemoMap(handlers, memoMap, scope), only(middleware))
    })
  )

/** The handlers of one group of the payments API, which answer with what its service does. */
export const handlersOf = <Group extends HttpApiGroup.Constraint, const Id extends HttpApiGroup.Identifier<Group>, Self, Shape, Return>(
  of: Group & { readonly identifier: Id },
  service: Context.Service<Self, Shape>,
  build: (
    handlers: HttpApiBuilder.Handlers.FromGroup<HttpApiGroup.WithIdentifier<Group, Id>>,
    service: Shape
  ) => HttpApiBuilder.Handlers.ValidateReturn<Return>
) =>
  Layer.unwrap(
    Effect.map(service, (shape) => group(HttpApi.make("svc").add<[Group]>(of), of.identifier, (handlers) => build(handlers, shape)))
  )
