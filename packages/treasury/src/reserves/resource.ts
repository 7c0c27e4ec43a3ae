/** What reserves bring to the service. */
import { nothing } from "@svc/kernel/parts/part"
import { agreement } from "@svc/ledger/state-checks"
import { Layer } from "effect"
import * as http from "./http.ts"
import { migrations } from "./migrations.ts"
import { reserves as table } from "./model.ts"
import { ReserveRepository } from "./repository.ts"
import { Reserves } from "./service.ts"

const books = agreement({
  resource_type: "reserve",
  table,
  amounts: [["amount", ["reserve_held"]], ["released_amount", ["reserve_released"]], ["forfeited_amount", ["reserve_forfeited"]]]
})

export const reserves = {
  ...nothing,
  services: Layer.merge(Reserves.layer, books).pipe(Layer.provide(ReserveRepository.layer)),
  routes: http.layer,
  migrations
}
