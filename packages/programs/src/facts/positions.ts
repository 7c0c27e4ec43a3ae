/** Lines of offsets. */
import type { Span } from "./model.ts"

/** The line of an offset, the first of them 1. */
export const lineAt = (text: string): (offset: number) => number => {
  const starts = [0]
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1)
  // Most offsets that are asked for stand in the line of the one before.
  let found = 0
  return (offset) => {
    if ((starts[found] ?? 0) <= offset && offset < (starts[found + 1] ?? Infinity)) return found + 1
    let [low, high] = [0, starts.length]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle
    }
    found = low
    return low + 1
  }
}

/** From the line of the first character to that of the last. */
export const spanBetween = (path: string, line: (offset: number) => number, start: number, end: number): Span => ({
  path,
  start_line: line(start),
  end_line: line(Math.max(start, end - 1))
})
