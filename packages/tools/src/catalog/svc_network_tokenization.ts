/** The life of a network token, simulated. Reading and provisioning real ones needs a contract with a network, and is switched off. */
import { Move, nextEvents, TokenEvent, tokenMachine, TokenState, walk } from "@svc/compliance/token-lifecycle"
import { NotConfigured } from "@svc/tool-kit/backend"
import { list, may } from "@svc/tool-kit/fields"
import { tool } from "@svc/tool-kit/tool"
import { Effect, Schema } from "effect"

const providers = ["stripe", "vts", "mdes"] as const
const Provider = Schema.Literals(providers)

/** The table of moves does not know one of the events. The events before it are in `detail`. */
export class IllegalTokenLifecycleTransition
  extends Schema.TaggedError<IllegalTokenLifecycleTransition>()("IllegalTokenLifecycleTransition", {
    message: Schema.String,
    detail: Schema.Unknown
  })
{}

const Lifecycle = Schema.Struct({
  operation: Schema.Literal("lifecycle"),
  provider: Provider,
  /** Null when there is no token yet. */
  state: Schema.NullOr(TokenState),
  terminal: Schema.Boolean,
  history: Schema.Array(Move),
  next_events: Schema.Array(TokenEvent),
  /** Always: no network heard of it. */
  simulated: Schema.Literal(true)
})

const Capabilities = Schema.Struct({
  operation: Schema.Literal("capabilities"),
  operations: Schema.Record(Schema.String, Schema.Literals(["simulated", "available", "not_configured"])),
  providers: Schema.Array(Schema.Struct({ provider: Provider, name: Schema.String, configured: Schema.Boolean })),
  states: Schema.Array(TokenState),
  events: Schema.Array(TokenEvent),
  transitions: Schema.Array(Move)
})

const names = { stripe: "Stripe network tokens", vts: "Visa Token Service", mdes: "Mastercard Digital Enablement Service" } as const

const capabilities: typeof Capabilities.Type = {
  operation: "capabilities",
  operations: { lifecycle: "simulated", capabilities: "available", read: "not_configured", provision: "not_configured" },
  providers: providers.map((provider) => ({ provider, name: names[provider], configured: false })),
  states: tokenMachine.states,
  events: TokenEvent.literals,
  transitions: tokenMachine.transitions.map(({ from, to, trigger }) => ({ from, event: trigger, to }))
}

const lifecycle = (provider: typeof Provider.Type, start: TokenState | null, path: ReadonlyArray<TokenEvent>) => {
  const walked = walk(start, path)
  if (walked._tag === "Illegal") {
    const { at, event, from, history } = walked
    const allowed = nextEvents(from)
    return new IllegalTokenLifecycleTransition({
      message:
        `illegal token lifecycle transition: events[${at}] is ${event}, and ${
          from === null ? "there is no token yet" : `the token is ${from}`
        }; ` +
        (allowed.length === 0 ? "no event follows." : `what may follow: ${allowed.join(", ")}.`),
      detail: { at, from, event, allowed, history }
    })
  }
  const { history, state } = walked
  const next_events = nextEvents(state)
  return Effect.succeed(
    { operation: "lifecycle", provider, state, terminal: next_events.length === 0, history, next_events, simulated: true } as const
  )
}

const away = (operation: string) =>
  new NotConfigured({
    reason: "network_tokenization_disabled",
    detail: `${operation} would reach a card network's token service, and this service has none.`,
    remediation: "Use operation lifecycle, which simulates one, or ask your processor for network tokens."
  })

export const svc_network_tokenization = tool({
  name: "svc_network_tokenization",
  title: "Network token lifecycle",
  description: "Simulates the lifecycle of a network token, or lists capabilities. read and provision are switched off.",
  auth: "key",
  kind: "inline",
  prices: "free",
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  limits: { seconds: 1, bytes: 8192 },
  payload: Schema.Struct({
    // `read` when left out.
    operation: may(Schema.Literals(["read", "provision", "lifecycle", "capabilities"])),
    events: may(list(TokenEvent, 100)),
    // One event more, after those of `events`.
    event: may(TokenEvent),
    // Where the events start; without it there is no token yet.
    state: may(TokenState),
    provider: may(Provider)
  }),
  result: Schema.Union([Lifecycle, Capabilities]),
  error: IllegalTokenLifecycleTransition,
  examples: [
    { operation: "lifecycle", events: ["provision", "activate", "suspend", "resume", "delete"] },
    { operation: "lifecycle", state: "active", event: "suspend", provider: "vts" },
    { operation: "capabilities" }
  ],
  run: ({ event, events = [], operation = "read", provider = "stripe", state = null }) => {
    switch (operation) {
      case "capabilities":
        return Effect.succeed(capabilities)
      case "lifecycle":
        return lifecycle(provider, state, event === undefined ? events : [...events, event])
      default:
        return away(operation)
    }
  }
})
