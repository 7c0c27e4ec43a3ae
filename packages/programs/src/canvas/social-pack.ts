/** social-pack.md: what a shared link shows, and own sentences that are short enough for a post. */
import { absence, type Artifact, type Block, rule } from "../claims/model.ts"
import { claimOf, page, rowOf, table } from "../claims/sections.ts"
import type { AnyFact, Fact } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { clip } from "../facts/text.ts"
import { assetsOf } from "../map/assets.ts"
import { isTestFile } from "../map/uses.ts"
import { code } from "../map/words.ts"
import { changesOf } from "../wording/changes.ts"
import { statementsOf } from "../wording/statements.ts"

const MOST_PAGES = 12
const MOST_POSTS = 8
const LIMIT = 280
const SOURCE = { name: "X, counting characters", url: "https://docs.x.com/fundamentals/counting-characters" }

const contentOf = (elements: ReadonlyArray<Fact<"element">>, ...subjects: ReadonlyArray<string>): Fact<"element"> | undefined =>
  subjects.flatMap((subject) => elements.find((element) => element.subject === subject) ?? [])[0]

const shown = (element: Fact<"element"> | undefined): string =>
  element === undefined ? "–" : code(clip(element.value.attributes["content"] ?? element.value.text, 70))

/** What a card of a link is made of: the tags of Open Graph, else those of the page. */
const cards = (project: Project): ReadonlyArray<Block> => {
  const pages = project.paths.filter((path) => !isTestFile(project, path) && !path.endsWith(".svg"))
    .map((path) => ({ path, elements: project.factsOf(path, "element") }))
    .filter(({ elements }) => elements.some(({ subject }) => subject === "title" || subject.startsWith("meta:og:")))
  return table(
    ["page", "title", "description", "picture"],
    pages.slice(0, MOST_PAGES).flatMap(({ elements, path }) => {
      const title = contentOf(elements, "meta:og:title", "title")
      const description = contentOf(elements, "meta:og:description", "meta:description")
      const picture = contentOf(elements, "meta:og:image", "meta:twitter:image")
      const facts = [title, description, picture].flatMap((one) => one ?? [])
      return rowOf([code(path), shown(title), shown(description), shown(picture)], facts)
    })
  )
}

interface Text {
  readonly text: string
  readonly fact: AnyFact
}

const textsFor = (project: Project): ReadonlyArray<Text> => {
  const [latest] = changesOf(project)
  return [...statementsOf(project), ...(latest?.items ?? []).map((fact) => ({ text: fact.value.text, fact }))]
}

/** Their length stands behind them. Where one is longer than a post, the limit has to be known. */
const posts = (project: Project): ReadonlyArray<Block> => {
  const texts = textsFor(project).slice(0, MOST_POSTS)
  return [
    ...texts.flatMap(({ fact, text }) => claimOf(`${code(clip(text, LIMIT))} ${text.length > LIMIT ? `> ${LIMIT}` : text.length}`, [fact])),
    ...texts.some(({ text }) => text.length > LIMIT) ? [rule(`A post has ${LIMIT} characters.`, SOURCE)] : []
  ]
}

const HOSTS = [
  "twitter.com",
  "x.com",
  "bsky.app",
  "mastodon.social",
  "fosstodon.org",
  "linkedin.com",
  "youtube.com",
  "discord.gg",
  "discord.com",
  "t.me",
  "facebook.com",
  "instagram.com"
]
const NETWORKS = new RegExp(String.raw`^https?://(?:www\.)?(?:${HOSTS.map((host) => host.replace(".", "\\.")).join("|")})/`, "iu")

/** Places on networks that documents and pages lead to. */
const accounts = (project: Project): ReadonlyArray<Block> => {
  const links = [
    ...project.facts("link").map((fact) => ({ fact, target: fact.value.target })),
    ...project.facts("element").map((fact) => ({ fact, target: fact.value.attributes["href"] ?? "" }))
  ].filter(({ target }) => NETWORKS.test(target))
  return Array.from(Map.groupBy<string, { readonly fact: AnyFact; readonly target: string }>(links, ({ target }) => target)).slice(
    0,
    MOST_POSTS
  )
    .flatMap(([target, group]) => claimOf(code(target), group.map(({ fact }) => fact)))
}

/** Pictures that documents show already. */
const pictures = (project: Project): ReadonlyArray<Block> =>
  assetsOf(project).filter(({ format, missing, uses }) => /^(?:png|jpg|gif|webp|svg)$/u.test(format) && !missing && uses.length > 0)
    .slice(0, MOST_POSTS).flatMap(({ path, uses }) => {
      const alt = uses.find((use) => use.alt !== null && use.alt !== "")?.alt ?? null
      return claimOf(`${code(path)}${alt === null ? "" : `: ${code(clip(alt, 90))}`}`, uses.map(({ fact }) => fact))
    })

export const socialPack = (project: Project): Artifact => {
  const missing = project.facts("element").length === 0 ? "No page." : "No titled page."
  return page(`${project.description.project_name}: social`, [
    { title: "Shared links", blocks: cards(project), none: absence(missing, project.searched()) },
    { title: "Sentences", blocks: posts(project) },
    { title: "Pictures", blocks: pictures(project) },
    { title: "Accounts", blocks: accounts(project) }
  ])
}
