/** Pages and documents read behind the wall, beside the same packages in this process. */
import { makeDocumentReader } from "@svc/engines/documents/reader"
import { makePageChild } from "@svc/engines/web/page-child"
import { engine as readPage, type PageOptions } from "@svc/engines/web/page-engine"
import { Duration, Effect } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { buffer } from "node:stream/consumers"
import PdfKit from "pdfkit"
import { extractText, getDocumentProxy } from "unpdf"
import { median } from "../load/histogram.ts"
import { ROOT } from "../processes.ts"
import { atLeast, atMost, figure, type Row, spread } from "../report.ts"
import { Stage } from "../stage.ts"

const ACCOUNT = "acct_bench"
/** Bytes of HTML that a page of the web has, less than most: those of the test are written short. */
const PAGE_BYTES = 60_000
export const PAGES = 100

const OPTIONS: PageOptions = {
  kind: "page",
  url: "https://example.com/",
  content_type: "text/html; charset=utf-8",
  only_main_content: true,
  most: 512 * 1024
}

const millis = <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.map(Effect.timed(work), ([duration]) => Duration.toMillis(duration))

/** With what stands in its body repeated until it has so many bytes. */
const grown = (html: string, bytes: number): string => {
  const [, head = "", body = "", end = ""] = /^(.*?<body[^>]*>|)(.*?)(<\/body>.*|)$/isu.exec(html) ?? []
  return head + body.repeat(Math.max(1, Math.ceil(bytes / body.length))) + end
}

const pagesOf = (bytes: number): ReadonlyArray<Uint8Array> => {
  const folder = join(ROOT, "packages/engines/src/web/pages")
  const names = readdirSync(folder).filter((name) => name.endsWith(".html"))
  return names.map((name) => Buffer.from(grown(readFileSync(join(folder, name), "utf8"), bytes)))
}

/** One after the other, all thirty in turn: children end after a hundred pages, so their starts are counted. */
const rounds = Effect.fnUntraced(function*(html: ReadonlyArray<Uint8Array>, count: number) {
  const child = yield* makePageChild
  const inProcess = Effect.forEach(html, (page) => Effect.sync(() => readPage(page, { ...OPTIONS })), { discard: true })
  const confined = Effect.forEach(html, (page) => child.readPage(ACCOUNT, page, OPTIONS), { discard: true })
  const times = { inProcess: new Array<number>(), confined: new Array<number>() }
  for (let n = -2; n < count; n++) {
    const [without, within] = [yield* millis(inProcess), yield* millis(confined)]
    if (n < 0) continue
    times.inProcess.push(without)
    times.confined.push(within)
  }
  const sum = (values: ReadonlyArray<number>) => values.reduce((all, value) => all + value, 0)
  return {
    ratio: sum(times.inProcess) / sum(times.confined),
    each: `${figure(sum(times.confined) / count / html.length)} over ${figure(sum(times.inProcess) / count / html.length)} ms a page`
  }
})

export const pages = Effect.gen(function*() {
  const { plan } = yield* Stage
  const web = yield* rounds(pagesOf(PAGE_BYTES), plan.quick ? 7 : 14)
  const short = yield* rounds(pagesOf(0), plan.quick ? 10 : 40)
  return [
    atLeast(
      `pages of ${PAGE_BYTES / 1000} kB to Markdown behind the wall, over the same packages in process, by rate`,
      web.ratio,
      0.5,
      `${figure(web.ratio)} (${web.each})`
    ),
    { measure: "the same with pages of 1.4 kB, which cost little beside the wall", value: `${figure(short.ratio)} (${short.each})` }
  ] satisfies ReadonlyArray<Row>
})

export const pdfOf = (pages: number): Promise<Buffer> => {
  const pdf = new PdfKit({ autoFirstPage: false })
  for (let page = 1; page <= pages; page++) {
    pdf.addPage().fontSize(18).text(`Chapter ${page}`).fontSize(11)
    for (let line = 1; line <= 40; line++) pdf.text(`Line ${line}: a refund goes back to the card that paid, within five days.`)
  }
  pdf.end()
  return buffer(pdf)
}

const RUNS = 12

/** Ours has Markdown, lines and tables beyond the bare text. */
export const document = Effect.gen(function*() {
  const reader = yield* makeDocumentReader
  const pdf = yield* Effect.promise(() => pdfOf(PAGES))
  const alone = Effect.promise(async () => {
    const proxy = await getDocumentProxy(new Uint8Array(pdf))
    await extractText(proxy)
    await proxy.loadingTask.destroy()
  })
  const confined = reader.read({ account: ACCOUNT, bytes: pdf, mediaType: "application/pdf", chunks: false, jsonSchema: undefined })
  const times = { alone: new Array<number>(), confined: new Array<number>() }
  for (let n = -4; n < RUNS; n++) {
    const [without, within] = [yield* millis(alone), yield* millis(confined)]
    if (n < 0) continue
    times.alone.push(without)
    times.confined.push(within)
  }
  const shown = (values: ReadonlyArray<number>) => spread(values, median(values), "ms")
  const ratio = median(times.confined) / median(times.alone)
  return [
    { measure: `a PDF of ${PAGES} pages, its text by unpdf alone`, value: shown(times.alone) },
    atMost(`the same PDF as Markdown behind the wall, over unpdf alone`, ratio, 1.5, `${figure(ratio)} (${shown(times.confined)})`)
  ] satisfies ReadonlyArray<Row>
})
