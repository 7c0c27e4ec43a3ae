/**
 * What the installation may set, by environment variable; each has a default.
 *
 * Read elsewhere: `REDIS_URL` (`@svc/accounts/api-keys/rate-limit`), the Redis that keeps rate limits for all processes; `XDG_CACHE_HOME`
 * (`@svc/platform/database/embedded/binaries`), below which the programs of the embedded database are kept for any user but root; and once
 * a collector is named, the other `OTEL_*` that Effect's exporter knows; `MCP_ALLOWED_ORIGINS` (`@svc/doors/mcp/origin`), the web pages
 * that may call the tool server. For tests alone: `SVC_LEASE_SECONDS` (`@svc/kernel/leases`) and `SVC_FAIL_POINT`
 * (`@svc/kernel/fail-points`).
 */
import { RateLimitSettings } from "@svc/accounts/api-keys/rate-limit"
import { OpenIdSettings } from "@svc/accounts/identities/settings"
import { ConfinedSettings } from "@svc/confined/settings"
import { AllowEntry } from "@svc/kernel/egress/model"
import { listOf, oneOf, optionalWholeNumber, secureAddress, webAddress, wholeNumber } from "@svc/kernel/parts/settings"
import { RatesSettings } from "@svc/payments/rates/settings"
import { EmailSettings } from "@svc/platform/email/settings"
import { EncryptionKeys } from "@svc/platform/encryption/settings"
import { FetchSettings } from "@svc/platform/fetched/settings"
import { BackendSettings } from "@svc/tools/backends/settings"
import { Config, Schema } from "effect"
import { trustedProxies } from "./proxies.ts"
import { signingKeySetting } from "./signing.ts"

const ports = { minimum: 1, maximum: 65_535 }

const optional = <A>(config: Config.Config<A>) => Config.withDefault(config, undefined)

export const ServerConfig = Config.all({
  /** Port of the payments API. */
  apiPort: wholeNumber("API_PORT", { ...ports, usual: 4000 }),
  /** Port of the tool server. */
  toolsPort: wholeNumber("TOOLS_PORT", { ...ports, usual: 4001 }),
  /** Address both listen on; all of the machine's when unset. */
  host: optional(Config.String("HOST")),
  /** Folder of the embedded database and of credentials.json. */
  dataDir: Config.String("DATA_DIR").pipe(Config.withDefault(".data")),
  /** A Postgres of your own, 15 or newer, instead of the embedded one. */
  databaseUrl: optional(Config.Redacted("DATABASE_URL")),
  /** How the outside reaches the payments API; used in links. */
  publicUrl: optional(Config.String("PUBLIC_URL")),
  /** How the outside reaches the tool server; used in links. */
  toolsPublicUrl: optional(Config.String("TOOLS_PUBLIC_URL").pipe(Config.map((url) => url.replace(/\/$/u, "")))),
  /** Seconds between the signal to stop, after which `/readyz` answers 503, and the stop. */
  drainSeconds: optionalWholeNumber("DRAIN_SECONDS", { minimum: 0, maximum: 600 }, "5 with a PUBLIC_URL, else 0"),
  /** The networks of proxies before the two ports, which say who asks. */
  trustedProxies,
  /** Where people reach the operator: in `security.txt`, and in what agents are told of the tool server. */
  contactEmail: optional(Config.String("CONTACT_EMAIL")),
  /**
   * `SMTP_URL` and `EMAIL_FROM`: the mail server and the sender of emails. Both unset, they lie in `DATA_DIR/outbox`, or are refused with a
   * `PUBLIC_URL`.
   */
  email: EmailSettings,
  /** `OIDC_ISSUER`, `OIDC_CLIENT_ID` and `OIDC_CLIENT_SECRET`: the identity provider for people. Passkeys alone when unset. */
  identityProvider: OpenIdSettings,
  /** `ENCRYPTION_KEYS`: what seals bank account numbers. Unset, a key in `DATA_DIR/encryption.keys`; with a `PUBLIC_URL` it must be set. */
  encryptionKeys: EncryptionKeys,
  /**
   * `LEDGER_SIGNING_KEY`: the Ed25519 key that signs the ledger's checkpoints. Unset, a local start makes one below `DATA_DIR`, and one
   * with a `PUBLIC_URL` is refused.
   */
  signingKey: signingKeySetting,
  /**
   * Private addresses that the webhooks of sandbox accounts may go to, separated by commas, or `none`. This machine when unset, or none
   * with a `PUBLIC_URL`.
   */
  egressAllow: listOf(
    "EGRESS_ALLOW",
    Schema.is(AllowEntry),
    "none, or host names, addresses and networks separated by commas, such as localhost:4242,10.0.0.0/8",
    "this machine"
  ),
  /** Private addresses that URLs in the arguments of tools may lead to, separated by commas, or `none`. None when unset. */
  toolsEgressAllow: listOf(
    "TOOLS_EGRESS_ALLOW",
    Schema.is(AllowEntry),
    "none, or host names, addresses and networks separated by commas, such as wiki.corp.example,10.0.0.0/8",
    "none"
  ),
  /** Where the seeded merchant's webhooks go. */
  webhookUrl: webAddress("WEBHOOK_URL", "http://127.0.0.1:4242/webhooks"),
  /** An OpenTelemetry collector for traces, metrics and logs. */
  otlpEndpoint: optional(Config.String("OTEL_EXPORTER_OTLP_ENDPOINT")),
  /** The remote simulator instead of the built-in one, for rehearsing with a provider that lives elsewhere. */
  providerUrl: optional(Config.String("PROVIDER_URL")),
  /** The card fields of the provider of live accounts: the https address of a page that checkout shows in a frame. */
  cardFieldsUrl: secureAddress("CARD_FIELDS_URL", "no cards on the pages of live accounts"),
  /**
   * `RATES_FILE`, `RATES_URL` and `RATES_MAX_AGE_DAYS`: exchange rates in the form of the European Central Bank's. Without them the
   * built-in ones of a past day, for the sandbox.
   */
  rates: RatesSettings,
  /**
   * `CONFINED`, `CONFINED_PLACES` and `CONFINED_NODE`: what stands around foreign code and foreign bytes, and how many such programs run at
   * once.
   */
  confined: ConfinedSettings,
  /** `FETCH_PACKAGES`: when packages are fetched that are too heavy for a first start. Never with a `PUBLIC_URL`, unless it is set. */
  fetchPackages: FetchSettings,
  /** The least important lines that are still logged. */
  logLevel: oneOf("LOG_LEVEL", ["Fatal", "Error", "Warn", "Info", "Debug", "Trace"], "Info"),
  /**
   * `RATE_LIMIT_PER_SECOND`, `RATE_LIMIT_BURST` and `RATE_LIMIT_ACCOUNT_…`. Read where they count; here too, so that a mistake is told
   * before anything starts.
   */
  rateLimit: RateLimitSettings,
  /** What the tools work with; told here for the same reason. */
  backends: BackendSettings
})
export type ServerConfig = Config.Success<typeof ServerConfig>
