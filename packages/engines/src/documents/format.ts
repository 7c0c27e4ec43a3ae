/** Finds what a document is, by its content first, and by its media type where text could be several things. */
import { fileTypeFromBuffer } from "file-type"
import { checkArchive } from "./archive.ts"
import { type Format, imageTypes, Refusal } from "./document.ts"
import { decodeText } from "./text.ts"

/** A document, an image of one, or text with its format. */
export type Detected =
  | { readonly format: Exclude<Format, TextFormat> }
  | { readonly format: "image"; readonly type: string }
  | { readonly format: TextFormat; readonly text: string }

const byExtension: Readonly<Record<string, Exclude<Format, TextFormat>>> = {
  pdf: "pdf",
  docx: "docx",
  docm: "docx",
  dotx: "docx",
  pptx: "pptx",
  pptm: "pptx",
  potx: "pptx",
  xlsx: "xlsx",
  xlsm: "xlsx",
  xltx: "xlsx",
  odt: "odt",
  odp: "odp",
  ods: "ods",
  epub: "epub",
  rtf: "rtf"
}

type TextFormat = "html" | "csv" | "json" | "markdown" | "text"

const byMediaType: ReadonlyMap<string, TextFormat> = new Map([
  ["text/html", "html"],
  ["application/xhtml+xml", "html"],
  ["text/csv", "csv"],
  ["text/tab-separated-values", "csv"],
  ["application/json", "json"],
  ["text/markdown", "markdown"],
  ["text/plain", "text"]
])

export const READABLE = "PDF, Word, PowerPoint, Excel and OpenDocument files, EPUB, RTF, HTML, CSV, JSON, Markdown and plain text"

const unknown = (what: string) => new Refusal("unknown", `${what} This tool reads ${READABLE}.`)

/** Office files with a password are wrapped in the container of the old binary formats (MS-OFFCRYPTO, section 2.3.4). */
const ENCRYPTED_STREAM = Buffer.from("EncryptedPackage", "utf16le")

/** The text behind the comments that it begins with. */
const behindComments = (text: string): string => {
  let rest = text.trimStart()
  while (rest.startsWith("<!--")) {
    const end = rest.indexOf("-->")
    if (end === -1) return ""
    rest = rest.slice(end + "-->".length).trimStart()
  }
  return rest
}

const textFormat = (text: string, type: string): TextFormat => {
  const named = byMediaType.get(type)
  if (named !== undefined && named !== "text") return named
  const start = behindComments(text.slice(0, 1000))
  if (/^<(?:!doctype html|html|head|body)\b/iu.test(start)) return "html"
  if (/^#{1,6} \S/mu.test(start)) return "markdown"
  return "text"
}

export const detect = async (bytes: Buffer, mediaType = ""): Promise<Detected> => {
  if (bytes.length === 0) throw new Refusal("empty", "The document has no bytes.")
  if (bytes.subarray(0, 2).toString("latin1") === "PK") await checkArchive(bytes)
  const [type = ""] = mediaType.toLowerCase().split(";", 1)
  const found = await fileTypeFromBuffer(bytes)
  const format = byExtension[found?.ext ?? ""]
  if (format !== undefined) return { format }
  if (found?.ext === "cfb") {
    throw bytes.includes(ENCRYPTED_STREAM)
      ? new Refusal("encrypted", "The document is protected by a password. Save it without one.")
      : unknown("This is a binary Office file from before 2007. Save it as .docx, .xlsx or .pptx.")
  }
  if (imageTypes.some((type) => type === found?.mime)) return { format: "image", type: found?.mime ?? "" }
  if (found !== undefined && found.ext !== "xml") throw unknown(`This is a file of type ${found.mime}.`)
  const text = decodeText(bytes, mediaType)
  if (text === undefined) throw unknown("The format of the document is unknown.")
  if (text.trim() === "") throw new Refusal("empty", "The document has no text.")
  return { format: textFormat(text, type.trim()), text }
}
