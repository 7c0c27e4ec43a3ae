/** What this package brings: what agents store and look up. */
import { and } from "@svc/kernel/parts/part"
import { Layer, pipe } from "effect"
import { analytics } from "./analytics/resource.ts"
import { attestations } from "./attestations/resource.ts"
import { search } from "./search/resource.ts"
import { snapshots } from "./snapshots/resource.ts"
import { Turns } from "./turns.ts"
import { vectors } from "./vectors/resource.ts"

const parts = pipe(vectors, and(search), and(analytics), and(attestations), and(snapshots))

export const stores = { ...parts, services: parts.services.pipe(Layer.provide(Turns.layer)) }
