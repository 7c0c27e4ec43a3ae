/** Programs and tools by keyword. */
import { DescribedProgram } from "@svc/programs/about"
import { may, text } from "@svc/tool-kit/fields"
import { Directory, Entry } from "@svc/tool-kit/services/directory"
import { tool } from "@svc/tool-kit/tool"
import { Effect, Schema } from "effect"
import { findPrograms, findTools } from "../discovery/find.ts"

export const search_and_discover_tools = tool({
  name: "search_and_discover_tools",
  title: "Search tools",
  description: "Tools and programs that fit a keyword, best first.",
  auth: "none",
  kind: "inline",
  prices: "free",
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  limits: { seconds: 1, bytes: 4096 },
  payload: Schema.Struct({ q: text(200), program: may(text(50)) }),
  result: Schema.Struct({
    query: Schema.String,
    total: Schema.Natural,
    programs: Schema.Array(Schema.Struct({ ...DescribedProgram.fields, score: Schema.Finite })),
    tools: Schema.Array(Schema.Struct({
      name: Schema.String,
      score: Schema.Finite,
      description: Schema.String,
      auth: Entry.fields.auth,
      price_cents: Entry.fields.price_cents,
      status: Entry.fields.status
    }))
  }),
  examples: [{ q: "dispute evidence" }, { q: "docker", program: "deploy" }],
  services: [Directory],
  run: ({ program, q }) =>
    Effect.gen(function*() {
      const all = yield* (yield* Directory).tools
      const programs = findPrograms(q, program)
      const tools = findTools(q, all).slice(0, 10)
        .map(({ item: { auth, description, name, price_cents, status }, score }) => ({
          name,
          score,
          description,
          auth,
          price_cents,
          status
        }))
      return { query: q, total: programs.length + tools.length, programs: programs.slice(0, 10), tools }
    })
})
