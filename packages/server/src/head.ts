/** What the head of a request is refused for, before any route sees it. */
import { CURRENT_API_VERSION, isServed, type Release } from "@svc/kernel/resource/api-version"
import type { ErrorCodeName } from "@svc/kernel/resource/errors"
import { redactCardNumbers } from "@svc/kernel/values/card-numbers"
import { beginningOf } from "@svc/kernel/values/text"
import type { HttpServerRequest } from "effect/http"
import { IncomingMessage } from "node:http"

export interface HeadRefusal {
  readonly name: ErrorCodeName
  readonly code?: string
  readonly message: string
}

const invalid = (code: string, message: string): HeadRefusal => ({ name: "validation_error", code, message: `${code}: ${message}` })

const shown = (value: string): string => beginningOf(redactCardNumbers(value), 40)

const badVersion = (asked: string) =>
  invalid(
    "API-Version",
    `"${
      shown(asked)
    }" is not a version of this API, or has ended. Send a date such as ${CURRENT_API_VERSION} from GET /v1/api_versions, or leave the header out.`
  )

/** The usual path has none of this, and each request is looked at. */
const UNUSUAL = /[#;%]|\/\/|\/(?:\?|$)/

/**
 * A path or query that no text in the database can equal, or a path that routers read in two ways: to some
 * of them, this one's included, a semicolon ends it, and so does a fragment, which is never sent.
 */
const ambiguousUrl = (url: string): boolean => {
  if (/#|^[^?]*;/.test(url)) return true
  if (!url.includes("%")) return false
  try {
    return decodeURIComponent(url).includes("\0")
  } catch {
    return true
  }
}

const badUrl: HeadRefusal = {
  name: "validation_error",
  code: "url",
  message:
    "The path or query is not valid percent-encoded UTF-8 text, or holds a NUL, a fragment or, in the path, a semicolon. Encode it as UTF-8, and a semicolon as %3B."
}

/** A doubled slash, or one at the end of a path that is not the root: the router would drop it, or read an empty id. */
const EMPTY_SEGMENT = /^[^?]*(?:\/\/|[^?]\/(?:\?|$))/
/**
 * Effect's own client of typed procedures always ends its path with a slash, and people who set up a client of MCP often do. The router
 * takes these paths for those without the slash.
 */
const SLASH_ALLOWED = /^\/(?:rpc|(?:v1\/)?mcp)\/(?:\?|$)/

const noSuchPath: HeadRefusal = {
  name: "not_found",
  message: "No such route: its path has a doubled slash, or a slash at its end. Leave that out; GET /openapi.json lists every route."
}

const badHost = invalid("Host", "HTTP/1.1 asks for this header, once (RFC 9112, section 3.2). Send the name of the service in it.")

/** Node keeps the first of several `Host` lines, and a proxy in front of it may have kept the last. */
const wrongHost = (request: HttpServerRequest.HttpServerRequest): boolean => {
  // What the desk asks within the process has no lines.
  if (!(request.source instanceof IncomingMessage)) return false
  const { httpVersion, rawHeaders } = request.source
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === "host") hosts++
  }
  return hosts > 1 || (hosts === 0 && httpVersion === "1.1")
}

const badExpectation = (asked: string): HeadRefusal => ({
  name: "expectation_failed",
  message: `Expect: "${shown(asked)}" is not known here. Leave it out, or send Expect: 100-continue.`
})

/** Why the request goes no further; nothing when it may. */
export const refusalOf = (
  request: HttpServerRequest.HttpServerRequest,
  releases: ReadonlyArray<Release>,
  millis: number
): HeadRefusal | undefined => {
  if (wrongHost(request)) return badHost
  const expected = request.headers["expect"]
  if (expected !== undefined && expected.toLowerCase() !== "100-continue") return badExpectation(expected)
  const requestedVersion = request.headers["api-version"]
  if (requestedVersion !== undefined && !isServed(releases, requestedVersion, millis)) return badVersion(requestedVersion)
  if (!UNUSUAL.test(request.url)) return undefined
  if (ambiguousUrl(request.url)) return badUrl
  return EMPTY_SEGMENT.test(request.url) && !SLASH_ALLOWED.test(request.url) ? noSuchPath : undefined
}
