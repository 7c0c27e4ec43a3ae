/** A tool that is planned: it answers, free of charge, that it is not there yet and what does the work meanwhile. */
import { Effect, Schema } from "effect"
import { may } from "./fields.ts"
import { tool } from "./tool.ts"

export const PlannedCapability = Schema.Struct({
  _planned: Schema.Literal(true),
  capability_id: Schema.String,
  status: Schema.Literal("planned_proxy"),
  message: Schema.String,
  recommended_provider: Schema.Struct({ name: Schema.String, url: Schema.String })
}).annotate({ identifier: "PlannedCapability" })

export interface PlannedTool<N extends string> {
  readonly name: N
  readonly title: string
  /** What it will do, as the end of a sentence. */
  readonly will: string
  readonly provider: typeof PlannedCapability.Type["recommended_provider"]
}

export const planned = <const N extends string>({ name, provider, title, will }: PlannedTool<N>) =>
  tool({
    name,
    title,
    description: `Planned: will ${will}. Names a provider.`,
    auth: "none",
    kind: "inline",
    prices: "free",
    hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    limits: { seconds: 1, bytes: 65_536 },
    // What it will take is not decided: whatever a caller sends is taken, and not read.
    payload: Schema.Struct({ input: may(Schema.Json) }),
    result: PlannedCapability,
    examples: [{}],
    run: () =>
      Effect.succeed(
        {
          _planned: true,
          capability_id: name,
          status: "planned_proxy",
          message: `${name} will ${will}. It does not yet: use ${provider.name} meanwhile. Nothing was read or charged.`,
          recommended_provider: provider
        } as const
      )
  })
