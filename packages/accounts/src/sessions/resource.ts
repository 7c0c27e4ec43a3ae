/** What sessions bring to the service. */
import { nothing } from "@svc/kernel/parts/part"
import { Layer } from "effect"
import * as http from "./http.ts"
import { migrations } from "./migrations.ts"
import { LastSignOut, Sessions } from "./service.ts"

export const sessions = {
  ...nothing,
  services: Sessions.layer.pipe(Layer.provideMerge(LastSignOut.layer)),
  routes: http.layer,
  migrations
}
