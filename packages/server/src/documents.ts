/** The contract for programs, and the page that shows it to people. */
import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import * as HttpApiScalar from "effect/http-api/HttpApiScalar"
import * as OpenApi from "effect/http-api/OpenApi"
import { createHash } from "node:crypto"
import { Api } from "./documented.ts"
import { sharedAnswer } from "./shared-answer.ts"
import type { Document } from "./shared-answer.ts"

const contract = Effect.sync((): Document => ({ text: JSON.stringify(OpenApi.fromApi(Api)), contentType: "application/json" }))

const hashesOf = (html: string): ReadonlyArray<string> =>
  Array.from(html.matchAll(/<script>([^]*?)<\/script>/g), ([, script = ""]) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`)

/** The scripts of the page itself and no others; requests to this service alone. It puts its styles into the page. */
const policyOf = (html: string): string =>
  [
    "default-src 'none'",
    `script-src ${hashesOf(html).join(" ")}`,
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ].join("; ")

/** Effect gives its page to a router only; this one serves nobody else, and is gone with its text when the page was made. */
const page = Effect.scoped(Effect.gen(function*() {
  const aside = yield* HttpRouter.make
  yield* Layer.build(Layer.provide(
    HttpApiScalar.layer(Api, { path: "/docs", scalar: { withDefaultFonts: false } }),
    Layer.succeed(HttpRouter.HttpRouter, aside)
  ))
  const { body } = yield* aside.asHttpEffect()
  const text = body._tag === "Uint8Array" && body.text !== undefined ? body.text : ""
  return { text, contentType: "text/html; charset=utf-8", headers: { "content-security-policy": policyOf(text) } } satisfies Document
}))

export const layer = HttpRouter.use(Effect.fnUntraced(function*(router) {
  yield* router.add("GET", "/docs", yield* sharedAnswer(page))
  yield* router.add("GET", "/openapi.json", yield* sharedAnswer(contract))
}))
