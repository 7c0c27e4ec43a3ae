export interface Failure {
  /** The full name of the test or of the group of tests, or the file itself in brackets. */
  readonly name: string
  readonly error: string
}

export interface FileReport {
  readonly file: string
  readonly passed: number
  readonly skipped: number
  readonly failures: ReadonlyArray<Failure>
}

/** What a run of tests came to. */
export interface TestReport {
  /** Which part of their numbers the long random runs played. */
  readonly part: string
  readonly files: ReadonlyArray<FileReport>
  /** Errors outside of any test, and the file that ran meanwhile, where that is known. */
  readonly errors: ReadonlyArray<{ readonly file?: string | undefined; readonly error: string }>
}

/** A process that ended: its exit code and what it printed. */
export interface Ended {
  readonly code: number
  readonly output: string
}

/** A run of tests, and what it reported when it came to an end. */
export interface TestRun extends Ended {
  readonly report?: TestReport | undefined
}

export interface Summary {
  readonly lines: ReadonlyArray<string>
  readonly isGreen: boolean
}

export const MOST_LINES: number
export const MOST_CHARACTERS: number
/** How many files with failures run once more. */
export const MOST_FILES: number

/** The files that run once more: none where there are too many, or where an error stands beside them that no file explains. */
export const filesToRepeat: (run: TestRun) => ReadonlyArray<string>

export const summaryOf: (run: TestRun, again: ReadonlyMap<string, TestRun>, checks: Ended) => Summary
