/** Where implementations meet: every service of the payments half, wired. */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { KnownScopes, ToolScopes } from "@svc/accounts/access/model"
import { layerStore, RequestLimit } from "@svc/accounts/api-keys/rate-limit"
import { ProviderSettings } from "@svc/accounts/identities/settings"
import { installed as pages } from "@svc/checkout/layer"
import { Confined } from "@svc/confined/service"
import { installed } from "@svc/doors/layer"
import { Agendas } from "@svc/kernel/clocks/agenda"
import { ClockWorker } from "@svc/kernel/clocks/worker"
import { type EgressPolicy, InstalledPolicy } from "@svc/kernel/egress/model"
import type { Egress } from "@svc/kernel/egress/service"
import * as egress from "@svc/kernel/egress/service"
import * as webEgress from "@svc/kernel/egress/web"
import { PublicUrl } from "@svc/kernel/http/public-url"
import { Idempotency } from "@svc/kernel/resource/idempotency"
import { VersionChanges } from "@svc/kernel/resource/version-change"
import { Committer } from "@svc/kernel/road/committer"
import { TimerHandlers, TimerWorker } from "@svc/kernel/timers/timers"
import { journal } from "@svc/ledger/layer"
import type { Rails } from "@svc/payments/rails/rail"
import { remoteSimulatorRails } from "@svc/payments/rails/remote-simulator"
import { simulatedRails, SimulatorUrl } from "@svc/payments/rails/simulator"
import { layerLoaded } from "@svc/payments/rates/loaded"
import { Rates } from "@svc/payments/rates/rates"
import { outboxIn } from "@svc/platform/email/outbox"
import * as email from "@svc/platform/email/service"
import { FetchedPackages } from "@svc/platform/fetched/service"
import * as backends from "@svc/tools/backends/layer"
import { toolScopes } from "@svc/tools/catalog/index"
import { remoteBankLinks } from "@svc/treasury/bank-links/provider/remote-simulator"
import { simulatedBankLinks } from "@svc/treasury/bank-links/provider/simulator"
import { KnownEventTypes } from "@svc/webhooks/events/model"
import { outbox } from "@svc/webhooks/layer"
import { Effect, Layer } from "effect"
import { catalog, scopes, toolCatalog } from "./catalog.ts"
import type { ServerConfig } from "./config.ts"
import * as keyring from "./keyring.ts"
import { all } from "./packages.ts"
import { signingKeyOf } from "./signing.ts"

const LOOPBACK = ["127.0.0.1", "::1", "localhost"]

const policyOf = ({ egressAllow, publicUrl }: ServerConfig): EgressPolicy => ({
  allow: egressAllow ?? (publicUrl === undefined ? LOOPBACK : [])
})

/** Emails leave by the mail server of the configuration; those of a local start are kept for whoever tries it out. */
const emailOf = ({ dataDir, email: smtp, publicUrl }: ServerConfig): Layer.Layer<email.Email> =>
  smtp !== undefined
    ? email.layerSmtp(smtp, outboxIn(dataDir))
    : publicUrl === undefined
    ? email.layerOutbox(outboxIn(dataDir))
    : email.layerNone

/** The connections to providers that the configuration asks for. */
export const railsOf = (config: ServerConfig): Layer.Layer<Rails, never, Egress> =>
  config.providerUrl === undefined ? simulatedRails : remoteSimulatorRails({ url: config.providerUrl })

/** Who links bank accounts. */
const bankLinksOf = ({ providerUrl }: ServerConfig) =>
  providerUrl === undefined ? simulatedBankLinks : remoteBankLinks({ url: providerUrl })

/** Where currencies get their worth from. */
const ratesOf = ({ rates: { from, maxAgeDays } }: ServerConfig, policy: EgressPolicy) =>
  from === undefined ? Rates.layer : layerLoaded(from, maxAgeDays).pipe(Layer.provide([egress.layerDownload(policy), NodeFileSystem.layer]))

/** What the packages are told of this installation and of each other. */
const facts = (policy: EgressPolicy) =>
  Layer.mergeAll(
    Layer.succeed(InstalledPolicy, policy),
    Layer.succeed(KnownScopes, new Set([...scopes, ...toolCatalog.scopes])),
    Layer.succeed(ToolScopes, toolScopes),
    // Besides those of the contract, what a test has.
    Layer.effect(VersionChanges, Effect.map(VersionChanges, (others) => [...others, ...catalog.changes])),
    Layer.succeed(KnownEventTypes, new Set(catalog.events.keys()))
  )

/** How the outside reaches the two listeners. */
export interface Urls {
  readonly base_url: string
  readonly tools_url: string
}

/** What may take the place of the usual. */
export interface Parts {
  /** Instead of those that the configuration asks for. */
  readonly rails?: Layer.Layer<Rails, never, Egress>
  readonly packages?: Layer.Layer<FetchedPackages>
}

/** The services that requests use. */
export const layer = (
  config: ServerConfig,
  { base_url, tools_url }: Urls,
  { packages = FetchedPackages.layer(config.fetchPackages), rails = railsOf(config) }: Parts = {}
) => {
  const policy = policyOf(config)
  return backends.layer.pipe(
    Layer.provideMerge(all.services),
    Layer.provideMerge(Layer.mergeAll(rails, ratesOf(config, policy), bankLinksOf(config))),
    Layer.provideMerge(Idempotency.layer),
    Layer.provideMerge(Committer.layer),
    Layer.provideMerge(Layer.merge(journal, outbox)),
    Layer.provideMerge(Layer.mergeAll(
      facts(policy),
      keyring.layer(config),
      egress.layer(policy),
      webEgress.layer({ allow: config.toolsEgressAllow ?? [] }),
      emailOf(config),
      signingKeyOf(config),
      Confined.layerOf(config.confined).pipe(Layer.provideMerge(packages)),
      Layer.succeed(SimulatorUrl, base_url),
      Layer.succeed(PublicUrl, base_url),
      Layer.succeed(ProviderSettings, config.identityProvider),
      Layer.mergeAll(
        RequestLimit.layer,
        pages({ card_fields_url: config.cardFieldsUrl }),
        installed({ tools_url, api_url: base_url, contact_email: config.contactEmail })
      ).pipe(Layer.provide(layerStore))
    ))
  )
}

/** What runs beside the requests: due timers, the workers of the packages, and, with what these add, the clocks of accounts. */
export const workers = ClockWorker.layer.pipe(
  Layer.provideMerge(Layer.merge(TimerWorker.layer, all.workers)),
  Layer.provide(Layer.merge(Layer.effect(TimerHandlers, all.timers), Agendas.layer))
)
