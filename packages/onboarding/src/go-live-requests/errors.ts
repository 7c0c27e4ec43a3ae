/** The refusals of a request to go live. */
import { errorCode, wireAnnotations, wireFields } from "@svc/kernel/resource/errors"
import { Schema } from "effect"

const incomplete = errorCode(
  "onboarding_incomplete",
  409,
  "The account asks to go live, and steps of its work run are not done.",
  "Do the steps in `details.missing`; `GET /v1/work_run` says where each stands. Then ask again with a fresh key.",
  { example: { details: { missing: ["payout_bank", "first_payment"] } } }
)

/** 409. Steps are missing before the account may go live. */
export class OnboardingIncomplete extends Schema.Error<OnboardingIncomplete>("OnboardingIncomplete")(
  wireFields("OnboardingIncomplete", incomplete),
  wireAnnotations(incomplete)
) {}
