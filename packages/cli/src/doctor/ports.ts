/** Whether a port is free, or is svc's already. */
import { Effect } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"
import { createServer } from "node:net"
import { failed, note, ok } from "./finding.ts"

/** Why the port cannot be listened on; undefined when it can. */
const obstacle = (port: number, host: string | undefined) =>
  Effect.callback<string | undefined>((resume) => {
    const server = createServer()
    server.once("error", (error) => resume(Effect.succeed("code" in error ? String(error.code) : error.message)))
    server.listen({ port, ...(host === undefined ? {} : { host }) }, () => server.close(() => resume(Effect.undefined)))
  })

/** What the process there says of its health; undefined when it does not speak as svc does. */
const healthAt = (port: number, host: string | undefined) =>
  HttpClient.get(`http://${host ?? "localhost"}:${port}/v1/health`).pipe(
    Effect.flatMap(({ json }) => json),
    Effect.map((body) => typeof body === "object" && body !== null && "status" in body ? String(body.status) : undefined),
    Effect.timeout("3 seconds"),
    Effect.orElseSucceed(() => undefined),
    Effect.provide(FetchHttpClient.layer)
  )

export const port = Effect.fnUntraced(function*(number: number, host: string | undefined, variable: string) {
  const code = yield* obstacle(number, host)
  if (code === undefined) return note(`${number} is free; nothing is served there now`)
  if (code !== "EADDRINUSE") return failed(`${number} cannot be listened on (${code}). Set ${variable} to another port.`)
  const health = yield* healthAt(number, host)
  if (health === undefined) return failed(`${number} is taken by another program. Stop that one, or set ${variable} to a free port.`)
  return health === "healthy" ? ok(`${number} is served by svc, healthy`) : failed(`${number} is served by svc, and it says it is ${health}. Look at its log.`)
})
