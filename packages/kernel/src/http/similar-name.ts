/** The name that somebody most likely meant. */

/** What other APIs call a field of this one. */
const ELSEWHERE: Readonly<Record<string, string>> = { limit: "per_page", page_size: "per_page", starting_after: "after", cursor: "after" }

/** At most this many letters may be missing, added or changed. */
const MOST_CHANGES = 2
const LONGEST_NAME = 40

/** How many letters have to be added, removed or replaced to make one text of the other (Levenshtein). */
const changesBetween = (one: string, other: string): number => {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[other.length] ?? 0
}

const spelled = (name: string): string => name.toLowerCase().replaceAll(/[-_]/g, "")

/** The one of the known names that this name stands for; undefined where none is near. */
export const similarName = (name: string, known: ReadonlyArray<string>): string | undefined => {
  if (name.length > LONGEST_NAME) return undefined
  const elsewhere = Object.hasOwn(ELSEWHERE, name) ? ELSEWHERE[name] : undefined
  if (elsewhere !== undefined && known.includes(elsewhere)) return elsewhere
  // A short name is near to any other.
  const most = Math.min(MOST_CHANGES, Math.floor(name.length / 3))
  const [nearest] = known
    .map((candidate) => ({ candidate, changes: changesBetween(spelled(name), spelled(candidate)) }))
    .filter(({ changes }) => changes <= most)
    .sort((a, b) => a.changes - b.changes)
  return nearest?.candidate
}
