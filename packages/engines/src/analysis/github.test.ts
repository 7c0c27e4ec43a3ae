import { assert, describe, it } from "@effect/vitest"
import { receiver } from "@svc/kernel/egress/receiver.fixture"
import * as webEgress from "@svc/kernel/egress/web"
import { Effect, Redacted, Result, Stream } from "effect"
import { gzipSync } from "node:zlib"
import { makeRepositories, repositoryOf } from "./github.ts"

const github = { url: "https://github.com" }

describe("a repository is named by", () => {
  it.each([
    ["https://github.com/effect-ts/effect", { owner: "effect-ts", name: "effect", ref: undefined }],
    ["https://github.com/effect-ts/effect/", { owner: "effect-ts", name: "effect", ref: undefined }],
    ["https://github.com/effect-ts/effect.git", { owner: "effect-ts", name: "effect", ref: undefined }],
    ["https://github.com/a/b.c/tree/main", { owner: "a", name: "b.c", ref: "main" }],
    ["https://github.com/a/b/tree/feature/x%2B1", { owner: "a", name: "b", ref: "feature/x+1" }]
  ])("%s", (url, repository) => assert.deepStrictEqual(Result.getOrThrow(repositoryOf(github, url)), repository))
})

describe("no repository is named by", () => {
  it.each([
    "https://github.com",
    "https://github.com/a",
    "https://github.com/a/..",
    "https://github.com/a/b/blob/main/x",
    "https://github.com/a/b/tree",
    "https://github.com/a/b/tree/..%2f..%2fuser",
    "https://github.com/a/b/tree/x?token=1",
    "https://github.com/a/b/tree/a%0ab",
    "https://github.com/a/b/tree/%ff",
    "https://github.com.evil.example/a/b",
    "https://gitlab.com/a/b",
    "git@github.com:a/b"
  ])("%s", (url) => assert.isTrue(Result.isFailure(repositoryOf(github, url))))
})

/** A GitHub that redirects, and keeps one repository for who has the token. */
const fetching = (path: string, token?: string) =>
  Effect.gen(function*() {
    const heard: Array<string> = []
    const port = yield* receiver(({ headers, url = "" }, response) => {
      heard.push(`${url} ${headers.authorization ?? "-"}`)
      const isAllowed = headers.authorization === "Bearer t"
      const moved = (to: string) => response.writeHead(302, { location: to }).end()
      if (url === "/repos/a/public/tarball") moved("/codeload")
      else if (url === "/repos/a/public/tarball/v1" || url === "/codeload") response.end(gzipSync("tar"))
      else if (url === "/repos/a/private/tarball" && isAllowed) moved("/codeload")
      else if (url === "/repos/a/huge/tarball") response.end(Buffer.alloc(50 * 1024 * 1024 + 1))
      else if (url === "/repos/a/busy/tarball") response.writeHead(403, { "x-ratelimit-remaining": "0" }).end()
      else if (url === "/repos/a/broken/tarball") response.writeHead(502).end()
      else if (headers.authorization !== undefined && !isAllowed) response.writeHead(401).end()
      else response.writeHead(404).end()
    })
    const web = yield* webEgress.WebEgress
    const server = { url: "https://github.com", apiUrl: `http://127.0.0.1:${port}` }
    const { fetch } = yield* makeRepositories(server, web, "svc")
    const repository = Result.getOrThrow(repositoryOf(server, `https://github.com/a/${path}`))
    const fetched = yield* Effect.result(
      fetch(repository, token === undefined ? undefined : Redacted.make(token)).pipe(
        Effect.flatMap(({ size, stream }) => Effect.map(Stream.mkUint8Array(stream), (bytes) => ({ size, bytes: bytes.length })))
      )
    )
    return { fetched, heard }
  }).pipe(Effect.scoped, Effect.provide(webEgress.layer({ allow: ["127.0.0.1"] })))

const failureOf = (path: string, token?: string) =>
  Effect.map(fetching(path, token), ({ fetched }) => Result.isFailure(fetched) ? fetched.failure : assert.fail("it came"))

describe("a tarball", () => {
  it.live("comes by the redirect of the API, whole", () =>
    Effect.gen(function*() {
      const { fetched, heard } = yield* fetching("public")
      assert.deepStrictEqual(Result.getOrThrow(fetched), { size: 23, bytes: 23 })
      assert.deepStrictEqual(heard, ["/repos/a/public/tarball -", "/codeload -"])
      assert.isTrue(Result.isSuccess((yield* fetching("public/tree/v1")).fetched))
    }))

  it.live("of a private repository comes to the token, which goes no further than the API", () =>
    Effect.gen(function*() {
      const { fetched, heard } = yield* fetching("private", "t")
      assert.isTrue(Result.isSuccess(fetched))
      assert.deepStrictEqual(heard, ["/repos/a/private/tarball Bearer t", "/codeload -"])
    }))

  it.live("that does not come is told with the reason", () =>
    Effect.gen(function*() {
      assert.deepInclude(yield* failureOf("private"), {
        reason: "missing",
        retryable: false,
        message: "GitHub shows no repository a/private."
      })
      assert.deepInclude(yield* failureOf("none/tree/v2"), { reason: "missing", message: "GitHub shows no repository a/none with v2." })
      assert.deepInclude(yield* failureOf("private", "old"), { reason: "unauthorized", retryable: false })
      assert.deepInclude(yield* failureOf("busy"), { reason: "limited", retryable: true })
      assert.deepInclude(yield* failureOf("broken"), { reason: "failed", retryable: true, message: "GitHub answers with status 502." })
      assert.deepInclude(yield* failureOf("huge"), {
        reason: "failed",
        retryable: false,
        message: "The tarball is larger than 50 MiB."
      })
    }))
})
