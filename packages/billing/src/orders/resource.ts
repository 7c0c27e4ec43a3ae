/** What orders bring to the service. */
import { contribute } from "@svc/kernel/contributions"
import { nothing } from "@svc/kernel/part"
import { FollowUps } from "@svc/kernel/road/follow-ups"
import { Layer } from "effect"
import * as http from "./http.ts"
import { orderFollowUps } from "./jobs.ts"
import { migrations } from "./migrations.ts"
import { OrderRepository } from "./repository.ts"
import { Orders } from "./service.ts"

export const orders = {
  ...nothing,
  services: contribute(FollowUps, orderFollowUps).pipe(Layer.provideMerge(Orders.layer), Layer.provide(OrderRepository.layer)),
  routes: http.layer,
  migrations
}
