/** The documents of discovery at their paths. Every page of the web may read them; none holds anything that is somebody's. */
import { beginningOf } from "@svc/kernel/values/text"
import { realNow } from "@svc/kernel/values/time"
import { PaymentMethods } from "@svc/paywall/merchant/payment-methods"
import { Directory } from "@svc/tool-kit/services/directory"
import { publicPath, Site } from "@svc/tool-kit/services/site"
import { DateTime, Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { createHash } from "node:crypto"
import * as agents from "./documents/agents.ts"
import * as capabilities from "./documents/capabilities.ts"
import { type Document, type DocumentFacts, json, type Make } from "./documents/document.ts"
import * as errors from "./documents/errors.ts"
import * as lists from "./documents/lists.ts"
import * as registry from "./documents/registry.ts"
import * as skills from "./documents/skills.ts"
import * as texts from "./documents/texts.ts"
import { openApi } from "./openapi.ts"

interface Route {
  /** The first is the documented one, the others lead crawlers there that guess. */
  readonly paths: readonly [`/${string}`, ...ReadonlyArray<`/${string}`>]
  readonly make: Make
}

const route = (make: Make, ...paths: Route["paths"]): Route => ({ make, paths })

const skillRoutes = skills.skillNames.map((name) =>
  route(skills.skillFile(name), `/.well-known/agent-skills/${name}/SKILL.md`, `/.well-known/skills/${name}/SKILL.md`)
)

export const routes: ReadonlyArray<Route> = [
  route(registry.server, "/v1/mcp/server.json", "/server.json"),
  route(registry.serverCard, "/.well-known/mcp/server-card", "/.well-known/mcp/server-card.json"),
  route(registry.mcpJson, "/.well-known/mcp.json", "/mcp.json"),
  route(agents.discovery, "/v1/agents/discovery", "/.well-known/agent-discovery.json", "/.well-known/agents.json", "/agents.json"),
  route(texts.llms, "/llms.txt"),
  route(texts.forAgents, "/for-agents"),
  route(texts.docs, "/v1/docs"),
  route(texts.robots, "/robots.txt"),
  route(texts.sitemap, "/sitemap.xml"),
  route(texts.security, "/.well-known/security.txt", "/security.txt"),
  route(capabilities.apiCatalog, "/.well-known/api-catalog"),
  route(capabilities.capabilities, "/.well-known/capabilities.json"),
  route(capabilities.estate, "/.well-known/svc-estate.json"),
  route(capabilities.x402, "/.well-known/x402", "/.well-known/x402.json"),
  route(skills.skillsIndex, "/.well-known/skills/index.json"),
  route(skills.agentSkillsIndex, "/.well-known/agent-skills/index.json"),
  route(lists.install, "/v1/install"),
  route(errors.errorCodes, "/v1/error-codes"),
  ...skillRoutes
]

/** How long a text that was made is given to others who ask. Whether a backend is there may change meanwhile. */
const FRESH = "5 seconds"

/** The documents change when the server is updated, or set up anew. */
const CACHE = "public, max-age=300"

const isKnown = (etag: string, condition: string | undefined): boolean =>
  condition !== undefined && condition.split(",").some((entry) => ["*", etag, `W/${etag}`].includes(entry.trim()))

const etagOf = (text: string): string => `"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"`

const answer = ({ contentType, policy, text }: Document, tools_url: string, etag = etagOf(text)) =>
  Effect.map(HttpServerRequest.HttpServerRequest, (request) => {
    const headers = {
      etag,
      "cache-control": CACHE,
      "access-control-allow-origin": "*",
      "access-control-expose-headers": "ETag, Link",
      link:
        `<${tools_url}/openapi.json>; rel="service-desc"; type="application/json", <${tools_url}/v1/docs>; rel="service-doc"; type="text/html"`,
      "x-content-type-options": "nosniff",
      ...(policy === undefined ? {} : { "content-security-policy": policy })
    }
    return isKnown(etag, request.headers["if-none-match"])
      ? HttpServerResponse.empty({ status: 304, headers })
      : HttpServerResponse.text(text, { contentType, headers })
  })

const missing = (path: string) =>
  HttpServerResponse.jsonUnsafe({ error: "not_found", message: `${path} is not known. GET /v1/install lists what is.` }, { status: 404 })

/** Characters of a query. */
const MOST = 200

export const layer = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const [site, directory, methods] = [yield* Site, yield* Directory, yield* PaymentMethods]
  const tools = yield* Effect.cachedWithTTL(directory.tools, FRESH)
  const facts = Effect.map(
    Effect.all([tools, realNow]),
    ([known, now]): DocumentFacts => ({ site, tools: known, now: DateTime.toEpochMillis(now) })
  )
  const serve = (make: Make) => Effect.flatMap(facts, (all) => answer(make(all), site.tools_url))
  /** The same text for all who ask within some seconds. */
  const shared = (make: Make) =>
    Effect.map(
      Effect.cachedWithTTL(
        Effect.map(facts, (all) => {
          const document = make(all)
          return { document, etag: etagOf(document.text) }
        }),
        FRESH
      ),
      (cached) => Effect.flatMap(cached, ({ document, etag }) => answer(document, site.tools_url, etag))
    )

  for (const { make, paths } of routes) {
    const handler = yield* shared(make)
    for (const path of paths) yield* router.add("GET", path, handler)
  }

  const example = yield* facts
  const pages = [
    ...routes.map(({ make, paths: [path] }) => ({ path, contentType: make(example).contentType.split(";")[0] ?? "" })),
    { path: "/v1/mcp/tools", contentType: "application/json" },
    { path: "/v1/install/{platform}", contentType: "application/json" },
    { path: "/openapi.json", contentType: "application/json" }
  ]
  yield* router.add("GET", "/openapi.json", yield* shared((all) => json(openApi(all, methods.of(true), pages))))

  const index = yield* shared(agents.index)
  yield* router.add(
    "GET",
    "/",
    Effect.flatMap(
      HttpServerRequest.HttpServerRequest,
      ({ headers }) =>
        headers["accept"]?.includes("text/html") === true
          ? Effect.succeed(HttpServerResponse.redirect(publicPath(site, "/v1/docs"), { status: 302 }))
          : index
    )
  )

  yield* router.add(
    "GET",
    "/v1/mcp/tools",
    Effect.gen(function*() {
      const { url } = yield* HttpServerRequest.HttpServerRequest
      const q = new URL(url, site.tools_url).searchParams.get("q") ?? ""
      if (q.length > MOST) {
        return HttpServerResponse.jsonUnsafe({
          error: "validation_error",
          code: "q",
          message: `q: has ${q.length} characters, and may have ${MOST}`
        }, { status: 400 })
      }
      return yield* serve(lists.toolSearch(q))
    })
  )

  yield* router.add(
    "GET",
    "/v1/install/:platform",
    Effect.gen(function*() {
      const { platform = "" } = yield* HttpRouter.params
      const document = lists.installFor(platform)(yield* facts)
      return document === undefined ? missing(beginningOf(platform, 40)) : yield* answer(document, site.tools_url)
    })
  )
}))
