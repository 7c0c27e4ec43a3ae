/** What this package brings: whether the books agree with those of the providers. */
import { and } from "@svc/kernel/parts/part"
import { pipe } from "effect"
import { mismatches } from "./mismatches/resource.ts"
import { reports } from "./reports/resource.ts"

export const reconciliation = pipe(mismatches, and(reports))
