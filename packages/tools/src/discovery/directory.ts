/** The tools as others are told of them, from the catalog. */
import type { Described } from "@svc/tool-kit/services/directory"
import { Directory } from "@svc/tool-kit/services/directory"
import { type Compiled, priceIn } from "@svc/tool-kit/tool"
import { Context, Effect, Layer } from "effect"
import { provideTools, type ToolServices } from "../catalog/index.ts"
import { categoryOf } from "./topics.ts"

const describe = (
  { inputSchema, meta, name }: Compiled<never>,
  status: Described["status"],
  mend: string
): Described => ({
  ...(mend === "" ? {} : { mend }),
  name,
  title: meta.title,
  description: meta.description,
  category: categoryOf(name),
  auth: meta.auth,
  price_cents: {
    standard: priceIn(meta.prices, "standard"),
    lite: priceIn(meta.prices, "lite"),
    engineer: priceIn(meta.prices, "engineer")
  },
  status,
  also: meta.also ?? [],
  serviceWork: meta.serviceWork === true,
  inputSchema
})

type Backends = Exclude<ToolServices, Directory>

/** Needs what the tools need: whether that is there is what it tells. */
export const layer = Layer.effect(
  Directory,
  Effect.map(Effect.context<Backends>(), (context) => {
    const all = provideTools(Context.add(context, Directory, { tools: Effect.succeed([]) }))
    const directory: Directory["Service"] = {
      tools: Effect.suspend(() =>
        Effect.forEach(
          all.filter(({ meta }) => meta.auth !== "agent"),
          Effect.fnUntraced(function*(one) {
            const away = yield* one.absent
            if (categoryOf(one.name) === "planned") return describe(one, "planned", "")
            if (away?._tag === "Away") return describe(one, "not_configured", away.result.remediation)
            return describe(one, "available", (yield* one.weaknesses).join(" "))
          })
        )
      )
    }
    return directory
  })
)
