/** What the month's pool of crawled pages brings to the service. */
import { nothing } from "@svc/kernel/parts/part"
import { migrations } from "./migrations.ts"
import { PagePoolRepository } from "./repository.ts"

export const pagePool = { ...nothing, services: PagePoolRepository.layer, migrations }
