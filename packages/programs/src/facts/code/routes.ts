/** Routes of HTTP: which method and path a program answers, and what handles it. */
import { posix } from "node:path"
import { type AnyFact, fact } from "../model.ts"
import { joined } from "../mounts.ts"
import { clip } from "../text.ts"
import type { Call, Range, Source } from "./language.ts"
import { assignedTo, literal, nameOf, partsOf, stringMember } from "./literals.ts"

interface Route extends Range {
  readonly method: string
  readonly path: string
  readonly handler: string | null
  readonly framework: string
}

const routeFact = (source: Source, { framework, handler, method, path, ...range }: Route): AnyFact => {
  const value = { method: method.toUpperCase(), path: clip(path), handler, framework }
  return fact("route", `${value.method} ${value.path}`, value, source.span(range))
}

/** Modules by which a file says which framework it uses. */
const FRAMEWORKS: ReadonlyArray<readonly [module: RegExp, framework: string]> = [
  [/^express(?:$|\/)/u, "express"],
  [/^fastify(?:$|\/)|^@fastify\//u, "fastify"],
  [/^hono(?:$|\/)|^@hono\//u, "hono"],
  [/^(?:@koa\/router|koa-router|koa)$/u, "koa"],
  [/^@nestjs\//u, "nestjs"],
  [/^effect|^@effect\//u, "effect"],
  [/^elysia$/u, "elysia"],
  [/^itty-router$/u, "itty-router"],
  [/^fastapi/u, "fastapi"],
  [/^flask/u, "flask"],
  [/^starlette/u, "starlette"],
  [/^django/u, "django"],
  [/^github\.com\/gin-gonic\/gin$/u, "gin"],
  [/^github\.com\/go-chi\/chi/u, "chi"],
  [/^github\.com\/labstack\/echo/u, "echo"],
  [/^github\.com\/gofiber\/fiber/u, "fiber"],
  [/^github\.com\/gorilla\/mux$/u, "gorilla"],
  [/^net\/http$/u, "net/http"],
  [/^axum/u, "axum"],
  [/^actix_web/u, "actix"],
  [/^rocket/u, "rocket"],
  [/^org\.springframework\./u, "spring"],
  [/^(?:jakarta|javax)\.ws\.rs/u, "jax-rs"],
  [/^Microsoft\.AspNetCore/u, "asp.net"],
  [/^Symfony\\/u, "symfony"],
  [/^Illuminate\\/u, "laravel"],
  [/^sinatra/u, "sinatra"]
]

const frameworkOf = ({ imports }: Source): string | undefined =>
  FRAMEWORKS.find(([module]) => imports.some(({ target }) => module.test(target)))?.[1]

/** A file, and what its imports and calls say of all its routes. */
interface Server extends Source {
  readonly framework: string | undefined
  readonly prefixes: ReadonlyMap<string, string>
}

const VERBS = /^(?:get|post|put|patch|delete|del|head|options|all|any|handle|handlefunc|api_route|websocket)$/iu
/** What routes are usually hung on. Without the import of a framework, only these count. */
const ROUTERS = /(?:^|[._])(?:app|application|router|routes?|server|api|fastify|mux|group|r|e|v\d+)$|[rR]outer$|^Route$/u
/** Clients whose calls look the same, and go out. */
const CLIENTS =
  /(?:axios|fetch|http|client|requests?|supertest|agent|session|httpx|got|ky|nock|cy|page|cache|redis|map|params|headers|config|store)$/iu

const methodOf = (name: string): string =>
  /^(?:all|any|handle|handlefunc|api_route)$/iu.test(name) ? "ANY" : name === "del" ? "DELETE" : name

const PREFIXING = /^(?:APIRouter|Blueprint|group|use|route|nest|basePath|include_router|register_blueprint)$/iu

/** Prefixes that a file gives to routers: `APIRouter(prefix=…)`, `r.Group(…)`, `app.use("/x", router)`. */
const prefixesOf = ({ callsWith, text }: Source): ReadonlyMap<string, string> => {
  const prefixes = new Map<string, string>()
  for (const call of callsWith("name", PREFIXING)) {
    const [first, second] = call.arguments
    const path = stringMember(call.arguments.join(", "), "(?:url_)?prefix") ?? literal(first)
    const router = assignedTo(text, call.start) ?? nameOf(second) ?? nameOf(first)
    if (path?.startsWith("/") === true && router !== null) prefixes.set(router, `${prefixes.get(call.object) ?? ""}${path}`)
  }
  return prefixes
}

/** `app.use("/x", router)`, `include_router(mails.router, prefix="/x")`: the router may come from another file. */
const MOUNTING = /^(?:use|route|include_router|register_blueprint)$/u

const mountFacts = (source: Source): ReadonlyArray<AnyFact> =>
  source.callsWith("name", MOUNTING).filter(({ object }) => object !== "").flatMap((call): ReadonlyArray<AnyFact> => {
    const [first, second] = call.arguments
    const path = stringMember(call.arguments.join(", "), "(?:url_)?prefix") ?? literal(first)
    const router = nameOf(second) ?? nameOf(first)
    return path?.startsWith("/") === true && router !== null ? [fact("mount", router, { prefix: clip(path) }, source.span(call))] : []
  })

/** `/x`, `*`, nothing (what the router is hung on), or `GET /x` as net/http has it. */
const PATH = /^$|^[/*]|^[A-Z]{3,7} \//u

/** Whether a call of a method such as `get` adds a route, and does not ask another server. */
const addsRoute = ({ decorates, object }: Call, path: string, framework: string | undefined): boolean =>
  PATH.test(path) && (object === "http" ? path.startsWith("/") : !CLIENTS.test(object)) &&
  (framework !== undefined || decorates || ROUTERS.test(object))

/** `app.get("/x", handler)` and decorators such as `@app.get("/x")`. */
const ofVerbs = (source: Server): ReadonlyArray<Route> => {
  const { framework, prefixes } = source
  return source.callsWith("name", VERBS).filter(({ object }) => object !== "").flatMap((call): ReadonlyArray<Route> => {
    const [first, ...rest] = call.arguments
    const path = literal(first)
    if (path === undefined || !addsRoute(call, path, framework) || !call.decorates && rest.length === 0) return []
    const handler = call.decorates ? source.decorated(call)?.name ?? null : nameOf(rest.at(-1))
    const [method = "", plain = ""] = path.includes(" /") ? path.split(" ", 2) : [methodOf(call.name), path]
    const prefix = prefixes.get(call.object)
    return [{
      ...call,
      method,
      path: prefix === undefined ? plain : joined(prefix, plain),
      handler,
      framework: framework ?? (call.object === "Route" ? "laravel" : "unknown")
    }]
  })
}

/** `app.route({ method: "GET", url: "/x", handler })` of Fastify. */
const ofOptions = (source: Server): ReadonlyArray<Route> =>
  source.callsWith("name", /^route$/u).flatMap((call): ReadonlyArray<Route> => {
    const [first = ""] = call.arguments
    const [method, path] = [stringMember(first, "method"), stringMember(first, "(?:url|path)")]
    if (method === null || path?.startsWith("/") !== true) return []
    const handler = /\bhandler\s*:\s*([\w$.]+)/u.exec(first)?.[1] ?? (/\bhandler\b/u.test(first) ? "handler" : null)
    return [{ ...call, method, path, handler, framework: source.framework ?? "unknown" }]
  })

/** `HttpApiEndpoint.get("name", "/x")` and `HttpRouter.add("GET", "/x", …)` of Effect. */
const ofEffect = (source: Server): ReadonlyArray<Route> =>
  source.callsWith("object", /(?:HttpApiEndpoint|HttpRouter)$/u).flatMap((call): ReadonlyArray<Route> => {
    const { arguments: [first, second, third], name, object } = call
    const [one, path] = [literal(first), literal(second)]
    if (one === undefined || path === undefined) return []
    if (object.endsWith("HttpApiEndpoint")) {
      return VERBS.test(name) ? [{ ...call, method: name, path, handler: one, framework: "effect" }] : []
    }
    const isRoute = (name === "add" || name === "route") && path.startsWith("/")
    return isRoute ? [{ ...call, method: one === "*" ? "ANY" : one, path, handler: nameOf(third), framework: "effect" }] : []
  })

const METHODS = /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/u
const MAPPING = /^(Get|Post|Put|Patch|Delete|Head|Options|All|Request|HttpGet|HttpPost|HttpPut|HttpPatch|HttpDelete)(?:Mapping)?$/u
/** Annotations of a class whose methods may be routes. What those of `NAMED_CLASS` are given is no path. */
const MAPPED_CLASS = /^(?:Controller|RequestMapping|Route|Path)$/u
const NAMED_CLASS = /^(?:RestController|ApiController)$/u

const annotationPath = ({ arguments: args }: Call): string =>
  args.map((one) => literal(one) ?? stringMember(one, "(?:path|value)")).find((one) => one !== undefined && one !== null) ?? ""

/** The paths of classes whose methods may be routes, by the name of the class. */
const classPaths = (source: Source, annotations: ReadonlyArray<Call>): ReadonlyMap<string, string> => {
  const of = (name: RegExp, pathOf: (call: Call) => string) =>
    annotations.flatMap((call) => {
      const target = name.test(call.name) ? source.decorated(call) : undefined
      return target?.kind === "class" || target?.kind === "interface" ? [[target.name, pathOf(call)] as const] : []
    })
  return new Map([...of(NAMED_CLASS, () => ""), ...of(MAPPED_CLASS, annotationPath)])
}

const mappedMethod = (call: Call): string | undefined => {
  const verb = MAPPING.exec(call.name)?.[1]
  return verb === "Request"
    ? /RequestMethod\.(\w+)/u.exec(call.arguments.join(" "))?.[1] ?? "ANY"
    : verb?.replace(/^Http/u, "").replace("All", "ANY")
}

/** Controllers of NestJS, Spring, ASP.NET and JAX-RS: decorators of a class and of its methods. */
const ofControllers = (source: Server): ReadonlyArray<Route> => {
  const { framework } = source
  if (framework === undefined) return []
  const written = source.calls.filter(({ decorates, object }) => decorates && object === "")
  if (written.length === 0) return []
  const prefixes = classPaths(source, written)
  const isJaxRs = framework === "jax-rs"
  return written.flatMap((call): ReadonlyArray<Route> => {
    const method = isJaxRs ? METHODS.exec(call.name)?.[0] : mappedMethod(call)
    const target = method === undefined ? undefined : source.decorated(call)
    if (method === undefined || target?.kind !== "method" || !prefixes.has(target.container ?? "")) return []
    const prefix = prefixes.get(target.container ?? "") ?? ""
    // JAX-RS says the path by an annotation of its own: `@GET @Path("/{id}")`.
    const at = isJaxRs ? written.find((one) => one.name === "Path" && source.decorated(one) === target) : call
    const path = at === undefined ? "" : annotationPath(at)
    return [{ ...call, method, path: joined(`/${prefix.replace(/^\//u, "")}`, path), handler: target.name, framework }]
  })
}

/** `@app.route("/x", methods=["GET"])` of Flask, `path("x", view)` of Django. */
const ofPython = (source: Server): ReadonlyArray<Route> => {
  if (source.language !== "Python") return []
  const { framework, prefixes } = source
  return source.calls.filter(({ name }) => /^(?:route|path|re_path|url)$/u.test(name)).flatMap((call): ReadonlyArray<Route> => {
    const path = literal(call.arguments[0])
    if (path === undefined) return []
    if (call.decorates && call.name === "route") {
      const methods = /\bmethods\s*=\s*[[(]([^\])]{1,200})/u.exec(call.arguments.join(", "))?.[1] ?? "\"GET\""
      const handler = source.decorated(call)?.name ?? null
      const whole = prefixes.has(call.object) ? joined(prefixes.get(call.object) ?? "", path) : path
      return partsOf(methods).map((one) => ({
        ...call,
        method: literal(one) ?? one,
        path: whole,
        handler,
        framework: framework ?? "flask"
      }))
    }
    return framework === "django" && /^(?:path|re_path|url)$/u.test(call.callee)
      ? [{ ...call, method: "ANY", path: `/${path}`, handler: nameOf(call.arguments[1]?.replace(/\(.*$/su, "")), framework }]
      : []
  })
}

/** `.route("/x", get(handler).post(other))` of axum, `#[get("/x")]` of actix and Rocket. */
const ofRust = (source: Server): ReadonlyArray<Route> => {
  if (source.language !== "Rust") return []
  const { framework = "unknown" } = source
  return source.calls.filter(({ decorates, name }) => decorates || name === "route").flatMap((call): ReadonlyArray<Route> => {
    const [first, second = ""] = call.arguments
    const path = literal(first)
    if (path?.startsWith("/") !== true) return []
    if (call.decorates && VERBS.test(call.callee)) {
      return [{ ...call, method: call.callee, path, handler: source.decorated(call)?.name ?? null, framework }]
    }
    if (call.name !== "route") return []
    return Array.from(second.matchAll(/\b(get|post|put|patch|delete|any)\(\s*([\w:]*)/gu), ([, verb = "", handler = ""]) => ({
      ...call,
      method: methodOf(verb),
      path,
      handler: nameOf(/\.to\(\s*([\w:]+)/u.exec(second)?.[1] ?? handler),
      framework
    }))
  })
}

const APP_ROUTE = /^(?:(.*)\/)?route\.[cm]?[jt]sx?$/u
const APP_PAGE = /^(?:(.*)\/)?page\.[cm]?[jt]sx?$/u
const PAGES_API = /^(api\/.*)\.[cm]?[jt]sx?$/u

/** The path from the first folder of this name on; empty where there is none. */
const below = (path: string, folder: string): string => {
  const at = `/${path}`.indexOf(`/${folder}/`)
  return at === -1 ? "" : path.slice(at + folder.length + 1)
}

/** `app/orders/[id]/route.ts`, `app/orders/page.tsx` and `pages/api/orders.ts` of Next.js: the path is that of the file. */
const ofNext = (source: Server): ReadonlyArray<Route> => {
  const address = (path: string) => posix.join("/", path.replaceAll(/\([^()/]*\)\/?/gu, "").replace(/(?:^|\/)index$/u, ""))
  const framework = "next"
  const inApp = below(source.path, "app")
  const route = APP_ROUTE.exec(inApp)
  if (route !== null) {
    return source.definitions.filter((one) => METHODS.test(one.name) && source.exported.has(one))
      .map((one) => ({ start: one.start, end: one.end, method: one.name, path: address(route[1] ?? ""), handler: one.name, framework }))
  }
  const page = APP_PAGE.exec(inApp)
  const api = PAGES_API.exec(below(source.path, "pages"))?.[1]
  const path = page === null ? api : page[1] ?? ""
  if (path === undefined) return []
  const handler = /\bexport\s+default\s+(?:async\s+)?(?:function\s+)?([\w$]*)/u.exec(source.text)
  if (handler === null) return []
  const range = { start: handler.index, end: handler.index + handler[0].length }
  return [{
    ...range,
    method: page === null ? "ANY" : "GET",
    path: address(path),
    handler: handler[1] === "" ? null : nameOf(handler[1]),
    framework
  }]
}

/** `get "/x" do` of Sinatra, `get "/x", to: "orders#show"` of Rails. */
const ofRuby = (source: Server): ReadonlyArray<Route> => {
  const isRails = /(?:^|\/)config\/routes\.rb$/u.test(source.path)
  if (source.language !== "Ruby" || !isRails && source.framework !== "sinatra") return []
  return source.calls.filter(({ name, object }) => object === "" && VERBS.test(name)).flatMap((call): ReadonlyArray<Route> => {
    const path = literal(call.arguments[0])
    const handler = stringMember(call.arguments.slice(1).join(", "), "to")
    return path === undefined ? [] : [{ ...call, method: call.name, path, handler, framework: isRails ? "rails" : "sinatra" }]
  })
}

/** `app.MapGet("/x", handler)` of ASP.NET. */
const ofDotNet = (source: Server): ReadonlyArray<Route> =>
  source.callsWith("name", /^Map(?:Get|Post|Put|Patch|Delete)$/u).flatMap((call): ReadonlyArray<Route> => {
    const path = literal(call.arguments[0])
    const handler = nameOf(call.arguments[1])
    return path === undefined ? [] : [{ ...call, method: call.name.slice("Map".length), path, handler, framework: "asp.net" }]
  })

const FINDERS = [ofRuby, ofDotNet, ofVerbs, ofOptions, ofEffect, ofControllers, ofPython, ofRust, ofNext]

export const routes = (source: Source): ReadonlyArray<AnyFact> => {
  const server = { ...source, framework: frameworkOf(source), prefixes: prefixesOf(source) }
  return [...FINDERS.flatMap((find) => find(server)).map((route) => routeFact(source, route)), ...mountFacts(source)]
}
