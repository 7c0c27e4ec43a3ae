/** The tools as others are told of them, from the catalog. */
import { Context, Effect, Layer } from "effect"
import { compiled, type Needs } from "../catalog/index.ts"
import type { Described } from "../services/directory.ts"
import { Directory } from "../services/directory.ts"
import { type Compiled, priceIn } from "../tool.ts"
import { categoryOf } from "./topics.ts"

const describe = ({ inputSchema, meta, name }: Compiled<never> | Compiled<Needs>, status: Described["status"]): Described => ({
  name,
  title: meta.title,
  description: meta.description,
  category: categoryOf(name),
  auth: meta.auth,
  price_cents: { standard: priceIn(meta.prices, "standard"), lite: priceIn(meta.prices, "lite"), engineer: priceIn(meta.prices, "engineer") },
  status,
  also: meta.also ?? [],
  serviceWork: meta.serviceWork === true,
  inputSchema
})

type Backends = Exclude<Needs, Directory>

/** Needs what the tools need: whether that is there is what it tells. */
export const layer = Layer.effect(Directory, Effect.map(Effect.context<Backends>(), (context) => {
  const directory: Directory["Service"] = {
    tools: Effect.suspend(() =>
      Effect.forEach(compiled.filter(({ meta }) => meta.auth !== "agent"), (one) =>
        Effect.map(one.absent, (away) => describe(one, categoryOf(one.name) === "planned" ? "planned" : away === undefined ? "available" : "not_configured")))
    ).pipe(Effect.provideContext(Context.add(context, Directory, { tools: Effect.succeed([]) })))
  }
  return directory
}))
