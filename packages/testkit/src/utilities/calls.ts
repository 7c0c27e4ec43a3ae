/** The utility tools, each called in every mode that has a price. */
import { pdfOfPdfLib } from "@svc/engines/documents/producers.fixture"
import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"

export type Mode = "standard" | "lite" | "engineer"

/** What an answer holds, whatever the tool. */
export type Answer = Readonly<Record<string, unknown>>

/** What calls speak of. */
export interface Given {
  readonly site: string
  readonly invoice: Buffer
  /** The invoice as a picture. */
  readonly picture: Buffer | undefined
  /** WAV: what the service itself has spoken, or silence. */
  sound: string
}

export interface UtilityCall {
  readonly tool: string
  readonly mode: Mode
  readonly what: string
  readonly args: (given: Given) => object
  /** What came, in a few words. */
  readonly told: (answer: Answer, given: Given) => string | Promise<string>
  /** What has to be among these words. */
  readonly holds: RegExp
  /** What does the work, where the answer does not name it. */
  readonly engine?: string
  /** Where it is another than the price of the mode. */
  readonly cents?: number
}

const MODES = ["standard", "lite", "engineer"] as const
const PLAIN = ["standard", "lite"] as const

const GHOSTSCRIPT = "/usr/bin/gs"

/** A tenth of a second. */
const silence = (): string => {
  const header = Buffer.from("RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x80\x3e\0\0\0\x7d\0\0\x02\0\x10\0data\0\0\0\0", "latin1")
  const samples = Buffer.alloc(3200)
  header.writeUInt32LE(36 + samples.length, 4)
  header.writeUInt32LE(samples.length, 40)
  return Buffer.concat([header, samples]).toString("base64")
}

export const givenWith = async (site: string): Promise<Given> => {
  const invoice = await pdfOfPdfLib()
  const picture = existsSync(GHOSTSCRIPT)
    ? spawnSync(GHOSTSCRIPT, ["-q", "-sDEVICE=pnggray", "-r150", "-dLastPage=1", "-o", "-", "-"], { input: invoice }).stdout
    : undefined
  return { site, invoice, picture, sound: silence() }
}

const textOf = (value: unknown): string => typeof value === "string" ? value : JSON.stringify(value)
const listOf = (value: unknown): ReadonlyArray<unknown> => Array.isArray(value) ? value : []

const pages: ReadonlyArray<UtilityCall> = [
  ...PLAIN.map((mode) => ({
    tool: "svc_web_research",
    mode,
    what: "a page",
    args: ({ site }: Given) => ({ url: `${site}/` }),
    told: ({ markdown, title }: Answer) => `"${textOf(title)}", ${textOf(markdown).length} characters of Markdown`,
    holds: /^"Refunds", \d{3}/u
  })),
  ...PLAIN.map((mode) => ({
    tool: "svc_web_research_crawl",
    mode,
    what: "a site",
    args: ({ site }: Given) => ({ url: `${site}/`, limit: 3 }),
    told: ({ page_count }: Answer) => `${textOf(page_count)} pages, of the month's free 100`,
    holds: /^3 pages/u,
    cents: 0
  }))
]

const FILES = "files of this machine"
const OBJECT = "Kept by svc_object_storage."
const key = "evidence/note.txt"

const objects: ReadonlyArray<UtilityCall> = [
  {
    tool: "svc_object_storage",
    mode: "standard",
    what: "put",
    args: () => ({ operation: "put", key }),
    told: async ({ url }) => `the URL takes ${OBJECT.length} bytes: ${(await fetch(textOf(url), { method: "PUT", body: OBJECT })).status}`,
    holds: /200$/u,
    engine: FILES
  },
  {
    tool: "svc_object_storage",
    mode: "lite",
    what: "get",
    args: () => ({ operation: "get", key }),
    told: async ({ url }) => `the URL gives "${await (await fetch(textOf(url))).text()}"`,
    holds: /"Kept by svc_object_storage\."/u,
    engine: FILES
  },
  {
    tool: "svc_object_storage",
    mode: "engineer",
    what: "list",
    args: () => ({ operation: "list" }),
    told: ({ objects }) => listOf(objects).map((object) => textOf((object as Answer)["key"])).join(", "),
    holds: /^evidence\/note\.txt$/u,
    engine: FILES
  }
]

const mails: ReadonlyArray<UtilityCall> = [
  ...PLAIN.map((mode) => ({
    tool: "svc_transactional_email",
    mode,
    what: "a mail",
    args: () => ({ to: "ada@example.com", subject: "Your receipt", body_text: "Paid. Thank you." }),
    told: ({ delivered_to, status }: Answer) => `${textOf(status)} to ${listOf(delivered_to).join(", ")}`,
    holds: /^sent to ada@example\.com$/u,
    engine: "the outbox of a sandbox account"
  })),
  {
    tool: "svc_transactional_email",
    mode: "engineer",
    what: "records of a domain",
    args: () => ({ domain: "acme.example" }),
    told: (answer) => ["spf1", "DKIM1", "DMARC1"].filter((version) => textOf(answer).includes(version)).join(", "),
    holds: /^spf1, DKIM1, DMARC1$/u,
    engine: "node:crypto"
  }
]

const models: ReadonlyArray<UtilityCall> = [
  ...MODES.map((mode) => ({
    tool: "svc_embeddings",
    mode,
    what: mode === "engineer" ? "two texts, what they share taken out" : "two texts",
    args: () => ({ input: ["a red bicycle", "a blue car"], ...(mode === "engineer" ? { corpus_adapter: ["a thing"] } : {}) }),
    told: ({ dimensions, semantic, vectors }: Answer) =>
      `${listOf(vectors).length} vectors of ${textOf(dimensions)}, ${semantic === true ? "" : "not "}semantic`,
    holds: /^2 vectors of \d/u
  })),
  ...MODES.map((mode) => ({
    tool: "svc_llm_inference",
    mode,
    what: mode === "engineer" ? "an answer that fits a schema" : "an answer",
    args: () =>
      mode === "engineer"
        ? { prompt: "{\\\"colour\\\":\\\"blue\\\"}", json_schema: { type: "object", required: ["colour"] } }
        : { prompt: "Blue." },
    told: ({ structured, text }: Answer) => structured === undefined ? textOf(text) : textOf((structured as Answer)["parsed"]),
    holds: mode === "engineer" ? /^\{"colour":"blue"\}$/u : /^Blue\.$/u
  }))
]

const code = {
  python: "print(6 * 7)",
  node: "console.log(6 * 7)",
  bash: "echo $((6 * 7))"
} as const

const runs: ReadonlyArray<UtilityCall> = MODES.flatMap((mode) =>
  (["node", "python", "bash"] as const).map((runtime) => ({
    tool: "svc_code_sandbox",
    mode,
    what: runtime,
    args: () => ({ runtime, code: code[runtime] }),
    told: ({ attestation, exit_code, stdout }: Answer) =>
      `${textOf(stdout).trim()}, exit code ${textOf(exit_code)}${attestation === undefined ? "" : ", signed"}`,
    holds: mode === "engineer" ? /^42, exit code 0, signed$/u : /^42, exit code 0$/u
  }))
)

const json_schema = { type: "object", properties: { total_due: { type: "number" } } }

const documents: ReadonlyArray<UtilityCall> = [
  ...MODES.map((mode) => ({
    tool: "svc_document_parsing",
    mode,
    what: mode === "engineer" ? "a PDF, with a schema" : "a PDF",
    args: ({ invoice }: Given) => ({ document_base64: invoice.toString("base64"), ...(mode === "engineer" ? { json_schema } : {}) }),
    told: ({ extracted, page_count, table_count }: Answer) =>
      `${textOf(page_count)} pages, ${textOf(table_count)} table${
        extracted === undefined ? "" : `, ${textOf((extracted as Answer)["parsed"])}`
      }`,
    holds: mode === "engineer" ? /"total_due":42/u : /^2 pages, 1 table/u
  })),
  {
    tool: "svc_document_parsing",
    mode: "engineer",
    what: "a picture of a page",
    args: ({ picture }) => ({ document_base64: picture?.toString("base64") ?? "" }),
    told: ({ ocr_text }) => textOf(ocr_text).split("\n", 1).join(""),
    holds: /Invoice 17/u
  }
]

const SENTENCE = "Your payment has arrived. Thank you."

const speech: ReadonlyArray<UtilityCall> = [
  ...([["standard", "wav"], ["lite", "mp3"], ["standard", "opus"], ["engineer", "wav"]] as const).map(([mode, format]) => ({
    tool: "svc_text_to_speech",
    mode,
    what: format,
    args: () => ({ text: SENTENCE, format, ...(mode === "engineer" ? { brand_text: "We are calm. We explain. We never shout." } : {}) }),
    told: ({ audio_base64, byte_size, duration_seconds, voice_profile }: Answer, given: Given) => {
      if (format === "wav" && mode === "standard") given.sound = textOf(audio_base64)
      const profile = voice_profile === undefined ? "" : `, ${textOf((voice_profile as Answer)["rate"])} words a minute`
      return `${textOf(duration_seconds)} s, ${textOf(byte_size)} bytes${profile}`
    },
    holds: mode === "engineer" ? /^[1-9].* s, \d+ bytes, \d+ words/u : /^[1-9].* s, \d+ bytes$/u
  })),
  ...MODES.map((mode) => ({
    tool: "svc_speech_to_text",
    mode,
    what: "wav",
    args: ({ sound }: Given) => ({ audio_base64: sound }),
    told: ({ segments, text }: Answer) =>
      `"${textOf(text)}"${mode === "engineer" ? `, ${textOf((listOf(segments)[0] as Answer | undefined)?.["speaker"] ?? null)}` : ""}`,
    holds: mode === "engineer" ? /^".+", \S*1/u : /^".+"$/u
  }))
]

const RANKING = "BM25 in the service"

const searches: ReadonlyArray<UtilityCall> = [
  {
    tool: "svc_web_search",
    mode: "standard",
    what: "index",
    args: () => ({
      operation: "index",
      namespace: "evidence",
      document: { doc_id: "refunds", url: "https://example.com/refunds", title: "Refunds", content: "Refunds arrive within five days." }
    }),
    told: ({ documents }) => `${textOf(documents)} document`,
    holds: /^1 document$/u,
    engine: RANKING,
    cents: 0
  },
  ...MODES.map((mode) => ({
    tool: "svc_web_search",
    mode,
    what: "search",
    args: () => ({ operation: "search", namespace: "evidence", query: "when do refunds arrive" }),
    told: ({ answer, hits }: Answer) => `${listOf(hits).length} hit${answer === undefined ? "" : `, "${textOf(answer)}"`}`,
    holds: mode === "engineer" ? /^1 hit, "Refunds arrive within five days\."$/u : /^1 hit$/u,
    engine: RANKING
  }))
]

export const callsOf = ({ picture }: Given): ReadonlyArray<UtilityCall> =>
  [...pages, ...objects, ...mails, ...models, ...runs, ...documents, ...speech, ...searches].filter(({ what }) =>
    what !== "a picture of a page" || picture !== undefined
  )
