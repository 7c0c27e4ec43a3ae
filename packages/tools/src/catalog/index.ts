/** The tools, in the order in which they are listed. A tool is one file in this folder, and one line here. */
import { Effect, Layer } from "effect"
import { RpcGroup } from "effect/rpc"
import { bind, catalog, Catalog } from "../derive.ts"
import type { Compiled } from "../tool.ts"
import { assemble_ce3_evidence } from "./assemble_ce3_evidence.ts"
import { build_ap2_mandate } from "./build_ap2_mandate.ts"
import { list_programs } from "./list_programs.ts"
import { ping_payment } from "./ping_payment.ts"
import { sca_exemption_decision } from "./sca_exemption_decision.ts"
import { svc_network_tokenization } from "./svc_network_tokenization.ts"

export const tools = catalog({
  list_programs,
  ping_payment,
  sca_exemption_decision,
  assemble_ce3_evidence,
  build_ap2_mandate,
  svc_network_tokenization
})

/** All of them, each with its own types erased or not as its reader needs. */
export const all = Object.values(tools)

/** What `tools/list` shows to everybody. */
export const listed = all.filter(({ meta }) => meta.auth !== "agent").map((one) => one.listed)

/** What it shows to agent keys besides. */
export const listedToAgents = all.filter(({ meta }) => meta.auth === "agent").map((one) => one.listed)

/** Each tool as a typed procedure. */
export const Tools = RpcGroup.make(...all.map(({ rpc }) => rpc))

type Needs = typeof all[number]["compiled"] extends Compiled<infer R> ? R : never

const compiled: ReadonlyArray<Compiled<Needs>> = all.map((one) => one.compiled)

const named = <R>(one: Compiled<R>): ReadonlyArray<readonly [string, Compiled<R>]> => [one.name, ...(one.meta.also ?? [])].map((name) => [name, one])

/** The tools with what this installation gives them. */
export const layer = Layer.effect(Catalog, Effect.map(Effect.context<Needs>(), (context) => new Map(compiled.map(bind(context)).flatMap(named))))
