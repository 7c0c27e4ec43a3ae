/** What passkeys bring to the service. */
import { nothing } from "@svc/kernel/parts/part"
import { migrations } from "./migrations.ts"
import { Passkeys } from "./service.ts"

export const passkeys = { ...nothing, services: Passkeys.layer, migrations }
