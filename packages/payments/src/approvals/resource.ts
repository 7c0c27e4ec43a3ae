/** What approvals bring to the service. */
import { contribute } from "@svc/kernel/contributions"
import { nothing } from "@svc/kernel/part"
import { FollowUps } from "@svc/kernel/road/follow-ups"
import { Layer } from "effect"
import * as http from "./http.ts"
import { approvalFollowUps } from "./jobs.ts"
import { migrations } from "./migrations.ts"
import { ApprovalRepository } from "./repository.ts"
import { Approvals } from "./service.ts"

export const approvals = {
  ...nothing,
  services: contribute(FollowUps, approvalFollowUps).pipe(Layer.provideMerge(Approvals.layer), Layer.provide(ApprovalRepository.layer)),
  routes: http.layer,
  migrations
}
