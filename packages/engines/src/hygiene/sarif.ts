/** Findings as SARIF 2.1.0, the form that code hosts and editors take. */
import { hash } from "node:crypto"
import { type Finding, messageOf, type Rule, type RuleId, rules } from "./rule-table.ts"

/** A reference of RFC 3986, whatever the file is called. */
const uriOf = (path: string): string => path.toWellFormed().split("/").map(encodeURIComponent).join("/")

const descriptor = (id: RuleId, { level, next, says, source }: Rule) => ({
  id,
  shortDescription: { text: says },
  help: { text: next },
  helpUri: source,
  defaultConfiguration: { level: level }
})

/** The same at the next scan while rule, file and message stay, wherever the line has moved; the nth of equal ones is told apart. */
const fingerprints = (findings: ReadonlyArray<Finding>): ReadonlyArray<string> => {
  const seen = new Map<string, number>()
  return findings.map((finding) => {
    const key = `${finding.rule}\n${finding.path}\n${messageOf(finding)}`
    const nth = (seen.get(key) ?? 0) + 1
    seen.set(key, nth)
    return hash("sha256", `${key}\n${nth}`, "hex")
  })
}

export const sarifOf = (findings: ReadonlyArray<Finding>) => {
  const used = Array.from(new Set(findings.map(({ rule }) => rule))).toSorted()
  const keys = fingerprints(findings)
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [{
      tool: { driver: { name: "svc_hygiene", rules: used.map((id) => descriptor(id, rules[id])) } },
      results: findings.map((finding, at) => ({
        ruleId: finding.rule,
        ruleIndex: used.indexOf(finding.rule),
        level: rules[finding.rule].level,
        message: { text: messageOf(finding) },
        locations: [{
          physicalLocation: {
            artifactLocation: { uri: uriOf(finding.path) },
            ...(finding.line === null ? {} : { region: { startLine: finding.line } })
          }
        }],
        partialFingerprints: { "ruleFileMessage/v1": keys[at] ?? "" }
      })),
      columnKind: "utf16CodeUnits"
    }]
  }
}
