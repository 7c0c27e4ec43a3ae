/** What the child does with foreign bytes: reads a page, or asks a robots.txt which addresses may be read. */
import type { EngineFunction } from "@svc/confined/model"
import { createRequire } from "node:module"
import { type PageText, readHtml } from "./article.ts"
import { decodeText } from "./charset.ts"

/** Undefined for addresses that the robots.txt says nothing of. */
interface Robots {
  readonly isAllowed: (address: string, agent: string) => boolean | undefined
}

// Node loads robots-parser as CommonJS, whose one value is the function; its types tell of an ES module.
const robotsParser: (url: string, text: string) => Robots = createRequire(import.meta.url)("robots-parser")

export interface PageOptions {
  readonly kind: "page"
  readonly url: string
  readonly content_type: string
  readonly only_main_content: boolean
  /** Characters of Markdown at most. */
  readonly most: number
}

export interface RobotsOptions {
  readonly kind: "robots"
  /** Of the robots.txt. */
  readonly url: string
  readonly agent: string
  readonly addresses: ReadonlyArray<string>
}

const plainText = (text: string): PageText => ({
  title: null,
  markdown: text.trim(),
  metadata: {},
  links: [],
  ...(text.trim() === "" ? { obstacle: "no_content" } : {})
})

const readPage = (bytes: Uint8Array, { content_type, most, only_main_content, url }: PageOptions) => {
  const text = decodeText(bytes, content_type)
  const isHtml = !/^\s*text\/(?:plain|markdown)/iu.test(content_type)
  const page = isHtml ? readHtml(text, { url, onlyMainContent: only_main_content }) : plainText(text)
  const markdown = page.markdown.toWellFormed()
  return { ...page, markdown: markdown.slice(0, most), truncated: markdown.length > most }
}

const readRobots = (bytes: Uint8Array, { addresses, agent, url }: RobotsOptions) => {
  const robots = robotsParser(url, Buffer.from(bytes).toString())
  return addresses.map((address) => robots.isAllowed(address, agent) !== false)
}

export const engine: EngineFunction = (bytes, options) => {
  const request = options as unknown as PageOptions | RobotsOptions
  return request.kind === "robots" ? readRobots(bytes, request) : { ...readPage(bytes, request) }
}
