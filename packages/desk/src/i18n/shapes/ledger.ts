import type { LedgerVerification } from "@svc/ledger/financial-events/model"

export type BreakReason = NonNullable<LedgerVerification["first_break"]>["reason"]

export interface LedgerTexts {
  readonly title: string
  readonly holds: string
  readonly holdsNote: (checked: number) => string
  readonly broken: (sequenceId: number) => string
  readonly reasons: Readonly<Record<BreakReason, string>>
  readonly about: string
  readonly whatNow: string
  readonly again: string
  readonly chain: string
  readonly chainNote: string
  readonly piece: (from: number, to: number) => string
  readonly checkpoint: string
  readonly head: string
  readonly brokenPiece: string
  readonly unchecked: string
  readonly empty: string
  readonly links: string
  readonly linksNote: string
  readonly place: string
  readonly event: string
  readonly before: string
  readonly own: string
  readonly checkpoints: string
  readonly checkpointsNote: string
  readonly noCheckpoints: string
  readonly signed: string
  readonly upTo: string
  readonly root: string
  readonly key: string
  readonly exported: string
  readonly exportNote: string
  readonly save: string
  readonly busy: string
}
