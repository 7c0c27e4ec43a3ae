/** Texts of the export of a list, and of the sums under it. */

export interface ExportTexts {
  readonly title: string
  readonly note: string
  readonly columns: string
  readonly format: string
  readonly formats: Readonly<Record<"csv" | "ndjson", string>>
  readonly timeZone: string
  readonly save: string
  /** Refusals of what an address asks for. */
  readonly unknown: (name: string) => string
  readonly unknownFormat: (format: string) => string
  readonly unknownColumn: (column: string) => string
  readonly unknownZone: (zone: string) => string
  readonly showSums: string
  readonly sums: string
  readonly sumsNote: string
  readonly count: string
  readonly noSums: string
}
