/** How to install this server, and what it costs. */
import { may } from "@svc/tool-kit/fields"
import { Directory } from "@svc/tool-kit/services/directory"
import { Site } from "@svc/tool-kit/services/site"
import { tool } from "@svc/tool-kit/tool"
import { Effect, Schema } from "effect"
import { Manifest, manifestOf } from "../discovery/manifest.ts"

export const get_install_manifest = tool({
  name: "get_install_manifest",
  title: "Install manifest",
  description: "How to install this server, plans, prices, and which tools work here.",
  auth: "none",
  kind: "inline",
  prices: "free",
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  limits: { seconds: 1, bytes: 1024 },
  payload: Schema.Struct({ platform: may(Schema.Literals(["claude-code", "claude-desktop", "cursor", "vscode", "codex", "curl"])) }),
  result: Manifest,
  examples: [{}, { platform: "cursor" }],
  services: [Directory, Site],
  run: ({ platform }) =>
    Effect.gen(function*() {
      return manifestOf(yield* Site, yield* (yield* Directory).tools, platform)
    })
})
