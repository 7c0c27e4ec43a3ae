/**
 * The whole ledger as a file of lines, each a JSON object (NDJSON): the last daily checkpoint if there is one, so that who reads on
 * knows what to hold the events against; the events in the order of their chain, as the API shows them; and the end. The end is a
 * checkpoint of this ledger alone, signed when the export was made, so that a file that was cut is told from one that is whole.
 */
import { Schema } from "effect"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { CheckpointJson } from "../checkpoints/model.ts"
import { FinancialEventJson, LedgerBreak } from "../financial-events/model.ts"

export const NDJSON = "application/x-ndjson"

/** The last of the checkpoints that were signed day by day. */
export const DailyLine = Schema.Struct({ type: Schema.Literal("checkpoint"), checkpoint: CheckpointJson })
/** The last line of an export of a ledger that holds. */
export const EndLine = Schema.Struct({ type: Schema.Literal("end"), checkpoint: CheckpointJson })
/** The last line where the service itself found that the ledger does not hold: nothing is signed then. */
export const BrokenLine = Schema.Struct({ type: Schema.Literal("broken"), first_break: LedgerBreak })

/** A line of an export. */
export const ExportLine = Schema.Union([FinancialEventJson, DailyLine, EndLine, BrokenLine])

/** The body: lines that are sent as they are read, and never held together. */
export const LedgerExportBody = Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType: NDJSON }))
