import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeConfiguredServer } from "./configured.ts"
import { receiver } from "./receiver.fixture.ts"

const request = (url: string) => ({ url, headers: {}, body: "", timeout: "30 seconds", maxResponseBytes: 10 }) as const

it.live("a server of the configuration may be private; no other is called, and no redirect is followed", () =>
  Effect.gen(function*() {
    const seen: Array<string> = []
    const port = yield* receiver(({ method = "", url = "" }, response) => {
      seen.push(`${method} ${url}`)
      if (url === "/moved") response.writeHead(302, { location: "/elsewhere" }).end()
      else response.end(url === "/long" ? "x".repeat(11) : "ok")
    })
    const other = yield* receiver((_, response) => void response.end("other"))
    const address = `http://127.0.0.1:${port}`
    const server = yield* makeConfiguredServer(`${address}/v1`)
    for (const method of ["GET", "POST", "PUT", "DELETE"] as const) {
      assert.deepInclude(yield* server(request(`${address}/here`), method), { status: 200, body: "ok" })
    }
    assert.strictEqual((yield* server(request(`${address}/moved`))).status, 302)
    for (
      const [url, reason] of [
        [`${address}/long`, "response_too_large"],
        [`http://127.0.0.1:${other}/`, "refused_address"],
        ["http://169.254.169.254/latest", "refused_address"],
        ["http://localhost./", "refused_address"],
        ["file:///etc/passwd", "invalid_url"]
      ] as const
    ) {
      assert.strictEqual((yield* Effect.flip(server(request(url)))).reason, reason, url)
    }
    assert.notInclude(seen.join(), "elsewhere")
  }).pipe(Effect.scoped))
