import type { Summary, TestRun } from "./summary.mjs"

export interface Commands {
  readonly checks: ReadonlyArray<string>
  /** The arguments of a run: none for all tests, or one file. */
  readonly tests: (...files: ReadonlyArray<string>) => ReadonlyArray<string>
}

/** Runs the checks, the tests, and once more, alone, the files with failures. What they print is shown, unless `show` is false. */
export const gate: (
  folder: string,
  commands: Commands,
  show?: boolean
) => Promise<Summary & { readonly again: ReadonlyMap<string, TestRun> }>
