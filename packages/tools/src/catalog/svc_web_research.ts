/** One page of the web, as markdown. */
import { backend, weaknessesOf } from "@svc/tool-kit/backend"
import { may, WebUrl } from "@svc/tool-kit/fields"
import { FetchFailed, InvalidUrl } from "@svc/tool-kit/services/errors"
import { PageNotRead, ReadPage, WebReader } from "@svc/tool-kit/services/web-reader"
import { tool } from "@svc/tool-kit/tool"
import { Effect, Schema } from "effect"

export const svc_web_research = tool({
  name: "svc_web_research",
  title: "Read a web page",
  description: "A static HTML page as markdown; no scripts run.",
  auth: "key",
  kind: "outside",
  // Of two lite prices that were published, none and this one, the lower for the caller.
  prices: { standard: 10, lite: 5 },
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: true },
  limits: { seconds: 80, bytes: 4096 },
  payload: Schema.Struct({ url: WebUrl, only_main_content: may(Schema.Boolean) }),
  result: ReadPage,
  error: Schema.Union([InvalidUrl, FetchFailed, PageNotRead]),
  examples: [{ url: "https://example.com/" }],
  services: [WebReader],
  ready: backend(WebReader),
  weaknesses: weaknessesOf(WebReader),
  run: ({ only_main_content = true, url }, call) => Effect.flatMap(backend(WebReader), ({ read }) => read({ url, only_main_content }, call))
})
