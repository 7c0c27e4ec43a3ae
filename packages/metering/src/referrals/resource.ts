/** What referrals bring to the service. */
import { nothing } from "@svc/kernel/parts/part"
import { Layer } from "effect"
import { migrations } from "./migrations.ts"
import { ReferralRepository } from "./repository.ts"
import { OtherPayments, Referrals } from "./service.ts"

export const referrals = {
  ...nothing,
  services: Referrals.layer.pipe(Layer.provide(ReferralRepository.layer), Layer.provideMerge(OtherPayments.layer)),
  migrations
}
