/** What identities bring to the service. */
import { nothing } from "@svc/kernel/parts/part"
import { migrations } from "./migrations.ts"
import { Identities } from "./service.ts"

export const identities = { ...nothing, services: Identities.layer, migrations }
