/** What is refused on account of a plan. */
import { errorCode, ofField, wireAnnotations, wireFields } from "@svc/kernel/resource/errors"
import { Schema } from "effect"

const notActive = errorCode(
  "plan_not_active",
  400,
  "The plan is a draft or archived, and subscriptions begin on active plans only.",
  "Activate the plan, or use another one.",
  ofField("plan_id")
)

/** 400. Nothing is sold on a plan that is a draft or archived. */
export class PlanNotActive extends Schema.Error<PlanNotActive>("PlanNotActive")(
  { ...wireFields("PlanNotActive", notActive), code: Schema.String },
  wireAnnotations(notActive)
) {}
