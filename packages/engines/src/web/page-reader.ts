/** Fetches pages of the web as robots.txt allows it, and has them read in a confined child. */
import type { EngineFailed } from "@svc/confined/model"
import { type WebAnswer, WebEgress } from "@svc/kernel/egress/web"
import { Data, Effect, Stream } from "effect"
import { makePageChild, obstacles, type PageAnswer } from "./page-child.ts"
import { AGENT, makeRobots, type RobotsVerdict } from "./robots.ts"

const MOST_BYTES = 5 * 1024 * 1024

export const pageProblems = [...obstacles, "robots_disallowed", "unsupported_type", "unreadable"] as const
export type PageProblem = typeof pageProblems[number]

/** There is nothing to deliver of this page. */
export class PageNotRead extends Data.TaggedError("PageNotRead")<{
  readonly problem: PageProblem
  readonly message: string
  readonly url: string
  /** Bytes of the body that came, decompressed. */
  readonly bytes: number
}> {}

/** The server answered with a status that promises no page. */
export class BadStatus extends Data.TaggedError("BadStatus")<{ readonly url: string; readonly status: number }> {}

export interface Page extends Omit<PageAnswer, "obstacle"> {
  /** Where the last redirect led. */
  readonly url: string
}

export interface PageRequest {
  readonly account: string
  readonly url: string
  readonly onlyMainContent: boolean
  /** Characters of Markdown at most. */
  readonly most: number
}

const notRead = (problem: PageProblem, message: string, url: string, bytes = 0) => new PageNotRead({ problem, message, url, bytes })

const ofObstacle: Readonly<Record<typeof obstacles[number], string>> = {
  javascript_required: "The page shows its content by scripts, which are not run here. Look for an API, a feed or a print version of it.",
  content_blocked: "The page shows a wall instead of its content: consent, log-in or proof of being human. Use another source.",
  no_content: "The page holds no text. Check the address."
}

const ofVerdict = (verdict: RobotsVerdict, url: string): string =>
  verdict === "unreachable"
    ? `The robots.txt of ${new URL(url).host} cannot be read now, so nothing else of the site may be. Try again later.`
    : `The robots.txt of ${new URL(url).host} does not let ${AGENT} read this page. Use another source.`

const ofEngine = ({ message, reason }: EngineFailed): string =>
  `The page cannot be read: ${reason === "refused" ? message.slice(0, 200) : "it takes more time or memory than a page may"}.`

/** Statuses of pages that are not for everybody. */
const CLOSED: ReadonlySet<number> = new Set([401, 402, 403, 451])
const PAGE_TYPE = /^\s*(?:text\/(?:html|plain|markdown)|application\/xhtml\+xml|$)/iu

/** The body of an answer that promises a page. */
const bodyOf = Effect.fnUntraced(function*({ body, headers, status, url }: WebAnswer) {
  const contentType = headers["content-type"] ?? ""
  const isGood = status >= 200 && status < 300
  if (isGood && !PAGE_TYPE.test(contentType)) {
    return yield* notRead("unsupported_type", `This is ${contentType}, and no page. svc_document_parsing reads documents.`, url)
  }
  const bytes = yield* Stream.mkUint8Array(body)
  if (isGood) return { url, bytes, contentType }
  return yield* CLOSED.has(status)
    ? notRead(
      "content_blocked",
      `The server answers with status ${status}: the page is not for everybody. Use another source.`,
      url,
      bytes.length
    )
    : new BadStatus({ url, status })
})

/** `contact` tells the operators of sites who reads. */
export const makePageReader = Effect.fnUntraced(function*(contact: string) {
  const web = yield* WebEgress
  const child = yield* makePageChild
  const headers = { "user-agent": `${AGENT} (+${contact})`, accept: "text/html,application/xhtml+xml,text/plain;q=0.8,text/markdown;q=0.8" }
  const robots = yield* makeRobots(child, headers)

  const checkRobots = Effect.fnUntraced(function*(account: string, url: string) {
    const verdict = yield* robots(account, url)
    if (verdict !== "allowed") return yield* notRead("robots_disallowed", ofVerdict(verdict, url), url)
  })

  const read = Effect.fn("PageReader.read")(function*({ account, most, onlyMainContent, url: address }: PageRequest) {
    const request = { url: address, headers, timeout: "30 seconds", maxBytes: MOST_BYTES } as const
    const { bytes, contentType, url } = yield* web.read(request, bodyOf, (url) => checkRobots(account, url))
    const options = { kind: "page", url, content_type: contentType, only_main_content: onlyMainContent, most } as const
    const { obstacle, ...page } = yield* Effect.catchTag(
      child.readPage(account, bytes, options),
      "EngineFailed",
      (error) => notRead("unreadable", ofEngine(error), url, bytes.length)
    )
    if (obstacle !== undefined) return yield* notRead(obstacle, ofObstacle[obstacle], url, bytes.length)
    return { ...page, url } satisfies Page
  })

  return { read, engine: child.engine, wall: child.wall }
})
export type PageReader = Effect.Success<ReturnType<typeof makePageReader>>
