/** Latencies in milliseconds, and what is read from them. */

/** The value that the share `q` of the sorted samples does not exceed; NaN for none. */
export const quantile = (sorted: ReadonlyArray<number>, q: number): number =>
  sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(q * sorted.length) - 1))] ?? Number.NaN

export interface Latencies {
  readonly count: number
  readonly p50: number
  readonly p99: number
  readonly max: number
}

export const latencies = (samples: ReadonlyArray<number>): Latencies => {
  const sorted = samples.toSorted((a, b) => a - b)
  return { count: sorted.length, p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99), max: quantile(sorted, 1) }
}

export const median = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] ?? Number.NaN : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2
}
