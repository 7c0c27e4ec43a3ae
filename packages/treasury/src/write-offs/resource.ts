/** What write-offs bring to the service. */
import { nothing } from "@svc/kernel/parts/part"
import { agreement } from "@svc/ledger/state-checks"
import { Layer } from "effect"
import * as http from "./http.ts"
import { migrations } from "./migrations.ts"
import { writeOffs as table } from "./model.ts"
import { WriteOffRepository } from "./repository.ts"
import { WriteOffs } from "./service.ts"

const books = agreement({ resource_type: "write_off", table, amounts: [["amount", ["fee_refunded"]]] })

export const writeOffs = {
  ...nothing,
  services: Layer.merge(WriteOffs.layer, books).pipe(Layer.provide(WriteOffRepository.layer)),
  routes: http.layer,
  migrations
}
