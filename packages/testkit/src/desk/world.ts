/** The desk as people see it: the service behind a listener, at a name for which browsers make passkeys, and a browser with a device. */
import { listen } from "@svc/server/listener"
import * as routes from "@svc/server/routes"
import { Effect, Layer } from "effect"
import { HttpServer } from "effect/http"
import type { CDPSession, Page } from "playwright-core"
import { Browser } from "../browser/chromium.ts"
import { layerLog, layerService } from "../contract/service.ts"
import { servicesWith } from "../services.ts"
import { CLIENT, identityProvider } from "./identity-provider.ts"

/** Browsers trust it without TLS. */
export const DESK_URL = "http://desk.localhost"

const browser = Layer.unwrap(Effect.map(
  HttpServer.HttpServer,
  ({ address }) => Browser.layer(Effect.succeed({ "desk.localhost": Number(new URL(HttpServer.formatAddress(address)).port) }))
))

const worldWith = (environment: Readonly<Record<string, string>>) =>
  browser.pipe(
    Layer.provideMerge(layerService),
    Layer.provideMerge(listen(routes.layer, { port: 0, host: "127.0.0.1", variable: "API_PORT" })),
    Layer.provideMerge(servicesWith({ base_url: DESK_URL, environment })),
    Layer.provideMerge(layerLog)
  )

export const layer = worldWith({})

/** With an identity provider. */
export const layerWithProvider = Layer.unwrap(
  Effect.map(
    identityProvider(DESK_URL),
    ({ issuer }) => worldWith({ OIDC_ISSUER: issuer, OIDC_CLIENT_ID: CLIENT.id, OIDC_CLIENT_SECRET: CLIENT.secret })
  )
)

/** A device that keeps passkeys and verifies its person at once, as a phone does by finger. */
export const withDevice = async (page: Page): Promise<CDPSession> => {
  const session = await page.context().newCDPSession(page)
  await session.send("WebAuthn.enable")
  await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true
    }
  })
  return session
}
