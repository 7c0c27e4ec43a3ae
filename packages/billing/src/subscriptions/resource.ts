/** What subscriptions bring to the service. */
import { nothing } from "@svc/kernel/part"
import { migrations } from "./migrations.ts"
import { SubscriptionRepository } from "./repository.ts"

export const subscriptions = {
  ...nothing,
  services: SubscriptionRepository.layer,
  migrations
}
