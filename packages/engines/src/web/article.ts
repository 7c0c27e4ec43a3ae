/** What a page says: its main content or all of it, its title, what it says of itself, and where its links lead. */
import { Readability } from "@mozilla/readability"
import { parseHTML } from "linkedom"
import { type Obstacle, obstacleOf, type Scripts, scriptsOf, UNSEEN } from "./content.ts"
import { toMarkdown } from "./markdown.ts"
import { isNestedDeeper } from "./nesting.ts"

const MOST_LINKS = 1000
const MOST_METADATA_CHARS = 500
const MOST_TITLE_CHARS = 500
/** Of an address of a link: a longer one is no page that somebody reads. */
const MOST_ADDRESS_CHARS = 2048
/** Levels of elements below the body. Linkedom recurses; Readability takes seconds for some kilobytes that are nested deeper. */
const MOST_DEPTH = 1000
const MOST_ARTICLE_DEPTH = 100

export interface PageText {
  readonly title: string | null
  readonly markdown: string
  readonly metadata: Readonly<Record<string, string>>
  /** Absolute, of http and https alone, each once. */
  readonly links: ReadonlyArray<string>
  /** Why there is no content. */
  readonly obstacle?: Obstacle
}

const squeezed = (text: string | null | undefined): string => (text ?? "").replace(/\s+/gu, " ").trim()

/** An address of the page as an absolute one of the web. */
const absolute = (address: string | null, base: string): string | undefined => {
  const url = address === null ? null : URL.parse(address.trim(), base)
  return url !== null && /^https?:$/u.test(url.protocol) ? url.href : undefined
}

const baseOf = (document: Document, url: string): string =>
  absolute(document.querySelector("base")?.getAttribute("href") ?? null, url) ?? url

const makeAbsolute = (document: Document, selector: string, attribute: string, base: string): void => {
  for (const element of document.querySelectorAll(selector)) {
    const address = absolute(element.getAttribute(attribute), base)
    if (address !== undefined) element.setAttribute(attribute, address)
  }
}

const withoutHash = (address: string): string => address.replace(/#.*$/su, "")

const linksOf = (document: Document): ReadonlyArray<string> => {
  const links = new Set<string>()
  for (const anchor of document.querySelectorAll("a[href], area[href]")) {
    const address = anchor.getAttribute("href") ?? ""
    if (/^https?:/u.test(address) && address.length <= MOST_ADDRESS_CHARS && links.size < MOST_LINKS) links.add(withoutHash(address))
  }
  return Array.from(links)
}

/** Where pages say things of themselves, by the name that an answer has for it. */
const metadataSources: Readonly<Record<string, ReadonlyArray<string>>> = {
  description: ["meta[name=description]", "meta[property='og:description']"],
  author: ["meta[name=author]", "meta[property='article:author']"],
  site_name: ["meta[property='og:site_name']"],
  published_at: ["meta[property='article:published_time']", "meta[name=date]", "meta[itemprop=datePublished]"],
  modified_at: ["meta[property='article:modified_time']"],
  image: ["meta[property='og:image']"]
}

const metadataOf = (document: Document, base: string): Record<string, string> => {
  const metadata: Record<string, string> = {}
  const set = (name: string, value: string | null | undefined) => {
    const text = squeezed(value).slice(0, MOST_METADATA_CHARS)
    if (text !== "") metadata[name] = text
  }
  for (const [name, selectors] of Object.entries(metadataSources)) {
    set(
      name,
      selectors.map((selector) => document.querySelector(selector)?.getAttribute("content")).find((content) => squeezed(content) !== "")
    )
  }
  set("language", document.documentElement.getAttribute("lang"))
  set("canonical_url", absolute(document.querySelector("link[rel=canonical]")?.getAttribute("href") ?? null, base))
  return metadata
}

const titleOf = (document: Document): string | null => {
  const candidates = [
    document.querySelector("meta[property='og:title']")?.getAttribute("content"),
    document.querySelector("title")?.textContent,
    document.querySelector("h1")?.textContent
  ]
  return candidates.map(squeezed).find((text) => text !== "")?.slice(0, MOST_TITLE_CHARS).toWellFormed() ?? null
}

const HIDDEN = "[hidden], [aria-hidden=true], [style*='display:none'], [style*='display: none']"
const FURNITURE = "nav, aside, form, dialog, button, body > header, body > footer, " +
  "[role=navigation], [role=banner], [role=contentinfo], [role=search], [role=dialog]"
const CONSENT = ["cookie", "consent", "gdpr", "onetrust", "didomi", "qc-cmp"].flatMap((word) => [`[id*=${word} i]`, `[class*=${word} i]`])
/** What lies hidden, or before the text. */
const HINDRANCE = [HIDDEN, ...CONSENT].join(", ")

const lengthOf = (element: Element): number => squeezed(element.textContent).length

const removeAll = (root: Element, selector: string, unless: (element: Element) => boolean = () => false): void => {
  for (const element of root.querySelectorAll(selector)) if (!unless(element)) element.remove()
}

/** Old pages leave out the tags of the root and of the body, which linkedom needs. */
const parsed = (html: string): Document => {
  const { document } = parseHTML(/<html[\s>]/iu.test(html) ? html : `<html>${html}</html>`)
  const root = document.documentElement
  const body = Array.from(root.children).find(({ localName }) => localName === "body")
  if (body === undefined) {
    const content = Array.from(root.childNodes).filter(({ nodeName }) => nodeName !== "HEAD")
    document.body.append(...content)
  }
  return document
}

const isDeeper = ({ body }: Document, levels: number): boolean => {
  let level: ReadonlyArray<Element> = [body]
  for (let depth = 0; depth < levels && level.length > 0; depth++) level = level.flatMap(({ children }) => Array.from(children))
  return level.length > 0
}

const tooDeep = new RangeError(`its elements are nested more than ${MOST_DEPTH} levels deep`)

interface Prepared {
  readonly document: Document
  readonly base: string
  readonly scripts: Scripts
}

/** The page with absolute addresses, and without what nobody sees. */
const prepare = (html: string, url: string): Prepared => {
  if (isNestedDeeper(html, MOST_DEPTH)) throw tooDeep
  const document = parsed(html)
  if (isDeeper(document, MOST_DEPTH)) throw tooDeep
  const base = baseOf(document, url)
  makeAbsolute(document, "a[href], area[href]", "href", base)
  makeAbsolute(document, "img[src]", "src", base)
  const scripts = scriptsOf(document)
  removeAll(document.body, UNSEEN)
  return { document, base, scripts }
}

/** Takes away what the selector names; an element that holds most of the text stays, whatever it is called. */
const strip = ({ body }: Document, selector: string): void => {
  const all = lengthOf(body)
  removeAll(body, selector, (element) => lengthOf(element) * 2 > all)
}

/** The main content. What Readability makes little of, such as a short page or a list, is all that is no furniture. */
const mainOf = (html: string, url: string, document: Document): Element => {
  strip(document, FURNITURE)
  if (isDeeper(document, MOST_ARTICLE_DEPTH)) return document.body
  const all = lengthOf(document.body)
  const article = new Readability<Element>(document, { serializer: (node) => node as Element, disableJSONLD: true }).parse()
  const content = article?.content ?? undefined
  if (content !== undefined && lengthOf(content) * 3 > all) return content
  // Readability has taken the document apart.
  const { document: anew } = prepare(html, url)
  strip(anew, HINDRANCE)
  strip(anew, FURNITURE)
  return anew.body
}

export const readHtml = (html: string, { onlyMainContent, url }: { readonly url: string; readonly onlyMainContent: boolean }): PageText => {
  const { base, document, scripts } = prepare(html, url)
  const page = { title: titleOf(document), metadata: metadataOf(document, base), links: linksOf(document) }
  const obstacle = obstacleOf(document, scripts)
  if (obstacle !== undefined) return { ...page, markdown: "", obstacle }
  strip(document, HINDRANCE)
  const markdown = toMarkdown(onlyMainContent ? mainOf(html, url, document) : document.body)
  return { ...page, markdown, ...(markdown === "" ? { obstacle: "no_content" } : {}) }
}
