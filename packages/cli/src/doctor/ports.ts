/** Whether a port is served by this installation, by another one, by another program, or by nobody. */
import { makeClient } from "@svc/client/client"
import { ServerConfig } from "@svc/server/config"
import type { Credentials } from "@svc/server/credentials"
import { Effect } from "effect"
import { FetchHttpClient, HttpClient, HttpClientError } from "effect/http"
import { createServer } from "node:net"
import { isUnauthorized } from "../connection.ts"
import { readCredentials } from "../credentials.ts"
import { failed, note, ok } from "./finding.ts"

/** Why the port cannot be listened on; undefined when it can. */
const obstacle = (port: number, host: string | undefined) =>
  Effect.callback<string | undefined>((resume) => {
    const server = createServer()
    server.once("error", (error) => resume(Effect.succeed("code" in error ? String(error.code) : error.message)))
    server.listen({ port, ...(host === undefined ? {} : { host }) }, () => server.close(() => resume(Effect.undefined)))
  })

/** What the process there says of its health; undefined when it does not speak as svc does. */
const healthAt = (url: string) =>
  HttpClient.get(`${url}/v1/health`).pipe(
    Effect.flatMap(({ json }) => json),
    Effect.map((body) => typeof body === "object" && body !== null && "status" in body ? String(body.status) : undefined),
    Effect.timeout("3 seconds"),
    Effect.orElseSucceed(() => undefined),
    Effect.provide(FetchHttpClient.layer)
  )

/** Who answers at the address of `credentials.json`: this installation is the one that knows its key. */
export const answererOf = Effect.fnUntraced(function*({ base_url, secret_key }: Credentials) {
  const client = yield* makeClient({ baseUrl: base_url, secretKey: secret_key })
  return yield* client.accounts.own({}).pipe(
    Effect.as("this installation" as const),
    Effect.catch((error) =>
      Effect.succeed(
        isUnauthorized(error)
          ? "another installation" as const
          : HttpClientError.isHttpClientError(error) && error.response === undefined
          ? "nobody" as const
          : "this installation" as const
      )
    )
  )
}, Effect.provide(FetchHttpClient.layer))

/** The addresses at which this installation runs; undefined when it does not. */
const running = readCredentials.pipe(
  Effect.flatMap((credentials) =>
    Effect.map(answererOf(credentials), (answerer) => answerer === "this installation" ? credentials : undefined)
  ),
  Effect.orElseSucceed(() => undefined)
)

const served = (url: string, health: string | undefined) =>
  health === "healthy"
    ? ok(`${url} is served by this installation, healthy`)
    : failed(`${url} is served by this installation, and it says it is ${health ?? "nothing of its health"}. Look at its log.`)

const usable = Effect.fnUntraced(function*(port: number, host: string | undefined, variable: string) {
  const code = yield* obstacle(port, host)
  if (code === undefined) return note(`${port} is free; nothing is served there now`)
  if (code !== "EADDRINUSE") return failed(`${port} cannot be listened on (${code}). Set ${variable} to another port.`)
  const health = yield* healthAt(`http://${host ?? "localhost"}:${port}`)
  return failed(
    health === undefined
      ? `${port} is taken by another program. Stop that one, or set ${variable} to a free port.`
      : `${port} is served by another installation of svc. Stop that one, set ${variable} to a free port, or DATA_DIR to its folder.`
  )
})

const port = (address: "base_url" | "tools_url", setting: "apiPort" | "toolsPort", variable: string) =>
  Effect.gen(function*() {
    const config = yield* ServerConfig
    const url = (yield* running)?.[address]
    return url === undefined ? yield* usable(config[setting], config.host, variable) : served(url, yield* healthAt(url))
  })

export const apiPort = port("base_url", "apiPort", "API_PORT")
export const toolsPort = port("tools_url", "toolsPort", "TOOLS_PORT")
