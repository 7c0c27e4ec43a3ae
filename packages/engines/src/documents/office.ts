/** Word, PowerPoint and OpenDocument files, EPUB, RTF and HTML as Markdown. */
import { type OfficeContentNode, OfficeGenerator, OfficeParser, type OfficeParserAST } from "officeparser/slim"
import { MIB, type Read, Refusal } from "./document.ts"

type OfficeFormat = "docx" | "pptx" | "odt" | "odp" | "ods" | "epub" | "rtf" | "html"

const limits = { maxUncompressedBytes: 200 * MIB, maxZipEntries: 10_000 }
/** Nothing is fetched, and nothing within the document is opened but its text. */
const parserConfig = { extractAttachments: false, ocr: false, ignoreInternalLinks: true, decompressionLimits: limits }
const markdownConfig = {
  generateIds: false,
  ignoreInternalLinks: true,
  includeImages: "none",
  fallbackToHtml: false,
  mdConfig: { dialect: "github", fallbackToHtml: false }
} as const

const refusalOf = (error: unknown): Refusal => {
  const message = error instanceof Error ? error.message : ""
  if (/password|encrypt/iu.test(message)) return new Refusal("encrypted", "The document is protected by a password. Save it without one.")
  if (/limit exceeded/iu.test(message)) return new Refusal("too_large", "The document grows beyond the limits when it is opened. Split it.")
  if (/nest/iu.test(message)) return new Refusal("too_large", "The document's elements are nested too deep to be read. Save it anew.")
  return new Refusal("damaged", "The document cannot be read as what it says it is. Save it anew, and send it again, whole.")
}

const isPart = ({ type }: OfficeContentNode): boolean => type === "slide" || type === "sheet"

/** Sheets have names, and these stand in no cell. */
const nameOf = ({ metadata }: OfficeContentNode): string =>
  metadata !== undefined && "sheetName" in metadata ? `## ${metadata.sheetName}\n\n` : ""

/** Without the rule that divides slides and sheets. */
const markdownOf = async (document: OfficeParserAST, content: Array<OfficeContentNode>): Promise<string> =>
  (await OfficeGenerator.generate({ ...document, content }, "md", markdownConfig)).value.replace(/^---\n+/u, "").trim()

export const readOffice = async (bytes: Buffer, format: OfficeFormat): Promise<Read> => {
  try {
    const parsed = await OfficeParser.parseOffice(bytes, { ...parserConfig, fileType: format })
    const document = { ...parsed, metadata: {} }
    const parts = parsed.content.filter(isPart)
    const pieces = parts.length === 0
      ? [await markdownOf(document, parsed.content)]
      : await Promise.all(parts.map(async (part) => nameOf(part) + await markdownOf(document, [part])))
    return { pieces, pages: parts.some(({ type }) => type === "slide") ? parts.length : null }
  } catch (error) {
    throw refusalOf(error)
  }
}
