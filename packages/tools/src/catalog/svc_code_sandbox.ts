/** Code that runs where it can harm nobody. */
import { backend, weaknessesOf } from "@svc/tool-kit/backend"
import { exactlyOne, may, upTo, whole } from "@svc/tool-kit/fields"
import { Ran, runtimes, Sandbox } from "@svc/tool-kit/services/sandbox"
import { tool } from "@svc/tool-kit/tool"
import { Effect, Schema } from "effect"

const KIB = 1024
const Runtime = may(Schema.Literals(runtimes))

export const svc_code_sandbox = tool({
  name: "svc_code_sandbox",
  title: "Run code",
  description: "Runs code isolated, without network. runtime, also called language: one of the two. engineer signs what ran.",
  auth: "key",
  kind: "outside",
  prices: { standard: 5, lite: 2, engineer: 25 },
  hints: { readOnly: true, destructive: false, idempotent: false, openWorld: false },
  limits: { seconds: 630, bytes: 2 * 1024 * KIB },
  payload: Schema.Struct({
    runtime: Runtime,
    language: Runtime,
    code: upTo(256 * KIB),
    stdin: may(upTo(1024 * KIB)),
    timeout_seconds: may(whole(1, 600))
  }).check(exactlyOne("runtime", "language")),
  result: Ran,
  examples: [{ runtime: "python", code: "print(6 * 7)" }],
  services: [Sandbox],
  ready: backend(Sandbox),
  weaknesses: weaknessesOf(Sandbox),
  run: ({ code, language = "python", runtime = language, stdin = "", timeout_seconds = 30 }, call) =>
    Effect.flatMap(backend(Sandbox), ({ run }) => run({ runtime, code, stdin, timeout_seconds }, call))
})
