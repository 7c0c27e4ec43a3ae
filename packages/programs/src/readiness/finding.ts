/** What a check found, as one sentence with its places. */
import { evidenceOf } from "../claims/model.ts"
import { placesOf } from "../claims/places.ts"
import type { AnyFact } from "../facts/model.ts"
import { clip } from "../facts/text.ts"
import type { CheckResult, FoundNeed } from "./score.ts"

/** The fact as its code writes it. */
export const written = (one: AnyFact): string => {
  if (one.kind === "payment-sign") return clip(one.value.text, 80)
  return clip(one.kind === "sql" ? [one.subject, ...one.value.tables].join(" ") : one.subject, 80)
}

const placesText = (facts: ReadonlyArray<AnyFact>): string => {
  const evidence = evidenceOf(facts)
  return evidence === undefined ? "" : placesOf(evidence).join(", ")
}

const foundText = ({ facts, what }: FoundNeed): ReadonlyArray<string> =>
  facts[0] === undefined ? [] : [`Found ${what}: ${written(facts[0])} (${placesText(facts)}).`]

export const findingOf = ({ found }: CheckResult, searched: number): string => {
  const missing = found.filter(({ facts }) => facts.length === 0).map(({ what }) => what)
  const absent = missing.length === 0
    ? []
    : [`Not found: ${missing.join("; ")}. Searched: ${searched} ${searched === 1 ? "file" : "files"} of code.`]
  return [...found.flatMap(foundText), ...absent].join(" ")
}
