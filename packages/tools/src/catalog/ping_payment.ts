/** A payment of one cent, to try the way that every paid tool takes. */
import { priceIn, tool } from "@svc/tool-kit/tool"
import { Effect, Schema } from "effect"

const prices = { standard: 1, lite: 1 } as const

export const ping_payment = tool({
  name: "ping_payment",
  title: "Try a payment",
  description: "Pays one cent, to try how this server is paid.",
  auth: "none",
  kind: "inline",
  prices,
  paidByCall: true,
  hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  limits: { seconds: 5, bytes: 1024 },
  payload: Schema.Struct({}),
  result: Schema.Struct({ ok: Schema.Boolean, settled_cents: Schema.Natural, message: Schema.String }),
  examples: [{}],
  run: (_, { mode }) => {
    const settled_cents = priceIn(prices, mode)
    return Effect.succeed({ ok: true, settled_cents, message: `Settled ${settled_cents} cent. Every paid tool is paid in the same way.` })
  }
})
