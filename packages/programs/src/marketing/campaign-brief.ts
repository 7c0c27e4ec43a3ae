/** campaign-brief.md: what a campaign may quote, what it leads to, what is new, and what stands in its way. */
import { absence, type Artifact, type Block, claim, question } from "../claims/model.ts"
import { claimOf, page } from "../claims/sections.ts"
import type { Fact } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { clip } from "../facts/text.ts"
import { listedText } from "../map/listings.ts"
import { isTestFile, pathOf } from "../map/uses.ts"
import { code } from "../map/words.ts"
import { changesOf } from "../wording/changes.ts"
import { audienceOf, nearestRoot, statementsOf } from "../wording/statements.ts"
import { textsOf } from "../wording/texts.ts"
import { funnelOf } from "./steps.ts"

const MOST = 6

const quotable = (project: Project): ReadonlyArray<Block> =>
  statementsOf(project).slice(0, 3).map(({ fact, text }) => claim(code(clip(text, 240)), fact))

const PRAISE = new RegExp(
  String.raw`\b(?:fast(?:er|est)?|best|easiest|easy|simplest|leading|safest|zero|proven|lightweight|powerful|seamless|blazing` +
    String.raw`|most \w+ly|100 ?%|\d+x)\b`,
  "iu"
)

/** Sentences of the README and of listings that promise more than they show. */
const promises = (project: Project): ReadonlyArray<Block> =>
  textsOf(project).filter(({ fact, surface }) => fact.kind !== "heading" && (surface === "README" || surface === "listings"))
    .flatMap(({ fact, text }) => {
      const sentence = text.split(/(?<=[.!?])\s/u).find((one) => PRAISE.test(one))
      const word = PRAISE.exec(sentence ?? "")?.[0]
      return sentence === undefined || word === undefined ? [] : [claim(`${code(word)} in ${code(clip(sentence, 140))}`, fact)]
    }).slice(0, MOST)

const leads = (project: Project): ReadonlyArray<Block> => [
  ...project.facts("listing").filter(({ subject }) => subject === "homepage").slice(0, 2).map((one) => claim(code(listedText(one)), one)),
  ...funnelOf(project).filter(({ step }) => step === "arrive" || step === "install" || step === "sign up").slice(0, MOST)
    .flatMap(({ fact, step, text }) => claimOf(`${step}: ${text}`, [fact]))
]

const news = (project: Project): ReadonlyArray<Block> => {
  const [latest] = changesOf(project)
  return latest === undefined ? [] : [
    claim(code(latest.heading.subject), latest.heading),
    ...latest.items.slice(0, 3).map((item) => claim(code(clip(item.value.text, 160)), item))
  ]
}

const manifest = (project: Project): Fact<"manifest"> | undefined =>
  nearestRoot(project.facts("manifest").filter((one) => !isTestFile(project, pathOf(one))))[0]

/** What keeps people from using what a campaign promises. */
const obstacles = (project: Project): ReadonlyArray<Block> => {
  const root = manifest(project)
  if (root === undefined) return []
  const { license, private: isPrivate, version } = root.value
  const hasLicense = license !== null || project.facts("license").length > 0
  return [
    ...isPrivate ? [claim(`${code(root.subject)} is private: no registry has it`, root)] : [],
    ...version !== null && /^0\.|-(?:alpha|beta|rc|pre)/u.test(version)
      ? [claim(`${code(root.subject)} is at ${code(version)}`, root)]
      : [],
    ...hasLicense ? [] : [absence("No licence.", project.searched())]
  ]
}

export const campaignBrief = (project: Project): Artifact => {
  const name = project.description.project_name
  const quoted = quotable(project)
  const audience = audienceOf(project).slice(0, 2).map((one) => claim(code(clip(one.value.text, 200)), one))
  return page(`Campaign for ${name}`, [
    { title: "Its words", blocks: quoted, none: absence("No description.", project.searched()) },
    { title: "For", blocks: audience },
    { title: "To be proved first", blocks: promises(project) },
    { title: "Leads to", blocks: leads(project) },
    { title: "New", blocks: news(project) },
    { title: "In the way", blocks: obstacles(project) },
    {
      title: "Ask",
      blocks: [...audience.length === 0 ? [question(`who needs ${name}?`)] : [], question(`goal, budget, dates of ${name}?`)]
    }
  ])
}
