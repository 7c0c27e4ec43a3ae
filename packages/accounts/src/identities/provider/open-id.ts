/** OpenID Connect: how people are sent to the provider, and what its answer proves. */
import * as NodeDns from "@effect/platform-node/NodeDns"
import { checkUrl } from "@svc/kernel/egress/rules"
import { makeSend } from "@svc/kernel/egress/transport"
import { Cause, Effect, Redacted } from "effect"
import * as client from "openid-client"
import { CONFIRMED_MINUTES } from "../../sessions/model.ts"
import { IdentityRefused, type ProvenIdentity } from "../model.ts"
import type { ProviderFacts } from "../settings.ts"

const TIMEOUT = "10 seconds"
const MAX_BYTES = 512 * 1024

/** What the answer is verified with. */
export interface Checks {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

export interface OpenId {
  /** The address at the provider where a person proves who they are, anew if that is asked for. */
  readonly addressFor: (
    redirect_uri: string,
    is_fresh: boolean
  ) => Effect.Effect<{ readonly url: string; readonly checks: Checks }, IdentityRefused>
  /** What the provider says, by the address with which it sent the browser back. */
  readonly prove: (callback: URL, checks: Checks, is_fresh: boolean) => Effect.Effect<ProvenIdentity, IdentityRefused>
}

const unavailable = new IdentityRefused({ reason: "unavailable", message: "The identity provider does not answer. Try again in a moment." })
const invalid = new IdentityRefused({ reason: "invalid", message: "The identity provider did not say who you are." })

const bodyOf = (body: client.FetchBody): string =>
  body === null || body === undefined ? "" : body instanceof URLSearchParams ? body.toString() : String(body)

/** Requests to the provider leave as all others do: it may stand in a private network, and what it names besides may not. */
const makeFetch = Effect.fnUntraced(function*(issuer: string) {
  const policy = { allow: [new URL(issuer).hostname] }
  const send = yield* Effect.provide(makeSend(policy), NodeDns.layer)
  const run = Effect.runPromiseWith(yield* Effect.context<never>())
  const fetch: client.CustomFetch = (address, { body, headers, method }) =>
    run(Effect.gen(function*() {
      const url = yield* Effect.fromResult(checkUrl(address, policy))
      const request = { url: address, headers, body: bodyOf(body), timeout: TIMEOUT, maxResponseBytes: MAX_BYTES } as const
      const answer = yield* Effect.timeout(send(url, request, method === "POST" ? "POST" : "GET"), TIMEOUT)
      return new Response(answer.body, { status: answer.status, headers: answer.headers })
    }))
  return fetch
})

export const makeOpenId = Effect.fnUntraced(function*({ client_id, client_secret, issuer }: ProviderFacts) {
  const fetch = yield* makeFetch(issuer)
  const told = (refusal: IdentityRefused) => (cause: unknown) =>
    Effect.as(Effect.logWarning("The identity provider proved nobody", Cause.fail(cause)), refusal)
  const asking = <A>(refusal: IdentityRefused, ask: () => Promise<A>): Effect.Effect<A, IdentityRefused> =>
    Effect.catch(Effect.tryPromise(ask), (error) => Effect.flatMap(told(refusal)(error.cause), Effect.fail))

  const discovered = asking(
    unavailable,
    () =>
      client.discovery(new URL(issuer), client_id, undefined, client.ClientSecretBasic(Redacted.value(client_secret)), {
        [client.customFetch]: fetch,
        // An issuer without TLS runs on this machine: its setting says so.
        execute: issuer.startsWith("http:") ? [client.allowInsecureRequests] : []
      })
  )
  let known: client.Configuration | undefined
  /** Asked once; a provider that was away is asked again. */
  const configuration = Effect.suspend(() =>
    known === undefined ? Effect.tap(discovered, (found) => Effect.sync(() => known = found)) : Effect.succeed(known)
  )

  const openId: OpenId = {
    addressFor: Effect.fnUntraced(function*(redirect_uri: string, is_fresh: boolean) {
      const configured = yield* configuration
      const checks = { state: client.randomState(), nonce: client.randomNonce(), verifier: client.randomPKCECodeVerifier() }
      const code_challenge = yield* Effect.promise(() => client.calculatePKCECodeChallenge(checks.verifier))
      const url = client.buildAuthorizationUrl(configured, {
        redirect_uri,
        scope: "openid email",
        state: checks.state,
        nonce: checks.nonce,
        code_challenge,
        code_challenge_method: "S256",
        ...(is_fresh ? { prompt: "login", max_age: String(CONFIRMED_MINUTES * 60) } : {})
      })
      return { url: url.href, checks }
    }),
    prove: Effect.fnUntraced(function*(callback: URL, { nonce, state, verifier }: Checks, is_fresh: boolean) {
      const configured = yield* configuration
      const tokens = yield* asking(invalid, () =>
        client.authorizationCodeGrant(configured, callback, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          ...(is_fresh ? { maxAge: CONFIRMED_MINUTES * 60 } : {})
        }))
      const claims = tokens.claims()
      if (claims === undefined) return yield* invalid
      const stated = claims.email === undefined
        ? yield* asking(invalid, () => client.fetchUserInfo(configured, tokens.access_token, claims.sub))
        : claims
      const email = stated["email_verified"] === true && typeof stated["email"] === "string" ? stated["email"].toLowerCase() : null
      return { issuer: claims.iss, subject: claims.sub, email }
    })
  }
  return openId
})
