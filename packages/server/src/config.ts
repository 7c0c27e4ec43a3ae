/** What the installation may set, by environment variable. */
import { Config } from "effect"

const optional = <A>(config: Config.Config<A>) => Config.withDefault(config, undefined)

export const ServerConfig = Config.all({
  /** Port of the payments API. */
  apiPort: Config.Port("API_PORT").pipe(Config.withDefault(4000)),
  /** Port of the tool server. */
  toolsPort: Config.Port("TOOLS_PORT").pipe(Config.withDefault(4001)),
  /** Address both listen on; all of the machine's when unset. */
  host: optional(Config.String("HOST")),
  /** Folder of the embedded database and of credentials.json. */
  dataDir: Config.String("DATA_DIR").pipe(Config.withDefault(".data")),
  /** A Postgres of your own, 15 or newer, instead of the embedded one. */
  databaseUrl: optional(Config.Redacted("DATABASE_URL")),
  /** How the outside reaches the payments API; used in links. */
  publicUrl: optional(Config.String("PUBLIC_URL")),
  /** Private addresses that the webhooks of sandbox accounts may go to, separated by commas, or `none`. This machine when unset, or none with a `PUBLIC_URL`. */
  egressAllow: optional(Config.String("EGRESS_ALLOW")),
  /** Where the seeded merchant's webhooks go. */
  webhookUrl: Config.String("WEBHOOK_URL").pipe(Config.withDefault("http://127.0.0.1:4242/webhooks")),
  /** An OpenTelemetry collector for traces, metrics and logs. */
  otlpEndpoint: optional(Config.String("OTEL_EXPORTER_OTLP_ENDPOINT")),
  /** The remote simulator instead of the built-in one, for rehearsing with a provider that lives elsewhere. */
  providerUrl: optional(Config.String("PROVIDER_URL")),
  logLevel: Config.Literals(["Fatal", "Error", "Warn", "Info", "Debug", "Trace"], "LOG_LEVEL").pipe(Config.withDefault("Info" as const))
})
export type ServerConfig = Config.Success<typeof ServerConfig>
