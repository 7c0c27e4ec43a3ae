/** sequence-pack.md: the mails that the code sends: what each says, which function sends it, what happens before. */
import { absence, type Artifact, type Block } from "../claims/model.ts"
import { claimOf, page, rowOf, table } from "../claims/sections.ts"
import type { AnyFact, Fact } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { clip } from "../facts/text.ts"
import { isTestFile, pathOf } from "../map/uses.ts"
import { code, listed, namesOf } from "../map/words.ts"
import { factsBelow, funnelOf } from "./steps.ts"

const MOST = 20

const mails = (project: Project): ReadonlyArray<Fact<"mail">> => project.facts("mail").filter((mail) => !isTestFile(project, pathOf(mail)))

/** Calls of the function that sends it. */
const callersOf = (project: Project, mail: Fact<"mail">): ReadonlyArray<Fact<"call">> =>
  project.factsOf(pathOf(mail), "symbol").filter(({ subject }) => subject === mail.value.within)
    .flatMap((symbol) => project.links.callers(symbol)).filter((call) => !isTestFile(project, pathOf(call)))

const sent = (project: Project): ReadonlyArray<Block> =>
  table(
    ["mail", "template", "by", "called from"],
    mails(project).slice(0, MOST).flatMap((mail) => {
      const { template, title, within } = mail.value
      const callers = callersOf(project, mail)
      const from = [...new Set(callers.map((call) => call.value.caller ?? pathOf(call)))]
      const cells = [
        title === null ? "–" : code(clip(title, 80)),
        template === null ? "–" : code(clip(template, 60)),
        code(within ?? mail.subject)
      ]
      return rowOf([...cells, from.length === 0 ? "–" : listed(from, 3)], [mail, ...callers])
    })
  )

/** Steps of the funnel after which nobody gets a mail. */
const silent = (project: Project): ReadonlyArray<Block> =>
  funnelOf(project).filter((one) => /^(?:sign up|pay|leave)$/u.test(one.step) && one.symbols.length > 0).flatMap((one) => {
    const below = factsBelow(project, "mail", one)
    return below.length > 0 ? [] : claimOf(`${one.step}: ${one.text}, ${listed(namesOf(one.symbols), 3)}`, [one.fact, ...one.symbols])
  }).slice(0, MOST)

const FOLDER = /(?:^|\/)(?:e?-?mails?|mailers?|newsletters?|notifications?)\/[^/]+$/iu
const MARKUP = /\.(?:html?|hbs|handlebars|mustache|ejs|njk|liquid|twig|mjml|tsx|txt|erb)$/iu

/** Files that hold the text of a mail. */
const templates = (project: Project): ReadonlyArray<Block> =>
  project.paths.filter((path) => FOLDER.test(path) && MARKUP.test(path) && !isTestFile(project, path)).slice(0, MOST).flatMap((path) => {
    const said = project.factsOf(path, "element").filter(({ subject, value }) =>
      /^(?:title|h1|h2|a|button)$/u.test(subject) && value.text !== ""
    )
    const facts: ReadonlyArray<AnyFact> = said.length > 0 ? said : [...project.factsOf(path, "component"), ...project.factsOf(path, "file")]
    const words = said.slice(0, 2).map(({ value }) => code(clip(value.text, 60)))
    return claimOf([code(path), ...words].join(", "), facts)
  })

export const sequencePack = (project: Project): Artifact => {
  const sources = project.searched({ roles: ["source", "page"] })
  const blocks = sent(project)
  return page(`Mails of ${project.description.project_name}`, [
    { title: "Sent", blocks, none: absence("No call that sends a mail.", sources) },
    { title: "Templates", blocks: templates(project) },
    { title: "Steps without a mail", blocks: blocks.length === 0 ? [] : silent(project) }
  ])
}
