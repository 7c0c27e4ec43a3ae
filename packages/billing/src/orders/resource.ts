/** What orders bring to the service. */
import { contribute } from "@svc/kernel/parts/contributions"
import { nothing } from "@svc/kernel/parts/part"
import { FollowUps } from "@svc/kernel/road/follow-ups"
import { logged } from "@svc/webhooks/log/logged"
import { Layer } from "effect"
import * as http from "./http.ts"
import { orderFollowUps } from "./jobs.ts"
import { migrations } from "./migrations.ts"
import { OrderJson, orders as table } from "./model.ts"
import { OrderRepository } from "./repository.ts"
import { Orders } from "./service.ts"

const log = logged({ table, resource_type: "order", shown: OrderJson })

export const orders = {
  ...nothing,
  services: Layer.merge(contribute(FollowUps, orderFollowUps), log).pipe(
    Layer.provideMerge(Orders.layer),
    Layer.provide(OrderRepository.layer)
  ),
  routes: http.layer,
  migrations
}
