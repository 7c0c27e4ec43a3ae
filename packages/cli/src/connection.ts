/** The API as a command reaches it: `--url` and `--key`, else the running server and its sandbox merchant. */
import type { Client } from "@svc/client/client"
import { makeClient } from "@svc/client/client"
import { Effect, Option, Predicate, Redacted } from "effect"
import { Flag } from "effect/cli"
import { FetchHttpClient, HttpClientError } from "effect/http"
import { readCredentials } from "./credentials.ts"
import { CommandFailed, messageOf } from "./failure.ts"

export const apiFlags = {
  url: Flag.String("url").pipe(Flag.withDescription("Address of the payments API; from credentials.json unless given"), Flag.optional),
  key: Flag.Redacted("key").pipe(Flag.withDescription("API key of the account; from credentials.json unless given"), Flag.optional)
}

export interface ApiFlags {
  readonly url: Option.Option<string>
  readonly key: Option.Option<Redacted.Redacted<string>>
}

/** The client and the address it speaks to. */
export const connect = Effect.fnUntraced(function*({ key, url }: ApiFlags) {
  const known = Option.isSome(key) && Option.isSome(url) ? undefined : yield* readCredentials
  const baseUrl = Option.getOrElse(url, () => known?.base_url ?? "")
  const secretKey = Option.getOrElse(key, () => Redacted.make(known?.secret_key ?? ""))
  const client: Client = yield* makeClient({ baseUrl, secretKey }).pipe(Effect.provide(FetchHttpClient.layer))
  return { client, baseUrl }
})

/** Says of a call that failed what the API said, or that nobody answered. */
export const explained = (baseUrl: string) => (error: unknown): CommandFailed => {
  if (HttpClientError.isHttpClientError(error)) {
    return new CommandFailed({
      message: error.response === undefined
        ? `The payments API at ${baseUrl} does not answer. Start it with npm start, or give its address with --url.`
        : `${baseUrl} answered ${error.response.status} in a shape this version does not know. Check that --url is a payments API of this version.`
    })
  }
  const request = Predicate.hasProperty(error, "request_id") && Predicate.isString(error.request_id) ? ` (${error.request_id})` : ""
  return new CommandFailed({ message: `${messageOf(error)}${request}` })
}
