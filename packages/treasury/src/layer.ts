/** What this package brings: money that leaves, and where to. */
import { and } from "@svc/kernel/part"
import { pipe } from "effect"
import { payouts } from "./payouts/resource.ts"
import { transferInstruments } from "./transfer-instruments/resource.ts"

export const treasury = pipe(transferInstruments, and(payouts))
