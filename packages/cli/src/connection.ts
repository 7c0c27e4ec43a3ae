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

/** Where the API is, who calls it, and what its failures are told as. */
export const placeOf = Effect.fnUntraced(function*({ key, url }: ApiFlags) {
  const known = Option.isSome(key) && Option.isSome(url) ? undefined : yield* readCredentials
  const baseUrl = Option.getOrElse(url, () => known?.base_url ?? "")
  const secretKey = Option.getOrElse(key, () => Redacted.make(known?.secret_key ?? ""))
  return { baseUrl, secretKey, explain: explained(baseUrl, Option.isNone(key)) }
})

/** The client, the address it speaks to, and what its failures are told as. */
export const connect = Effect.fnUntraced(function*(flags: ApiFlags) {
  const { baseUrl, explain, secretKey } = yield* placeOf(flags)
  const client: Client = yield* makeClient({ baseUrl, secretKey }).pipe(Effect.provide(FetchHttpClient.layer))
  return { client, baseUrl, explain }
})

export const isUnauthorized = (error: unknown): boolean => Predicate.hasProperty(error, "error") && error.error === "unauthorized"

/** Says of a call that failed what the API said, or that nobody answered. `isOwnKey`: the key is that of credentials.json. */
const explained = (baseUrl: string, isOwnKey: boolean) => (error: unknown): CommandFailed => {
  if (isOwnKey && isUnauthorized(error)) {
    return new CommandFailed({
      message:
        `The payments API at ${baseUrl} does not know the key of credentials.json: most likely another installation listens there. ` +
        "Start this one with npm start, set DATA_DIR to the folder of that one, or give --url and --key."
    })
  }
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
