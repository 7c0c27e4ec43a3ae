/** The cookie of a session, and what its forms send along. */
import type { Locale } from "@svc/design/locale"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { createHmac, timingSafeEqual } from "node:crypto"

/** A browser sends a cookie with this prefix over TLS alone, and only where this host set it. */
const nameFor = (isSecure: boolean): string => isSecure ? "__Host-desk" : "desk"

const isSecure = (publicUrl: string): boolean => publicUrl.startsWith("https:")

export const sessionSecretOf = ({ cookies }: Pick<HttpServerRequest.HttpServerRequest, "cookies">, publicUrl: string): string | undefined =>
  cookies[nameFor(isSecure(publicUrl))]

const options = (secure: boolean) => ({ path: "/", httpOnly: true, sameSite: "strict", secure } as const)

export const withSession = (
  response: HttpServerResponse.HttpServerResponse,
  secret: string,
  publicUrl: string
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.setCookieUnsafe(response, nameFor(isSecure(publicUrl)), secret, options(isSecure(publicUrl)))

export const withoutSession = (response: HttpServerResponse.HttpServerResponse, publicUrl: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.setCookieUnsafe(response, nameFor(isSecure(publicUrl)), "", { ...options(isSecure(publicUrl)), maxAge: 0 })

/** The language that a person chose. It is no secret, and may come without TLS. */
const LANGUAGE = "desk-language"

export const languageOf = ({ cookies }: Pick<HttpServerRequest.HttpServerRequest, "cookies">): string | null => cookies[LANGUAGE] ?? null

export const withLanguage = (
  response: HttpServerResponse.HttpServerResponse,
  language: Locale,
  publicUrl: string
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.setCookieUnsafe(response, LANGUAGE, language, { ...options(isSecure(publicUrl)), maxAge: "400 days" })

const ERRAND_SECONDS = 600

const errandName = (secure: boolean): string => secure ? "__Host-desk-errand" : "desk-errand"

/**
 * What a browser keeps while its person is at the identity provider. Coming back is a navigation from another site, with which a browser
 * sends no strict cookie.
 */
export const withErrand = (response: HttpServerResponse.HttpServerResponse, errand: string, publicUrl: string) =>
  HttpServerResponse.setCookieUnsafe(response, errandName(isSecure(publicUrl)), errand, {
    ...options(isSecure(publicUrl)),
    sameSite: "lax",
    maxAge: ERRAND_SECONDS * 1000
  })

export const withoutErrand = (response: HttpServerResponse.HttpServerResponse, publicUrl: string) =>
  HttpServerResponse.setCookieUnsafe(response, errandName(isSecure(publicUrl)), "", {
    ...options(isSecure(publicUrl)),
    sameSite: "lax",
    maxAge: 0
  })

export const errandOf = ({ cookies }: Pick<HttpServerRequest.HttpServerRequest, "cookies">, publicUrl: string): string | undefined =>
  cookies[errandName(isSecure(publicUrl))]

/** Of each session another one; it says nothing of the secret. */
export const formTokenOf = (secret: string): string => createHmac("sha256", secret).update("form").digest("base64url")

export const isFormToken = (token: string, secret: string): boolean => {
  const [one, other] = [Buffer.from(token), Buffer.from(formTokenOf(secret))]
  return one.length === other.length && timingSafeEqual(one, other)
}

/** What a person has just done, which the next page says. */
export interface Done {
  readonly view: string
  readonly endpoint: string
}

const DONE = /^([a-z0-9-_]{1,60})\.([A-Za-z0-9_]{1,60})$/u

const doneName = (publicUrl: string): string => `${nameFor(isSecure(publicUrl))}-done`

/** Only names of what there is come to words: no text of the cookie is shown. */
export const doneIn = ({ cookies }: Pick<HttpServerRequest.HttpServerRequest, "cookies">, publicUrl: string): Done | undefined => {
  const [, view, endpoint] = DONE.exec(cookies[doneName(publicUrl)] ?? "") ?? []
  return view === undefined || endpoint === undefined ? undefined : { view, endpoint }
}

export const withDone = (
  response: HttpServerResponse.HttpServerResponse,
  { endpoint, view }: Done,
  publicUrl: string
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.setCookieUnsafe(response, doneName(publicUrl), `${view}.${endpoint}`, {
    ...options(isSecure(publicUrl)),
    maxAge: "1 minute"
  })

export const withoutDone = (response: HttpServerResponse.HttpServerResponse, publicUrl: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.setCookieUnsafe(response, doneName(publicUrl), "", { ...options(isSecure(publicUrl)), maxAge: 0 })
