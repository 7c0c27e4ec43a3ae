/** From a decision about an instrument to what a commit writes. */
import type { Commit, Happened, KeyWrite } from "@svc/kernel/road/decision"
import { encode, type TransferInstrument, transferInstruments } from "./model.ts"
import type { InstrumentDecision } from "./rules.ts"

export const wireOf = (instrument: TransferInstrument): string => encode(instrument).wire

const written = (instrument: TransferInstrument) => ({ table: transferInstruments, row: encode(instrument).row })

export const commitOf = <R = never>({ clear, former, instrument, set }: InstrumentDecision, cause: string, key?: KeyWrite, moments: ReadonlyArray<Happened<R>> = []): Commit<R> => ({
  account_id: instrument.account_id,
  at: instrument.updated_at,
  cause,
  writes: [...(former === undefined ? [] : [written(former)]), written(instrument)],
  entries: [],
  events: [],
  set,
  clear,
  moments,
  ...(key === undefined ? {} : { key })
})
