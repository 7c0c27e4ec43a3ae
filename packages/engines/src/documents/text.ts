/** Bytes as text: by byte order mark, by the charset of the media type, as UTF-8, or as what Windows writes. */

const decodedAs = (charset: string, bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

const charsetOf = (bytes: Uint8Array, mediaType: string): string | undefined => {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return "utf-16le"
  if (first === 0xfe && second === 0xff) return "utf-16be"
  return /charset\s*=\s*"?([\w.:-]+)/iu.exec(mediaType)?.[1]
}

/** Text has line ends, tabs and form feeds, and no other control characters. */
const hasControls = (text: string): boolean => /[\0-\x08\x0b\x0e-\x1a\x1c-\x1f]/u.test(text)

/** Undefined for what is no text. */
export const decodeText = (bytes: Uint8Array, mediaType: string): string | undefined => {
  const charset = charsetOf(bytes, mediaType)
  const named = charset === undefined ? undefined : decodedAs(charset, bytes)
  const text = named ?? decodedAs("utf-8", bytes) ?? decodedAs("windows-1252", bytes)
  return text === undefined || hasControls(text) ? undefined : text.replaceAll(/\r\n?/gu, "\n")
}
