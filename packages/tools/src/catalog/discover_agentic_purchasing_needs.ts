/** What a task needs before an agent may buy, and in which order to get it. */
import { list, may, text, whole } from "@svc/tool-kit/fields"
import { Directory, Entry } from "@svc/tool-kit/services/directory"
import { focusAreas } from "@svc/tool-kit/services/snapshots"
import { tool } from "@svc/tool-kit/tool"
import { Effect, Schema } from "effect"
import { triage } from "../discovery/needs.ts"

/** From this score on, `prepare_agentic_purchasing` calls the risk low. */
const READY = 80

const Step = Schema.Struct({
  tool: Schema.String,
  area: Schema.String,
  auth: Entry.fields.auth,
  price_cents: Schema.Natural,
  status: Entry.fields.status
})

export const discover_agentic_purchasing_needs = tool({
  name: "discover_agentic_purchasing_needs",
  title: "Purchase needs",
  description: "What a task needs before an agent buys, and the tools for it in order. Counts the task, keeps no text.",
  auth: "none",
  kind: "inline",
  prices: "free",
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  keepsText: true,
  limits: { seconds: 1, bytes: 32_768 },
  payload: Schema.Struct({
    task_description: text(5000),
    current_readiness: may(whole(0, 100)),
    focus_areas: may(list(Schema.Literals(focusAreas), focusAreas.length))
  }),
  result: Schema.Struct({
    needs: Schema.Array(Schema.Struct({
      area: Schema.String,
      why: Schema.String,
      matched: Schema.Array(Schema.String),
      tools: Schema.Array(Schema.String),
      programs: Schema.Array(Schema.String),
      artifacts: Schema.Array(Schema.String).annotate({ description: "Paths of what the programs make for it" })
    })),
    workflow: Schema.Array(Step),
    /** In standard mode, each tool once. */
    estimated_cents: Schema.Natural,
    next: Schema.String
  }),
  examples: [{ task_description: "Buy printer paper in Europe every month, below 40 euro, on my behalf." }, {
    task_description: "Sell to agents",
    current_readiness: 35,
    focus_areas: ["sca"]
  }],
  services: [Directory],
  run: ({ current_readiness, focus_areas, task_description }) =>
    Effect.gen(function*() {
      const found = triage(task_description, focus_areas)
      const tools = new Map((yield* (yield* Directory).tools).map((one) => [one.name, one]))
      const steps = new Map(found.flatMap(({ area, tools: names }) =>
        names.flatMap((name) => {
          const known = tools.get(name)
          return known === undefined
            ? []
            : [[name, { tool: name, area, auth: known.auth, price_cents: known.price_cents.standard, status: known.status }] as const]
        })
      ))
      const workflow = Array.from(steps.values())
      yield* Effect.logInfo("needs of a purchase were asked for").pipe(
        Effect.annotateLogs({ areas: found.map(({ area }) => area).join(" "), characters: task_description.length })
      )
      return {
        needs: found.map(({ area, artifacts, matched, programs, tools: names, why }) => ({
          area,
          why,
          matched,
          tools: names,
          programs,
          artifacts
        })),
        workflow,
        estimated_cents: workflow.reduce((sum, { price_cents }) => sum + price_cents, 0),
        next: current_readiness !== undefined && current_readiness < READY
          ? `A readiness of ${current_readiness} is below ${READY}: begin with prepare_agentic_purchasing_preview, which is free.`
          : `Begin with ${workflow[0]?.tool ?? "list_programs"}.`
      }
    })
})
