/**
 * Which web pages may call: those of this machine, those of the server's own public address, and those that the installation names.
 * Programs send no Origin, and may always.
 */
import { Site } from "@svc/tool-kit/services/site"
import { Config, Effect } from "effect"
import { HttpMiddleware } from "effect/http"

/** Origins of web pages that may call the tool server, separated by commas, such as `https://app.example.com`. */
const OriginSettings = Config.String("MCP_ALLOWED_ORIGINS").pipe(
  Config.withDefault(""),
  Config.map((list) => new Set(list.split(",").map((one) => one.trim().toLowerCase()).filter((one) => one !== "")))
)

const LOCAL = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i

export const allows = (listed: ReadonlySet<string>) => (origin: string): boolean => LOCAL.test(origin) || listed.has(origin.toLowerCase())

export const allowedOrigins = Effect.gen(function*() {
  const { tools_url } = yield* Site
  return allows(new Set([...yield* OriginSettings, new URL(tools_url).origin]))
})

/** What a page may read of an answer. */
const EXPOSED = [
  "Mcp-Session-Id",
  "MCP-Protocol-Version",
  "WWW-Authenticate",
  "Payment-Receipt",
  "PAYMENT-REQUIRED",
  "PAYMENT-RESPONSE",
  "X-PAYMENT-RESPONSE",
  "Retry-After",
  "RateLimit",
  "RateLimit-Policy",
  "Request-Id",
  "Location",
  "X-Svc-Tier",
  "X-Svc-Credits-Balance",
  "X-Svc-Request-Cost",
  "X-Svc-Quota-Limit",
  "X-Svc-Quota-Remaining"
]

/** Keys travel in headers that a page has to set itself, never in cookies, so any header may be asked for. */
export const cors = (allowed: (origin: string) => boolean) =>
  HttpMiddleware.cors({
    allowedOrigins: allowed,
    allowedMethods: ["GET", "POST", "DELETE", "OPTIONS"],
    exposedHeaders: EXPOSED,
    maxAge: 600
  })
