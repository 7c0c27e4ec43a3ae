/**
 * A thread that prints what it is sent, one invoice after another. It imports little, so that it starts fast, and keeps the fonts that it
 * has read.
 */
import { setPriority } from "node:os"
import { parentPort } from "node:worker_threads"
import type { FontFolders } from "./font-groups.ts"
import { type PrintedPdf, renderPdf } from "./render.ts"
import type { PrintedView } from "./view.ts"

/** What the thread is sent. */
export interface PrintRequest {
  readonly view: PrintedView
  /** The fonts that were fetched. */
  readonly fonts: FontFolders
}

/** What the thread answers: the document, or why there is none. */
export type Printed = PrintedPdf | { readonly error: string }

// On Linux a priority belongs to a thread: where processors are few, requests go first. Elsewhere it would slow down the whole process.
if (process.platform === "linux") setPriority(0, 10)

const answerTo = async ({ fonts, view }: PrintRequest): Promise<Printed> => {
  try {
    return await renderPdf(view, fonts)
  } catch (error) {
    return { error: error instanceof Error ? error.stack ?? error.message : String(error) }
  }
}

parentPort?.on("message", (request: PrintRequest) => void answerTo(request).then((answer) => parentPort?.postMessage(answer, [])))
