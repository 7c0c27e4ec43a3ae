/** An agent's program on the official SDK looks at a project without a key, and has it prepared for its credits. */
import { assert, describe, layer } from "@effect/vitest"
import { bicycles } from "@svc/programs/readiness/stores.fixture"
import { Prepared, Readiness } from "@svc/tool-kit/services/snapshots"
import { Effect, Schema } from "effect"
import { BUBBLEWRAP_MISSING, bubblewrapPath } from "../../bubblewrap.ts"
import { runClient } from "../../clients/installed.ts"
import { base } from "../../clients/listener.ts"
import { grantCredits, layerWith, openCaller } from "../service.ts"

const Seen = Schema.Struct({ answers: Schema.Array(Schema.Struct({ isError: Schema.Boolean, structuredContent: Schema.Unknown })) })

const agent = Effect.fnUntraced(function*(token: string | undefined, ...calls: ReadonlyArray<object>) {
  const url = `${yield* base}/v1/mcp`
  const { answers } = yield* Schema.decodeUnknownEffect(Seen)(yield* runClient("agent-payments.mjs", { url, token, calls }))
  return answers
})

const { "src/mandates.ts": _, ...withoutMandates } = bicycles
const shop = { project_name: "bicycles", files: Object.entries(withoutMandates).map(([path, content]) => ({ path, content })) }

describe.skipIf(bubblewrapPath() === undefined)(bubblewrapPath() === undefined ? BUBBLEWRAP_MISSING : "a stock client", () => {
  layer(layerWith({ CONFINED: "bubblewrap" }), { excludeTestServices: true, timeout: "300 seconds" })("of the tool server", (it) => {
    it.effect("looks, prepares, and reads what was made", () =>
      Effect.gen(function*() {
        const [looked] = yield* agent(undefined, { name: "prepare_agentic_purchasing_preview", arguments: shop })
        const readiness = yield* Schema.decodeUnknownEffect(Readiness)(looked?.structuredContent)
        assert.deepStrictEqual([readiness.score, readiness.top_gaps.map(({ check }) => check)], [95, ["payment_mandate"]])

        const caller = yield* openCaller("Bicycles")
        yield* grantCredits(caller, 1000)
        const [made] = yield* agent(caller.key, { name: "prepare_agentic_purchasing", arguments: shop })
        const { score, snapshot } = yield* Schema.decodeUnknownEffect(Prepared)(made?.structuredContent)
        assert.deepStrictEqual([score, snapshot?.status], [readiness.score, "completed"])
        const arguments_ = { snapshot_id: snapshot?.snapshot_id, path: "ap2-interop-samples.json" }
        const [samples] = yield* agent(caller.key, { name: "get_artifact", arguments: arguments_ })
        assert.isFalse(samples?.isError)
        assert.include(JSON.stringify(samples?.structuredContent), "mandate.checkout.open.1")
      }), 300_000)
  })
})
