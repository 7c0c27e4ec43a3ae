/** What a measure comes to, as a line on the terminal and as a row of the published table. */

export interface Row {
  readonly measure: string
  readonly value: string
  /** What must be reached; absent for figures that stand beside the others to explain them. */
  readonly must?: string
  /** Whether it was. Absent where nothing must be reached or nothing could be measured. */
  readonly reached?: boolean
}

const verdict = ({ must, reached }: Row): string =>
  must === undefined ? "" : reached === undefined ? "not measured" : reached ? "yes" : "NO"

const cells = (row: Row): ReadonlyArray<string> => [row.measure, row.value, row.must ?? "", verdict(row)]
const HEAD = ["measure", "value", "must reach", "reached"]

/** The table for a terminal. */
export const plain = (rows: ReadonlyArray<Row>): string => {
  const lines = [HEAD, ...rows.map(cells)]
  const widths = HEAD.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  return lines.map((line) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ").trimEnd()).join("\n")
}

/** The table for docs/evidence. */
export const markdown = (rows: ReadonlyArray<Row>): string =>
  [HEAD, HEAD.map(() => "---"), ...rows.map(cells)].map((line) => `| ${line.join(" | ")} |`).join("\n")

/** A figure with as many digits as mean something. */
export const figure = (value: number): string =>
  Number.isNaN(value) ? "none" : value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)

/** A median and how far the rounds were apart; ratios have no unit. */
export const spread = (values: ReadonlyArray<number>, middle: number, unit?: string): string =>
  `${figure(middle)} ${unit === undefined ? "" : `${unit} `}(${figure(Math.min(...values))} to ${figure(Math.max(...values))})`

export const atLeast = (measure: string, value: number, least: number, text: string, must = `>= ${least}`): Row => ({
  measure,
  value: text,
  must,
  reached: value >= least
})
export const atMost = (measure: string, value: number, most: number, text: string, must = `<= ${most}`): Row => ({
  measure,
  value: text,
  must,
  reached: value <= most
})
