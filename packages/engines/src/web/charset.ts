/** Bytes of a page as text, in the order that browsers look for its encoding: byte order mark, HTTP header, meta element. */

/** How far browsers look for a meta element. */
const PRESCAN_BYTES = 1024

const decoderOf = (label: string | undefined): TextDecoder | undefined => {
  if (label === undefined) return undefined
  try {
    return new TextDecoder(label.trim())
  } catch {
    return undefined
  }
}

const fromMark = ([first, second, third]: Uint8Array): string | undefined => {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8"
  if (first === 0xfe && second === 0xff) return "utf-16be"
  return first === 0xff && second === 0xfe ? "utf-16le" : undefined
}

export const charsetOf = (contentType: string): string | undefined => /;\s*charset\s*=\s*["']?([^"';\s]+)/iu.exec(contentType)?.[1]

/** A meta element that could be read is not in UTF-16, whatever it says. */
const fromMeta = (bytes: Uint8Array): string | undefined => {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, PRESCAN_BYTES)).toString("latin1")
  const label = /<meta[^<>]+?charset\s{0,9}=\s{0,9}["']?\s{0,9}([^"'\s/>;]+)/iu.exec(start)?.[1]
  return label !== undefined && /^utf-?16/iu.test(label) ? "utf-8" : label
}

const isUtf8 = (bytes: Uint8Array): boolean => {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

/** Where nothing says, what is no UTF-8 is read as the encoding of old pages. */
export const decodeText = (bytes: Uint8Array, contentType: string): string => {
  const decoder = decoderOf(fromMark(bytes)) ?? decoderOf(charsetOf(contentType)) ?? decoderOf(fromMeta(bytes)) ??
    new TextDecoder(isUtf8(bytes) ? "utf-8" : "windows-1252")
  return decoder.decode(bytes)
}
