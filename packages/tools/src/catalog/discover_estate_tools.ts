/** What else this operator runs. */
import { Directory } from "@svc/tool-kit/services/directory"
import { Site } from "@svc/tool-kit/services/site"
import { tool } from "@svc/tool-kit/tool"
import { Effect, Schema } from "effect"
import { Estate, estateOf } from "../discovery/estate.ts"

export const discover_estate_tools = tool({
  name: "discover_estate_tools",
  title: "List sibling services",
  description: "The services of this operator, with endpoints, auth and tool prices.",
  auth: "none",
  kind: "inline",
  prices: "free",
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  limits: { seconds: 1, bytes: 1024 },
  payload: Schema.Struct({}),
  result: Estate,
  examples: [{}],
  services: [Directory, Site],
  run: () =>
    Effect.gen(function*() {
      return estateOf(yield* Site, yield* (yield* Directory).tools)
    })
})
