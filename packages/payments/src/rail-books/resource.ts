/** What the simulator's books bring to the service. */
import { nothing } from "@svc/kernel/parts/part"
import { migrations } from "./migrations.ts"
import * as repository from "./repository.ts"

export const railBooks = { ...nothing, services: repository.layer, migrations }
