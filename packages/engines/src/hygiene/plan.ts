/** What to do about the findings: the gravest first, one step a rule. */
import { type Finding, levels, type RuleId, rules } from "./rule-table.ts"

const MOST_PLACES = 5

const placeOf = ({ line, path }: Finding): string => line === null ? path : `${path}:${line}`

const step = (rule: RuleId, findings: ReadonlyArray<Finding>, fixed: number): string => {
  const { level, next, source } = rules[rule]
  const shown = findings.slice(0, MOST_PLACES).map(placeOf).join(", ")
  const more = findings.length > MOST_PLACES ? ` and ${findings.length - MOST_PLACES} more` : ""
  const patched = fixed === 0 ? "" : ` The patch does it in ${fixed} of ${findings.length}.`
  return `${level}, ${rule} at ${shown}${more}: ${next}${patched} (${source})`
}

/** `isFixed` says of a finding whether the patch takes it away. */
export const planOf = (findings: ReadonlyArray<Finding>, isFixed: (finding: Finding) => boolean): ReadonlyArray<string> =>
  Array.from(Map.groupBy(findings, ({ rule }) => rule))
    .toSorted(([one], [other]) => levels.indexOf(rules[one].level) - levels.indexOf(rules[other].level))
    .map(([rule, found]) => step(rule, found, found.filter(isFixed).length))
