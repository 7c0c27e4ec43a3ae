/**
 * What the installation may set, by environment variable; each has a default.
 *
 * Read elsewhere: `REDIS_URL` (`@svc/accounts/api-keys/rate-limit`), the Redis that keeps rate limits for all processes;
 * `XDG_CACHE_HOME` (`@svc/kernel/database/embedded/binaries`), below which the programs of the embedded database are kept for any user
 * but root; and once a collector is named, the other `OTEL_*` that Effect's exporter knows; `MCP_ALLOWED_ORIGINS` (`@svc/tools/mcp/origin`), the web pages that may call the tool server. For tests alone: `SVC_LEASE_SECONDS` (`@svc/kernel/leases`) and `SVC_FAIL_POINT` (`@svc/kernel/fail-points`).
 */
import { RateLimitSettings } from "@svc/accounts/api-keys/rate-limit"
import { EmailSettings } from "@svc/kernel/email/settings"
import { EncryptionKeys } from "@svc/kernel/encryption/settings"
import { oneOf, secureAddress, wholeNumber } from "@svc/kernel/settings"
import { RatesSettings } from "@svc/payments/rates/settings"
import { Config } from "effect"
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
  toolsPublicUrl: optional(Config.String("TOOLS_PUBLIC_URL").pipe(Config.map((url) => url.replace(/\/+$/u, "")))),
  /** The networks of proxies before the two ports, which say who asks. */
  trustedProxies,
  /** Where people reach the operator: in `security.txt`, and in what agents are told of the tool server. */
  contactEmail: optional(Config.String("CONTACT_EMAIL")),
  /** `SMTP_URL` and `EMAIL_FROM`: the mail server and the sender of emails. Both unset, they lie in `DATA_DIR/outbox`, or are refused with a `PUBLIC_URL`. */
  email: EmailSettings,
  /** `ENCRYPTION_KEYS`: what seals bank account numbers. Unset, a key in `DATA_DIR/encryption.keys`; with a `PUBLIC_URL` it must be set. */
  encryptionKeys: EncryptionKeys,
  /** `LEDGER_SIGNING_KEY`: the Ed25519 key that signs the ledger's checkpoints. Unset, a local start makes one below `DATA_DIR`, and one with a `PUBLIC_URL` is refused. */
  signingKey: signingKeySetting,
  /** Private addresses that the webhooks of sandbox accounts may go to, separated by commas, or `none`. This machine when unset, or none with a `PUBLIC_URL`. */
  egressAllow: optional(Config.String("EGRESS_ALLOW")),
  /** Where the seeded merchant's webhooks go. */
  webhookUrl: Config.String("WEBHOOK_URL").pipe(Config.withDefault("http://127.0.0.1:4242/webhooks")),
  /** An OpenTelemetry collector for traces, metrics and logs. */
  otlpEndpoint: optional(Config.String("OTEL_EXPORTER_OTLP_ENDPOINT")),
  /** The remote simulator instead of the built-in one, for rehearsing with a provider that lives elsewhere. */
  providerUrl: optional(Config.String("PROVIDER_URL")),
  /** The card fields of the provider of live accounts: the https address of a page that checkout shows in a frame. */
  cardFieldsUrl: secureAddress("CARD_FIELDS_URL", "no cards on the pages of live accounts"),
  /** `RATES_FILE`, `RATES_URL` and `RATES_MAX_AGE_DAYS`: exchange rates in the form of the European Central Bank's. Without them the built-in ones of a past day, for the sandbox. */
  rates: RatesSettings,
  /** The least important lines that are still logged. */
  logLevel: oneOf("LOG_LEVEL", ["Fatal", "Error", "Warn", "Info", "Debug", "Trace"], "Info"),
  /** `RATE_LIMIT_PER_SECOND`, `RATE_LIMIT_BURST` and `RATE_LIMIT_ACCOUNT_…`. Read where they count; here too, so that a mistake is told before anything starts. */
  rateLimit: RateLimitSettings
})
export type ServerConfig = Config.Success<typeof ServerConfig>
