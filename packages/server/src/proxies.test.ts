/** Whose word is taken for who asks, and at which address. */
import { assert, describe, it } from "@effect/vitest"
import { unusableSetting } from "@svc/kernel/parts/settings"
import { ConfigProvider, Effect, Layer, Option, Result } from "effect"
import { HttpRouter, HttpServer, HttpServerRequest, HttpServerResponse } from "effect/http"
import { IpNetwork } from "effect/net"
import { listen } from "./listener.ts"
import { TrustedProxies, trustedProxies } from "./proxies.ts"

const who = HttpRouter.add(
  "GET",
  "/who",
  Effect.map(
    HttpServerRequest.HttpServerRequest,
    (request) =>
      HttpServerResponse.jsonUnsafe([
        Option.getOrNull(request.remoteAddress),
        Option.getOrUndefined(HttpServerRequest.toURL(request))?.href
      ])
  )
)

const ask = Effect.fnUntraced(function*(networks: ReadonlyArray<string>, headers: Readonly<Record<string, string>>) {
  const server = yield* Layer.build(
    listen(who, { port: 0, host: "127.0.0.1", variable: "API_PORT" }).pipe(
      Layer.provide(Layer.succeed(TrustedProxies, networks.map(IpNetwork.fromStringUnsafe)))
    )
  )
  const base = HttpServer.formatAddress((yield* Effect.provide(HttpServer.HttpServer, server)).address)
  const found: unknown = yield* Effect.promise(async () => (await fetch(`${base}/who`, { headers })).json())
  return [found, new URL(base).host] as const
}, Effect.scoped)

const sent = {
  "x-forwarded-for": "6.6.6.6, 198.51.100.7",
  "x-forwarded-proto": "https, https",
  "x-forwarded-host": "a.example, pay.example"
}

describe("X-Forwarded-For", () => {
  it.live("of a proxy that is trusted says who asks: whom it saw itself, not what it was told", () =>
    Effect.map(ask(["127.0.0.0/8"], sent), ([found]) => assert.deepStrictEqual(found, ["198.51.100.7", "https://pay.example/who"])))

  it.live.each<readonly [label: string, headers: Readonly<Record<string, string>>, address: string]>([
    ["a list that the client began", { ...sent, "x-forwarded-proto": "https", "x-forwarded-host": "pay.example" }, "198.51.100.7"],
    ["no list", { "x-forwarded-proto": "https", "x-forwarded-host": "pay.example" }, "127.0.0.1"],
    ["a shorter list", { ...sent, "x-forwarded-for": "198.51.100.7" }, "198.51.100.7"],
    [
      "the lists of two proxies",
      {
        "x-forwarded-for": "6.6.6.6, 198.51.100.7, 127.0.0.9",
        "x-forwarded-proto": "https,http",
        "x-forwarded-host": "pay.example, inner"
      },
      "198.51.100.7"
    ]
  ])(
    "may stand beside host and protocol of another length: %s",
    ([, headers, address]) =>
      Effect.map(ask(["127.0.0.0/8"], headers), ([found]) => assert.deepStrictEqual(found, [address, "https://pay.example/who"]))
  )

  it.live.each([[], ["10.0.0.0/8"]])(
    "of anybody else is not believed (trusted: %s)",
    (networks) =>
      Effect.map(ask([networks].flat(), sent), ([found, host]) => assert.deepStrictEqual(found, ["127.0.0.1", `http://${host}/who`]))
  )
})

describe("TRUSTED_PROXIES", () => {
  const read = (given: string) => Effect.result(trustedProxies.parse(ConfigProvider.fromEnv({ env: { TRUSTED_PROXIES: given } })))
  it.effect("is a list of networks", () =>
    Effect.map(
      read("10.0.0.0/8, ::1/128"),
      (found) => assert.deepStrictEqual(Result.getOrThrow(found).map(IpNetwork.format), ["10.0.0.0/8", "::1/128"])
    ))
  it.effect("is refused in one line, which names what is wrong", () =>
    Effect.map(
      read("10.0.0.0/8, all"),
      (found) =>
        assert.match(
          unusableSetting(Result.isFailure(found) ? found.failure : undefined) ?? "",
          /^TRUSTED_PROXIES names "all", and must be networks such as/u
        )
    ))
})
