/** What feedback brings to the service. */
import { nothing } from "@svc/kernel/parts/part"
import { Layer } from "effect"
import { answersOfCallers } from "../access/authorization.ts"
import * as http from "./http.ts"
import { migrations } from "./migrations.ts"
import { FeedbackRepository } from "./repository.ts"
import { Feedback } from "./service.ts"

export const feedback = {
  ...nothing,
  services: Feedback.layer.pipe(Layer.provide(FeedbackRepository.layer)),
  routes: Layer.provide(http.layer, answersOfCallers),
  migrations
}
