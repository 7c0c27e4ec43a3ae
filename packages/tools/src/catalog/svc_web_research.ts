/** One page of the web, as markdown. */
import { Effect, Schema } from "effect"
import { backend } from "../backend.ts"
import { may, WebUrl } from "../fields.ts"
import { FetchFailed, InvalidUrl } from "../services/errors.ts"
import { WebPage, WebReader } from "../services/web-reader.ts"
import { tool } from "../tool.ts"

export const svc_web_research = tool({
  name: "svc_web_research",
  title: "Read a web page",
  description: "A page as markdown. Static HTML only: no scripts run.",
  auth: "key",
  kind: "outside",
  // Of two lite prices that were published, none and this one, the lower for the caller.
  prices: { standard: 10, lite: 5 },
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: true },
  limits: { seconds: 60, bytes: 4096 },
  payload: Schema.Struct({ url: WebUrl, only_main_content: may(Schema.Boolean) }),
  result: WebPage,
  error: Schema.Union([InvalidUrl, FetchFailed]),
  examples: [{ url: "https://example.com/" }],
  ready: backend(WebReader),
  run: ({ only_main_content = true, url }, call) => Effect.flatMap(backend(WebReader), ({ read }) => read({ url, only_main_content }, call))
})
