/** What is fetched for a tool: whole, on disk, gone with the scope, and from nowhere that a stranger may not send this server to. */
import * as NodeDns from "@effect/platform-node/NodeDns"
import { assert, describe, it } from "@effect/vitest"
import { layerNoDeps } from "@svc/kernel/egress/web"
import { Site } from "@svc/tool-kit/services/site"
import { Effect, Layer, Stream } from "effect"
import { readdirSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { makeDownload } from "./downloads.ts"

const MIB = 1024 ** 2

/** A server with 8 MiB of zeros at `/large`, and what it was asked for. */
const listening = Effect.acquireRelease(
  Effect.callback<{ readonly port: number; readonly asked: Array<string>; readonly close: () => void }>((resume) => {
    const asked: Array<string> = []
    const server = createServer(({ url = "" }, response) => {
      asked.push(url)
      if (url.endsWith("/elsewhere")) response.writeHead(302, { location: "http://10.0.0.1/" }).end()
      else if (url.endsWith("/large")) {
        response.writeHead(200, { "content-type": "application/pdf" })
        for (let at = 0; at < 8; at++) response.write(Buffer.alloc(MIB))
        response.end()
      } else response.writeHead(url.endsWith("/busy") ? 503 : 404).end()
    })
    server.listen(
      0,
      "127.0.0.1",
      () => resume(Effect.succeed({ port: (server.address() as AddressInfo).port, asked, close: () => server.close() }))
    )
  }),
  ({ close }) => Effect.sync(close)
)

const ofServer = (port: number, allow: ReadonlyArray<string>) =>
  Layer.mergeAll(
    layerNoDeps({ allow }).pipe(Layer.provide(NodeDns.layer)),
    Layer.succeed(Site, {
      service: "svc",
      title: "svc",
      version: "0",
      protocol_version: "",
      protocol_versions: [],
      tools_url: `http://127.0.0.1:${port}`,
      api_url: "",
      contact_email: null
    })
  )

const downloads = () => readdirSync(tmpdir()).filter((name) => name.startsWith("svc-download-"))

describe("a download", () => {
  it.live("is read from disk in pieces, and is gone with the scope", () =>
    Effect.gen(function*() {
      const { port } = yield* listening
      const before = downloads()
      yield* Effect.gen(function*() {
        const download = yield* makeDownload
        const { mediaType, size, stream } = yield* download(`http://127.0.0.1:${port}/large`, 8 * MIB)
        assert.deepStrictEqual([mediaType, size], ["application/pdf", 8 * MIB])
        assert.strictEqual(yield* Stream.runFold(stream, () => 0, (sum, chunk) => sum + chunk.length), size)
      }).pipe(Effect.scoped, Effect.provide(ofServer(port, ["127.0.0.1"])))
      assert.deepStrictEqual(downloads(), before)
    }))

  it.live("is refused where it is too long, missing or private, and may be an object of this server", () =>
    Effect.gen(function*() {
      const { asked, port } = yield* listening
      const url = `http://127.0.0.1:${port}`
      const told = (path: string, most: number) =>
        Effect.gen(function*() {
          return yield* Effect.flip((yield* makeDownload)(`${url}${path}`, most))
        }).pipe(Effect.scoped, Effect.provide(ofServer(port, [])))
      assert.deepInclude(yield* told("/s3/large", 8 * MIB - 1), { _tag: "FetchFailed", retryable: false })
      assert.deepInclude(yield* told("/s3/missing", MIB), { _tag: "FetchFailed", retryable: false })
      assert.deepInclude(yield* told("/s3/busy", MIB), { _tag: "FetchFailed", retryable: true })
      assert.deepInclude(yield* told("/s3/elsewhere", MIB), { _tag: "InvalidUrl" })
      assert.deepInclude(yield* told("/large", MIB), { _tag: "InvalidUrl" })
      assert.deepInclude(yield* told("/s3/../large", MIB), { _tag: "InvalidUrl" })
      assert.deepStrictEqual(asked, ["/s3/large", "/s3/missing", "/s3/busy", "/s3/elsewhere"])
    }))
})
