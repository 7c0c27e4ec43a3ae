/** .vale.ini and the style Svc: rules for the prose linter Vale (https://vale.sh/docs), made of what the documents have in two ways. */
import { codeFile, type CodeLine, comments } from "../claims/comments.ts"
import { cited, type Value } from "../claims/json.ts"
import { absence, type Artifact, claim, evidenceOf, question } from "../claims/model.ts"
import { yaml } from "../claims/yaml.ts"
import type { AnyFact } from "../facts/model.ts"
import { byText } from "../facts/order.ts"
import type { Project } from "../facts/project.ts"
import { memo } from "../map/memo.ts"
import { isTestFile, pathOf } from "../map/uses.ts"
import { count } from "../map/words.ts"
import { conflictsOf } from "../wording/terms.ts"

/** Vale reads swaps and tokens as regular expressions. */
const pattern = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/gu, "\\$&")

/** In every engine it matches nothing: Vale takes an empty list for an expression that matches everywhere. */
const NOTHING = "[^\\s\\S]"

const MARKUP: Readonly<Record<string, string>> = { md: "md", markdown: "md", mdx: "mdx", rst: "rst", html: "html" }

/** Kinds of documents that there are, with one of each. */
const formats = (project: Project): ReadonlyMap<string, ReadonlyArray<AnyFact>> => {
  const documents = [...project.facts("heading"), ...project.facts("paragraph"), ...project.facts("element")]
    .filter((fact) => !isTestFile(project, pathOf(fact)))
  const groups = Map.groupBy(documents, (fact) => MARKUP[/\.([a-z]+)$/u.exec(pathOf(fact))?.[1] ?? ""] ?? "")
  return new Map([...groups].filter(([format]) => format !== "").toSorted(([one], [other]) => byText(one, other)))
}

const SETTINGS = ["StylesPath = styles", "MinAlertLevel = suggestion"]

export const valeIni = (project: Project): Artifact => {
  const found = formats(project)
  const existing = project.facts("setting").filter(({ subject }) => subject === "vale")
  if (found.size === 0) {
    return codeFile([
      ...comments("#", [absence("No document for Vale.", project.searched())]),
      ...[...SETTINGS, "", "[*.md]", "BasedOnStyles = Svc"].map((text) => ({ text }))
    ])
  }
  const sections = Array.from(found).flatMap(([format, facts]): ReadonlyArray<CodeLine> => {
    const evidence = evidenceOf(facts)
    const files = new Set(facts.map(pathOf)).size
    return [
      { text: "" },
      ...evidence === undefined ? [] : comments("#", [claim(count(files, "file"), ...evidence)]),
      { text: `[*.${format}]` },
      { text: "BasedOnStyles = Svc" }
    ]
  })
  const [own] = existing
  return codeFile([
    ...own === undefined ? [] : comments("#", [claim("The repository has settings of Vale: add the style Svc there.", own)]),
    ...SETTINGS.map((text) => ({ text })),
    ...sections
  ])
}

interface Preference {
  readonly observed: string
  readonly expected: string
  readonly facts: ReadonlyArray<AnyFact>
}

/** Rarer spellings, with the one that is used more. */
const preferences = (project: Project): ReadonlyArray<Preference> =>
  conflictsOf(project).flatMap(({ preferred, spellings }) =>
    preferred === undefined
      ? []
      : spellings.filter((spelling) => spelling !== preferred).map(({ facts, text }) => ({
        observed: text,
        expected: preferred.text,
        facts: [...facts, ...preferred.facts.slice(0, 1)]
      }))
  )

export const preferredTerms = (project: Project): Artifact => {
  const found = preferences(project)
  const swap = Object.fromEntries(
    found.flatMap(({ expected, facts, observed }): ReadonlyArray<readonly [string, Value]> => {
      const evidence = evidenceOf(facts)
      return evidence === undefined ? [] : [[pattern(observed), cited(expected, ...evidence)]]
    })
  )
  const head = found.length > 0
    ? []
    : [`No word that is spelled in one way more often than in another. Searched: ${project.searched()} files.`]
  const open = conflictsOf(project).filter(({ preferred }) => preferred === undefined).slice(0, 3)
    .map(({ spellings: [one, other] }) => question(`${one.text} or ${other.text}?`).text)
  return yaml({
    extends: "substitution",
    message: "Use '%s', not '%s'.",
    level: "warning",
    ignorecase: false,
    swap
  }, [...head, ...open])
}

interface Token {
  readonly token: string
  readonly fact: AnyFact
}

/**
 * Texts of links that say nothing of where they lead (those of one word are words of sentences, too), words that were to be replaced, and
 * words that stand twice.
 */
const LINK = /^(?:click here|this link|read more|learn more)$/iu
const MARK = /\b(?:lorem ipsum|TBD|TODO|FIXME|XXX|coming soon)\b/gu
const DOUBLED = /(?<![\p{L}\p{N}-])(the|a|an|and|of|to|is|in|for|that|with) \1(?![\p{L}\p{N}-])/gu

const forbidden: (project: Project) => ReadonlyMap<string, ReadonlyArray<AnyFact>> = memo((project) => {
  const paragraphs = project.facts("paragraph")
  const tokens: ReadonlyArray<Token> = [
    ...project.facts("link").filter(({ subject, value }) => !value.image && LINK.test(subject)).map((fact) => ({
      token: fact.subject,
      fact
    })),
    ...paragraphs.flatMap((fact) =>
      [...fact.value.text.matchAll(MARK), ...fact.value.text.matchAll(DOUBLED)].map(([token]) => ({ token, fact }))
    )
  ]
  return new Map(
    Array.from(Map.groupBy(tokens, ({ token }) => token), ([token, group]) => [token, group.map(({ fact }) => fact)] as const)
      .toSorted(([one], [other]) => byText(one, other))
  )
})

export const forbiddenPatterns = (project: Project): Artifact => {
  const found = forbidden(project)
  const tokens = Array.from(found).flatMap(([token, facts]): ReadonlyArray<Value> => {
    const evidence = evidenceOf(facts)
    return evidence === undefined ? [] : [cited(pattern(token), ...evidence)]
  })
  const head = found.size > 0 ? [] : [`No empty link text, mark of unfinished text or doubled word. Searched: ${project.searched()} files.`]
  return yaml({
    extends: "existence",
    message: "Say something else than '%s'.",
    level: "warning",
    ignorecase: false,
    tokens: tokens.length === 0 ? [NOTHING] : tokens
  }, head)
}
