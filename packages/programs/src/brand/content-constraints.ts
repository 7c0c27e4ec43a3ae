/** content-constraints.md: what the repository itself asks of whoever writes in it. */
import { absence, type Artifact, type Block, claim, rule } from "../claims/model.ts"
import { claimOf, page } from "../claims/sections.ts"
import type { Fact } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { clip } from "../facts/text.ts"
import { pathOf } from "../map/uses.ts"
import { code, count } from "../map/words.ts"

const MOST = 14

/** Tools that read prose, and settings of others that do. */
const PROSE_TOOLS: ReadonlySet<string> = new Set(["vale", "markdownlint", "textlint", "cspell", "commitlint", "alex", "write-good"])
const PROSE_SETTING = /(?:^|\.)(?:proseWrap|max_line_length|textWrap|trim_trailing_whitespace)$/u
const PROSE_RUN = /\b(?:vale|textlint|markdownlint(?:-cli2?)?|cspell|alex|write-good|proselint|commitlint|remark|linkinator|lychee)\b/u

const tools = (project: Project): ReadonlyArray<Block> =>
  [
    ...project.facts("setting").filter(({ subject, value }) => PROSE_TOOLS.has(subject) || PROSE_SETTING.test(value.name)).slice(0, MOST)
      .map((setting) => claim(`${setting.subject}: ${code(`${setting.value.name} = ${clip(setting.value.value, 80)}`)}`, setting)),
    ...project.facts("script").filter(({ value }) => PROSE_RUN.test(value.command))
      .map((script) => claim(`${code(script.subject)} runs ${code(clip(script.value.command, 100))}`, script)),
    ...project.facts("ci-step").filter(({ value: { run, uses } }) => PROSE_RUN.test(run ?? uses ?? ""))
      .map((step) => claim(`Job ${code(step.value.job)} runs ${code(clip(step.value.run ?? step.value.uses ?? "", 100))}`, step))
  ].slice(0, MOST)

const GUIDES =
  /(?:^|\/)(?:contributing|style[-_]?guide|writing|documentation[-_]?style|code[-_]of[-_]conduct|agents|claude)[^/]*\.(?:md|mdx|rst)$/iu
const SUBJECTS = "comments? commits? names? naming words? wording sentences? documents? docs documentation changelog titles? spelling tone"
const ABOUT_WORDS = new RegExp(String.raw`\b(?:${SUBJECTS.replaceAll(" ", "|")})\b`, "iu")
const RULES = /\b(?:must|never|always|do not|don['’]t|should|avoid|please)\b/iu

/** The sentence of a paragraph that asks for something about words. */
const ruleIn = ({ value: { text, under } }: Fact<"paragraph">): string | undefined =>
  text.split(/(?<=[.!?])\s/u).find((sentence) => RULES.test(sentence) && (ABOUT_WORDS.test(sentence) || ABOUT_WORDS.test(under ?? "")))

const rules = (project: Project): ReadonlyArray<Block> =>
  project.paths.filter((path) => GUIDES.test(path)).flatMap((path) => project.factsOf(path, "paragraph")).flatMap((paragraph) => {
    const sentence = ruleIn(paragraph)
    return sentence === undefined ? [] : [claim(code(clip(sentence, 200)), paragraph)]
  }).slice(0, MOST)

const HERE = /^(?:here|click here|this|this link|link|read more|more|learn more)$/iu
const PURPOSE = { name: "WCAG 2.2, link purpose", url: "https://www.w3.org/TR/WCAG22/#link-purpose-link-only" }

/** Links whose words do not say where they lead. */
const emptyLinks = (project: Project): ReadonlyArray<Block> => {
  const links = project.facts("link").filter(({ subject, value }) => !value.image && HERE.test(subject))
  return links.length === 0 ? [] : [
    ...links.slice(0, MOST).map((link) => claim(`${code(link.subject)} leads to ${code(clip(link.value.target, 100))}`, link)),
    rule("Links say where they lead.", PURPOSE)
  ]
}

const MARK = /\b(?:lorem ipsum|TBD|TODO|FIXME|XXX|coming soon)\b/iu

/** What was meant to be written later, and is in what people read. */
const unfinished = (project: Project): ReadonlyArray<Block> =>
  project.facts("paragraph").filter(({ value }) => MARK.test(value.text)).slice(0, MOST).map((paragraph) => {
    const [mark = ""] = MARK.exec(paragraph.value.text) ?? []
    const at = paragraph.value.text.indexOf(mark)
    return claim(code(clip(paragraph.value.text.slice(Math.max(0, at - 40), at + 80), 120)), paragraph)
  })

/** Texts that a program writes or copies: nobody edits them by hand. */
const generated = (project: Project): ReadonlyArray<Block> => {
  const documents = project.facts("generated").filter((one) => /\.(?:md|mdx|rst|html?)$/iu.test(pathOf(one)))
  return documents.slice(0, MOST).map((one) => claim(`${code(pathOf(one))} is written by ${code(clip(one.value.by, 80))}`, one))
}

const notices = (project: Project): ReadonlyArray<Block> => {
  const headers = project.facts("license").filter(({ value }) => value.source === "header")
  return Array.from(Map.groupBy(headers, ({ subject }) => subject)).flatMap(([license, group]) =>
    claimOf(`${count(group.length, "file")} begins with a notice of ${code(license)}`, group)
  )
}

export const contentConstraints = (project: Project): Artifact => {
  const documents = project.searched({ roles: ["documentation", "configuration"] })
  return page(`Writing in ${project.description.project_name}`, [
    { title: "Held by tools", blocks: tools(project), none: absence("No tool that reads prose.", documents) },
    { title: "Asked by guides", blocks: rules(project), none: absence("No guide that speaks of words.", documents) },
    { title: "Links without a name", blocks: emptyLinks(project) },
    { title: "Not written yet", blocks: unfinished(project) },
    { title: "Not written by hand", blocks: [...generated(project), ...notices(project)] }
  ])
}
