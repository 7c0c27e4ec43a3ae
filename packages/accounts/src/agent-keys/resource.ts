/** What agent keys bring to the service. */
import { nothing } from "@svc/kernel/part"
import { migrations } from "./migrations.ts"

export const agentKeys = { ...nothing, migrations }
