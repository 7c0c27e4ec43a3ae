/** Unified diffs that `git apply` takes, whatever the file is called and however its lines end. */
import { formatPatch, structuredPatch, type StructuredPatchHunk } from "diff"

export interface Change {
  readonly path: string
  readonly before: string
  readonly after: string
}

const CONTEXT = 3
/** Lines that a comparison puts in and takes out. Its time grows with their square. */
const MOST_EDITS = 2000

const NO_NEWLINE = "\\ No newline at end of file"

const marked = (mark: "-" | "+", text: string): ReadonlyArray<string> => {
  if (text === "") return []
  const lines = text.split("\n")
  const isEnded = lines.at(-1) === ""
  return [...(isEnded ? lines.slice(0, -1) : lines).map((line) => mark + line), ...(isEnded ? [] : [NO_NEWLINE])]
}

const countOf = (lines: ReadonlyArray<string>): number => lines.filter((line) => line !== NO_NEWLINE).length

/** All lines out, and all lines in. */
const replacement = (before: string, after: string): StructuredPatchHunk => {
  const [out, into] = [marked("-", before), marked("+", after)]
  return { oldStart: 1, oldLines: countOf(out), newStart: 1, newLines: countOf(into), lines: [...out, ...into] }
}

const hunksOf = ({ after, before }: Change): Array<StructuredPatchHunk> =>
  structuredPatch("a", "b", before, after, undefined, undefined, { context: CONTEXT, maxEditLength: MOST_EDITS })?.hunks ??
    [replacement(before, after)]

/** Empty where nothing changes. */
export const unifiedDiff = (changes: ReadonlyArray<Change>): string =>
  changes.filter(({ after, before }) => after !== before).map((change) =>
    formatPatch({
      oldFileName: `a/${change.path}`,
      newFileName: `b/${change.path}`,
      oldHeader: undefined,
      newHeader: undefined,
      hunks: hunksOf(change),
      isGit: true
    })
  ).join("")
