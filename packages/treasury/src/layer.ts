/** What this package brings: money that leaves or is held back, and where it goes. */
import { and } from "@svc/kernel/parts/part"
import { pipe } from "effect"
import { bankLinks } from "./bank-links/resource.ts"
import { payouts } from "./payouts/resource.ts"
import { reserves } from "./reserves/resource.ts"
import { transferInstruments } from "./transfer-instruments/resource.ts"
import { writeOffs } from "./write-offs/resource.ts"

export const treasury = pipe(transferInstruments, and(payouts), and(reserves), and(writeOffs), and(bankLinks))
