/** What this package brings: money that leaves, and where to. */
import { transferInstruments } from "./transfer-instruments/resource.ts"

export const treasury = transferInstruments
