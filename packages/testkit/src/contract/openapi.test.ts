/** The OpenAPI document says what the service does: in its form, its examples, its strictness and its routes. */
import { assert, layer } from "@effect/vitest"
import { isRecord } from "@svc/kernel/values/record"
import { catalog } from "@svc/server/catalog"
import * as routes from "@svc/server/routes"
import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { randomUUID } from "node:crypto"
import type { Document, Operation, Route } from "./document.ts"
import { routesOf, served } from "./document.ts"
import { mismatches } from "./json-schema.ts"
import { bodyPositions, fillPath, idAt, unknownLike } from "./positions.ts"
import { fitFor, hasKeyInHeaderAlone, makeResources } from "./resources.ts"
import { jsonOf, layer as service, operatorKey, send, Service } from "./service.ts"

/** Served beside the contract: the document and its pages, metrics as text, and the second addresses of the assistant. */
const besides = ["GET /openapi.json", "GET /docs", "GET /metrics", "POST /assistant/ask", "POST /assistant/act", "* *"]

/** What people open in a browser, and no program asks. */
const isPage = (route: string): boolean => /^\w+ \/(?:desk$|(?:desk|docs|checkout|invoices|pass|portal|sim)\/)/u.test(route)

/** Every object in a document, with the path to it. */
const objectsOf = (value: unknown, path = "#"): ReadonlyArray<readonly [path: string, object: Readonly<Record<string, unknown>>]> => {
  if (Array.isArray(value)) return value.flatMap((item, at) => objectsOf(item, `${path}/${at}`))
  if (!isRecord(value)) return []
  return [
    [path, value],
    ...Object.entries(value).flatMap(([key, item]) => objectsOf(item, `${path}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`))
  ]
}

const lookUp = (document: unknown, pointer: string): unknown =>
  pointer.split("/").slice(1).reduce<unknown>(
    (at, part) => isRecord(at) ? at[part.replaceAll("~1", "/").replaceAll("~0", "~")] : undefined,
    document
  )

const operationsOf = ({ paths, webhooks }: Document): ReadonlyArray<readonly [name: string, operation: Operation]> =>
  Object.entries({ ...paths, ...webhooks }).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => [`${method} ${path}`, operation] as const)
  )

const nameOf = ({ method, path }: Route) => `${method} ${path}`
const exampleOf = (route: Route) => isRecord(route.body?.example) ? route.body.example : {}
const withKey = (example: Readonly<Record<string, unknown>>) =>
  "idempotency_key" in example ? { ...example, idempotency_key: randomUUID() } : example

layer(service, { excludeTestServices: true, timeout: "60 seconds" })("the OpenAPI document", (it) => {
  it.effect("is well formed", () =>
    Effect.gen(function*() {
      const document = yield* served
      assert.match(document.openapi, /^3\.1\.\d$/)
      const operations = operationsOf(document)
      const ids = operations.map(([, { operationId }]) => operationId)
      assert.deepStrictEqual(ids.filter((id, at) => ids.indexOf(id) !== at), [], "operation ids are unique")
      const tags = document.tags.map(({ name }) => name)
      for (const [name, { description, parameters = [], responses, security = [], summary, tags: own = [] }] of operations) {
        assert.isNotEmpty(summary ?? "", `${name} has a summary`)
        assert.isNotEmpty(description ?? "", `${name} has a description`)
        assert.isNotEmpty(own, name)
        for (const tag of own) assert.include(tags, tag, name)
        assert.isNotEmpty(Object.keys(responses).filter((status) => status.startsWith("2")), `${name} can succeed`)
        for (const status of Object.keys(responses)) assert.match(status, /^[1-5](\d\d|XX)$/, name)
        for (const scheme of security.flatMap((one) => Object.keys(one))) assert.property(document.components.securitySchemes, scheme, name)
        const places = parameters.map((parameter) =>
          "$ref" in parameter ? parameter.$ref : `${parameter.in} ${parameter.name.toLowerCase()}`
        )
        assert.deepStrictEqual(places.filter((place, at) => places.indexOf(place) !== at), [], `${name} names no parameter twice`)
      }
      for (const { parameters, path } of routesOf(document)) {
        const named = Array.from(path.matchAll(/\{([^}]+)\}/g), ([, name]) => name)
        const inPath = parameters.filter((parameter) => parameter.in === "path")
        assert.deepStrictEqual(inPath.map(({ name }) => name), named, path)
        assert.isTrue(inPath.every(({ required }) => required === true), path)
      }
    }))

  it.effect("refers to nothing that is not there, and holds nothing that nobody refers to", () =>
    Effect.gen(function*() {
      const document: unknown = JSON.parse((yield* send("GET", "/openapi.json")).text)
      const references = objectsOf(document).flatMap(([path, { $ref }]) => typeof $ref === "string" ? [[path, $ref] as const] : [])
      for (const [path, target] of references) assert.isDefined(lookUp(document, target), `${path} refers to ${target}`)
      const targets = new Set(references.map(([, target]) => target))
      const { components } = yield* served
      // What is answered before there is an operation is told here alone.
      const outside = ["Malformed", "RequestTimeout", "ExpectationFailed", "HeadersTooLarge", "NoSuchRoute", "MethodNotAllowed"]
      for (const kind of ["schemas", "parameters", "headers", "examples", "responses"] as const) {
        const unused = Object.keys(components[kind]).filter((name) =>
          !targets.has(`#/components/${kind}/${name}`) && !(kind === "responses" && outside.includes(name))
        )
        assert.deepStrictEqual(unused, [], kind)
      }
    }))

  it.effect("says its patterns so that validators with Unicode classes and without read the same, and names no schema twice", () =>
    Effect.gen(function*() {
      const { components } = yield* served
      const patterns = objectsOf(components).flatMap(([, { pattern }]) => typeof pattern === "string" ? [pattern] : [])
      assert.isNotEmpty(patterns)
      for (const pattern of patterns) {
        assert.notMatch(pattern, /\\p\{/i)
        assert.strictEqual(new RegExp(pattern).source, new RegExp(pattern, "u").source)
      }
      // As Effect names the second of two schemas that are not quite the same.
      assert.deepStrictEqual(Object.keys(components.schemas).filter((name) => /_\d+$/.test(name)), [])
    }))

  it.effect("gives every refusal the one Error schema, with the codes that can come", () =>
    Effect.gen(function*() {
      const document = yield* served
      for (
        const [name, { responses }] of [...operationsOf(document), ["components", { responses: document.components.responses }] as const]
      ) {
        for (const [status, { content = {} }] of Object.entries(responses).filter(([status]) => !/^[23]/.test(status))) {
          const { examples = {}, schema } = content["application/json"] ?? { schema: {} }
          assert.deepStrictEqual(schema, { $ref: "#/components/schemas/Error" }, `${name} ${status}`)
          assert.isNotEmpty(Object.keys(examples), `${name} ${status} names its codes`)
          for (const code of Object.keys(examples)) {
            const known = Array.from(catalog.errors.values()).find(({ error }) => error === code)
            if (/^\d/.test(status)) assert.strictEqual(String(known?.status), status, `${name}: ${code}`)
          }
        }
      }
      const text = (yield* send("GET", "/openapi.json")).text
      assert.notInclude(text, "_tag")
      const error = document.components.schemas["Error"]
      assert.sameMembers(Object.keys(isRecord(error?.["properties"]) ? error["properties"] : {}), [
        "error",
        "message",
        "code",
        "decline_code",
        "request_id",
        "details"
      ])
    }))

  it.effect("each route of the server is in it, and each of its routes is served", () =>
    Effect.gen(function*() {
      const documented = routesOf(yield* served)
      const added: Array<string> = []
      const real = yield* HttpRouter.make
      const recorder = HttpRouter.HttpRouter.of({
        ...real,
        add: (method, path) => Effect.sync(() => void added.push(`${method} ${path}`)),
        addAll: (list) => Effect.sync(() => void list.forEach(({ method, path }) => added.push(`${method} ${path}`)))
      })
      yield* Effect.asVoid(HttpRouter.toHttpEffect(routes.layer.pipe(Layer.provide(Layer.succeed(HttpRouter.HttpRouter, recorder)))))
      const inDocument = documented.map(({ method, path }) => `${method} ${path.replace(/\{([^}]+)\}/g, ":$1")}`)
      assert.sameMembers(added.filter((route) => !besides.includes(route) && !isPage(route)), inDocument)
      for (const route of documented) {
        const answer = yield* send(route.method, fillPath(route.path, () => "x"))
        assert.notInclude(answer.text, "No such route", nameOf(route))
        assert.property(route.operation.responses, String(answer.status), nameOf(route))
      }
    }))

  it.effect("what a request body must and must not hold is as it says", () =>
    Effect.gen(function*() {
      const document = yield* served
      const [resources, operator] = [yield* makeResources("strict"), yield* operatorKey]
      const bodies = routesOf(document).filter(({ body }) => body !== undefined)
      assert.isNotEmpty(bodies)
      for (const route of bodies) {
        const path = fillPath(route.path, (position) => unknownLike(idAt(resources, position)))
        const headers = hasKeyInHeaderAlone(route) ? { "Idempotency-Key": randomUUID() } : {}
        const ask = (body: unknown) =>
          send(route.method, path, { key: route.key === "operator_key" ? operator : resources.merchant.key, body, headers })
        const said = (body: unknown): Effect.Effect<Record<string, unknown>, never, Service> =>
          Effect.map(ask(body), (answer) => ({ status: answer.status, ...jsonOf(answer) }))
        const documented = exampleOf(route)
        // What an example names by id is one's own.
        const named = bodyPositions(document, routesOf(document), route).filter(({ name }) => name in documented)
        const own = yield* Effect.forEach(named, ({ name, of }) =>
          Effect.map(fitFor[name]?.(resources.merchant.key) ?? Effect.succeed(of(resources)), (value) =>
            [name, value] as const))
        const example: Readonly<Record<string, unknown>> = { ...documented, ...Object.fromEntries(own) }
        const good = yield* said(withKey(example))
        assert.notStrictEqual(good["error"], "validation_error", `${nameOf(route)}: its example is accepted: ${JSON.stringify(good)}`)
        assert.isFalse(route.body?.schema["additionalProperties"], nameOf(route))
        assert.deepInclude(yield* said({ ...withKey(example), nobody_knows: 1 }), {
          status: 400,
          error: "validation_error",
          code: "nobody_knows"
        }, nameOf(route))
        for (const field of Array.isArray(route.body?.schema["required"]) ? route.body.schema["required"] : []) {
          const { [String(field)]: _, ...without } = withKey(example)
          assert.deepInclude(
            yield* said(without),
            { status: 400, error: "validation_error", code: field },
            `${nameOf(route)} without ${field}`
          )
        }
      }
    }))

  it.effect("each body has an example, which fits its schema", () =>
    Effect.gen(function*() {
      const document = yield* served
      for (const [name, { requestBody, responses }] of operationsOf(document)) {
        const contents = [requestBody?.content, ...Object.values(responses).map(({ content }) => content)].filter((content) =>
          content !== undefined
        )
        for (const [type, { examples = {}, schema }] of contents.flatMap((content) => Object.entries(content))) {
          // What is no JSON is shown to people, not read by programs.
          if (schema["format"] === "binary") continue
          assert.strictEqual(type, "application/json", name)
          assert.isNotEmpty(Object.values(examples), name)
          for (const example of Object.values(examples)) {
            const value: unknown = isRecord(example) && typeof example["$ref"] === "string" ? lookUp(document, example["$ref"]) : example
            assert.deepStrictEqual(mismatches(document, schema, isRecord(value) ? value["value"] : undefined), [], name)
          }
        }
      }
    }))

  it.effect("answers are open to new fields; only what requests hold is closed", () =>
    Effect.gen(function*() {
      const document = yield* served
      const closed = new Set<string>()
      const visit = (value: unknown): void => {
        for (const [, { $ref }] of objectsOf(value)) {
          const name = typeof $ref === "string" ? /schemas\/(.+)$/.exec($ref)?.[1] : undefined
          if (name === undefined || closed.has(name)) continue
          closed.add(name)
          visit(document.components.schemas[name])
        }
      }
      for (const [, { requestBody }] of operationsOf({ ...document, webhooks: {} })) visit(requestBody?.content["application/json"]?.schema)
      for (const [name, schema] of Object.entries(document.components.schemas)) {
        if (!closed.has(name)) assert.notInclude(JSON.stringify(schema), "\"additionalProperties\":false", name)
      }
    }))

  it.effect("the headers it promises are sent", () =>
    Effect.gen(function*() {
      const [document, resources, operator] = [yield* served, yield* makeResources("headers"), yield* operatorKey]
      for (const route of routesOf(document).filter(({ method }) => method === "GET")) {
        const path = fillPath(route.path, (position) => idAt(resources, position))
        const answer = yield* send(route.method, path, { key: route.key === "operator_key" ? operator : resources.merchant.key })
        for (const name of Object.keys(route.operation.responses[String(answer.status)]?.headers ?? {})) {
          assert.property(answer.headers, name.toLowerCase(), `${nameOf(route)} ${answer.status}`)
        }
      }
    }))

  it.effect.each(["/docs", "/docs/payment-intents", "/openapi.json", "/livez", "/v1/health"])(
    "%s answers HEAD as GET, without the body",
    (path) =>
      Effect.gen(function*() {
        const [get, head] = [yield* send("GET", path), yield* send("HEAD", path)]
        assert.deepStrictEqual([head.status, head.text, head.headers["content-type"]], [200, "", get.headers["content-type"]])
      })
  )
})
