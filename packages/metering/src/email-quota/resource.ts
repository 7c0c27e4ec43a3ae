/** What the quota of recipients brings to the service. */
import { nothing } from "@svc/kernel/parts/part"
import { migrations } from "./migrations.ts"
import { EmailQuotaRepository } from "./repository.ts"

export const emailQuota = { ...nothing, services: EmailQuotaRepository.layer, migrations }
