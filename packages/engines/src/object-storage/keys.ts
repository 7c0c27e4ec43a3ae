/** Keys of objects: which may be stored, and how a key stands in a URL and on the disk. */
import { hash } from "node:crypto"

/** Bytes of UTF-8, as S3 has it. */
export const MAX_KEY_BYTES = 1024

/** Control characters, and halves of surrogate pairs, which no URL can spell. */
const UNSAFE = /[\p{Cc}\p{Cs}]/u

/** Why a key cannot be stored, in words for whoever chose it; undefined when it can. */
export const keyProblem = (key: string): string | undefined => {
  if (Buffer.byteLength(key) > MAX_KEY_BYTES) return `has more than ${MAX_KEY_BYTES} bytes of UTF-8, its account's prefix included`
  if (UNSAFE.test(key)) return "holds a control character or half of a surrogate pair"
  // Clients of HTTP resolve such segments before they send a URL: another object would be meant.
  if (key.split("/").some((segment) => segment === "" || segment === "." || segment === "..")) {
    return "has an empty segment, or one that is . or .."
  }
  return undefined
}

/** RFC 3986, as SigV4 wants it: what `encodeURIComponent` leaves is spelled out, too. */
const encodeSegment = (segment: string): string =>
  encodeURIComponent(segment).replace(/[!'()*]/gu, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)

/** A key as the path of a URL. */
export const pathOf = (key: string): string => key.split("/").map(encodeSegment).join("/")

/** The key that a path spells; undefined when `pathOf` would spell it in another way. One object has one URL. */
export const keyIn = (path: string): string | undefined => {
  try {
    const key = decodeURIComponent(path)
    return pathOf(key) === path && keyProblem(key) === undefined ? key : undefined
  } catch {
    return undefined
  }
}

/** The first two segments name the owner, such as `accounts/acct_1`: owners share neither folders nor quotas. */
export const ownerOf = (key: string): string => key.split("/", 2).join("/")

/** A name for the disk. No path is made of what a caller wrote. */
export const diskNameOf = (text: string): string => hash("sha256", text)
