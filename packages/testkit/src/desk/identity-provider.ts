/** An identity provider, by others: oidc-provider behind a port of this machine, where anybody signs in by typing who they are. */
import { Effect } from "effect"
import { createServer } from "node:http"
import Provider from "oidc-provider"
import { freePorts } from "../ports.ts"

export const CLIENT = { id: "desk", secret: "a secret of the tests" }

/** Started for a desk at this address; gives its issuer. `unverified@example.com` is an address that nobody has verified. */
export const identityProvider = (deskUrl: string) =>
  Effect.gen(function*() {
    const { provider: port } = yield* freePorts("provider")
    const issuer = `http://127.0.0.1:${port}`
    const provider = new Provider(issuer, {
      clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [`${deskUrl}/desk/provider/callback`] }],
      claims: { openid: ["sub"], email: ["email", "email_verified"] },
      pkce: { required: () => true },
      findAccount: (_: unknown, id: string) => ({
        accountId: id,
        claims: () => ({ sub: id, email: id, email_verified: !id.startsWith("unverified") })
      }),
      cookies: { keys: ["a key of the tests"] },
      ttl: { AccessToken: 600, AuthorizationCode: 60, IdToken: 600, Interaction: 600, Session: 600, Grant: 600 }
    })
    yield* Effect.acquireRelease(
      Effect.callback<ReturnType<typeof createServer>>((resume) => {
        const server = createServer(provider.callback())
        server.listen(port, "127.0.0.1", () => resume(Effect.succeed(server)))
      }),
      (server) =>
        Effect.sync(() => {
          server.close()
          server.closeAllConnections()
        })
    )
    return { issuer }
  })
