/** Documents, pages and archives with bytes changed, cut and repeated, each by its number. */
import * as produced from "@svc/engines/documents/producers.fixture"
import { zipSync } from "fflate"
import { readFileSync } from "node:fs"
import { type Chance, makeChance } from "../simulation/chance.ts"

const PAGES = new URL("../../../engines/src/web/pages/", import.meta.url)

/** What is changed: as other people's programs wrote it. */
export const originals = async (): Promise<ReadonlyArray<readonly [name: string, bytes: Buffer]>> => {
  const documents = [
    ["PDF of pdf-lib", await produced.pdfOfPdfLib()],
    ["PDF of PDFKit", await produced.pdfOfPdfKit()],
    ["docx", await produced.docxOfDocx()],
    ["pptx", await produced.pptxOfPptxGen()],
    ["xlsx", produced.spreadsheetOfSheetJs("xlsx")],
    ["ods", produced.spreadsheetOfSheetJs("ods")],
    ["odt", produced.odtByHand()],
    ["odp", produced.odpByHand()],
    ["rtf", Buffer.from("{\\rtf1\\ansi{\\b Invoice 17}\\par\\trowd\\cellx100 Hat\\cell\\row}")],
    ["page", readFileSync(new URL("data-table.html", PAGES))],
    ["picture", produced.WHITE_PNG]
  ] as const
  const archive = Buffer.from(zipSync(Object.fromEntries(documents.map(([name, bytes]) => [name, bytes]))))
  return [...documents, ["archive", archive]]
}

const replaced = (bytes: Buffer, { between }: Chance): Buffer => {
  const copy = Buffer.from(bytes)
  const changes = between(1, 20)
  for (let change = 0; change < changes; change++) copy[between(0, copy.length - 1)] = between(0, 255)
  return copy
}

const spliced = (bytes: Buffer, { between }: Chance): Buffer => {
  const [from, to] = [between(0, bytes.length), between(0, bytes.length)]
  return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)])
}

/** The mutation of this number: the same for the same seed. */
export const mutatedOf = (all: Awaited<ReturnType<typeof originals>>, seed: string, number: number) => {
  const chance = makeChance(`${seed}-${number}`)
  const [name, bytes] = chance.pick(all)
  const [, other] = chance.pick(all)
  const ways = [
    replaced,
    replaced,
    spliced,
    () => bytes.subarray(0, chance.between(0, bytes.length)),
    () => Buffer.concat([bytes.subarray(0, chance.between(0, bytes.length)), other.subarray(chance.between(0, other.length))])
  ]
  return { name: `${name}, mutation ${number}`, bytes: chance.pick(ways)(bytes, chance) }
}
