/** Numbers with their nouns, and lists of names. */
import type { Fact } from "../facts/model.ts"

/** Each name once: a type and a value often share theirs. */
export const namesOf = (facts: ReadonlyArray<Fact>): ReadonlyArray<string> => [...new Set(facts.map(({ subject }) => subject))]

export const count = (number: number, noun: string, nouns = `${noun}s`): string => `${number} ${number === 1 ? noun : nouns}`

export const code = (name: string): string => `\`${name.replaceAll("`", "'")}\``

/** The first names, and how many more there are. */
export const listed = (names: ReadonlyArray<string>, most = 5): string => {
  const shown = names.slice(0, most).map(code).join(", ")
  return names.length > most ? `${shown} +${names.length - most}` : shown
}
