/** What test clocks bring to the service. */
import { nothing } from "@svc/kernel/parts/part"
import * as http from "./http.ts"
import { migrations } from "./migrations.ts"
import { TestClocks } from "./service.ts"

export const testClocks = {
  ...nothing,
  services: TestClocks.layer,
  routes: http.layer,
  migrations
}
