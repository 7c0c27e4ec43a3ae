/** Plans in Postgres. Every method takes the account first. */
import { type Reader, readerOf } from "@svc/kernel/resource/reader"
import { Context, Layer } from "effect"
import { type Plan, type PlanFilter, planFilters, plans } from "./model.ts"

export class PlanRepository extends Context.Service<PlanRepository, Reader<Plan, PlanFilter>>()("@svc/billing/PlanRepository") {
  static readonly layer = Layer.effect(PlanRepository, readerOf(plans, { name: "plan", prefix: "plan", filters: planFilters }))
}
