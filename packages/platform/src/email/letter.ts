/** Reads the emails that this service writes (RFC 5322, 2045, 2047), so that a person can look at them without a mail program. */

export interface Letter {
  /** In the order and under the names in which they stand; the last of a name holds. */
  readonly headers: ReadonlyMap<string, string>
  /** The plain text. */
  readonly text: string
  readonly attachments: ReadonlyArray<{ readonly filename: string; readonly content_type: string }>
}

const bytesOfQuoted = (text: string): Buffer =>
  Buffer.from(
    text.replace(/=\r?\n/gu, "").replace(/=([0-9A-Fa-f]{2})/gu, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1"
  )

/** `=?UTF-8?Q?…?=` and `=?UTF-8?B?…?=`; space between two such words is no part of the text. */
const decodeWords = (text: string): string =>
  text.replace(/(\?=)\s+(?==\?)/gu, "$1").replace(
    /=\?utf-8\?([bq])\?([^?]*)\?=/giu,
    (_, kind: string, word: string) =>
      (kind.toLowerCase() === "b" ? Buffer.from(word, "base64") : bytesOfQuoted(word.replaceAll("_", " "))).toString("utf8")
  )

interface Part {
  readonly headers: ReadonlyMap<string, string>
  /** Bytes as characters of latin1, undecoded. */
  readonly body: string
}

const partOf = (source: string): Part => {
  const end = source.indexOf("\r\n\r\n")
  const head = end < 0 ? source : source.slice(0, end)
  const lines = head.replace(/\r\n(?=[ \t])/gu, "").split("\r\n")
  const headers = lines.flatMap((line) => {
    const colon = line.indexOf(":")
    return colon < 1 ? [] : [[line.slice(0, colon).toLowerCase(), decodeWords(line.slice(colon + 1).trim())] as const]
  })
  return { headers: new Map(headers), body: end < 0 ? "" : source.slice(end + 4) }
}

const parameter = (header: string | undefined, name: string): string | undefined =>
  new RegExp(`;\\s*${name}="?([^";]+)"?`, "iu").exec(header ?? "")?.[1]

/** The parts that hold something, from the first to the last, however they are nested. */
const leavesOf = (part: Part): ReadonlyArray<Part> => {
  const boundary = parameter(part.headers.get("content-type"), "boundary")
  if (boundary === undefined) return [part]
  return `\r\n${part.body}`.split(`\r\n--${boundary}`).slice(1, -1).flatMap((inner) => leavesOf(partOf(inner.replace(/^\r\n/u, ""))))
}

const contentOf = ({ body, headers }: Part): string => {
  const encoding = headers.get("content-transfer-encoding")?.toLowerCase()
  const bytes = encoding === "base64"
    ? Buffer.from(body, "base64")
    : encoding === "quoted-printable"
    ? bytesOfQuoted(body)
    : Buffer.from(body, "latin1")
  return bytes.toString("utf8").replaceAll("\r\n", "\n").trimEnd()
}

const isAttached = ({ headers }: Part): boolean => headers.get("content-disposition")?.startsWith("attachment") === true

/** The email in these bytes. */
export const readLetter = (bytes: Uint8Array): Letter => {
  const whole = partOf(Buffer.from(bytes).toString("latin1"))
  const leaves = leavesOf(whole)
  const text = leaves.find((part) => !isAttached(part) && /^(?:text\/plain|$)/iu.test(part.headers.get("content-type") ?? ""))
  return {
    headers: whole.headers,
    text: text === undefined ? "" : contentOf(text),
    attachments: leaves.filter(isAttached).map(({ headers }) => ({
      filename: decodeURIComponent(parameter(headers.get("content-disposition"), "filename(?:\\*0\\*=utf-8''|\\*)?") ?? "").replace(
        /^utf-8''/iu,
        ""
      ),
      content_type: (headers.get("content-type") ?? "").split(";")[0] ?? ""
    }))
  }
}
