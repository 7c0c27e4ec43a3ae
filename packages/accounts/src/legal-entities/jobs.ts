/** What of legal entities happens without a request. */
import { Effect } from "effect"
import { REVIEW } from "./model.ts"
import { LegalEntities } from "./service.ts"

/** The timers of legal entities, by kind. */
export const legalEntityJobs = Effect.map(LegalEntities, ({ review }) => new Map([[REVIEW, review]]))
