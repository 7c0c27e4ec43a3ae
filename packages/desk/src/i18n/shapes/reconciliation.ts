export interface ReconciliationTexts {
  readonly title: string
  readonly intro: string
  readonly upload: string
  readonly file: string
  readonly fileNote: string
  readonly source: string
  readonly from: string
  readonly to: string
  readonly toNote: string
  readonly compare: string
  readonly refused: string
  readonly runs: string
  readonly noRuns: string
  readonly run: string
  readonly period: (from: string, to: string) => string
  readonly status: string
  readonly matched: string
  readonly mismatched: string
  readonly unreconciled: string
  readonly processing: string
  readonly origin: string
  readonly lines: string
  readonly sums: string
  readonly currency: string
  readonly ours: string
  readonly theirs: string
  readonly difference: string
  readonly mismatches: string
  readonly noMismatches: string
  readonly filter: string
  readonly type: string
  readonly any: string
  readonly types: Readonly<Record<string, string>>
  readonly statuses: Readonly<Record<string, string>>
  readonly choose: string
  readonly chooseOne: (reference: string) => string
  readonly what: string
  readonly resolution: string
  readonly resolutions: Readonly<Record<string, string>>
  readonly note: string
  readonly resolve: string
  readonly resolveChosen: string
  readonly resolveShown: string
  readonly older: string
  readonly noChoice: string
  readonly notResolved: string
  readonly nothingThere: string
}
