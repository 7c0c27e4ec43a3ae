/** What the stored-data tools bring to the service. */
import { and } from "@svc/kernel/part"
import { Layer, pipe } from "effect"
import { analytics } from "./analytics/resource.ts"
import { search } from "./search/resource.ts"
import { Turns } from "./turns.ts"
import { vectors } from "./vectors/resource.ts"

const parts = pipe(vectors, and(search), and(analytics))

export const stored = { ...parts, services: parts.services.pipe(Layer.provide(Turns.layer)) }
