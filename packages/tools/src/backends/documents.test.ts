/** Reading documents at a real door: what a call answers, what it costs, and what it refuses for nothing. */
import { assert, describe, layer } from "@effect/vitest"
import { newerNode } from "@svc/confined/newer-node"
import { docxOfDocx, pdfOfPdfKit, pdfOfPdfLib, scannedPdf, spreadsheetOfSheetJs, WHITE_PNG } from "@svc/engines/documents/producers.fixture"
import { ocrPackages } from "@svc/engines/fetched/groups"
import { grantCredits, layerWith, openCaller } from "@svc/testkit/agents/service"
import { BUBBLEWRAP_MISSING, bubblewrapPath } from "@svc/testkit/bubblewrap"
import { NEWER_NODE_MISSING, newerNodePath } from "@svc/testkit/confined/newer-node"
import { send } from "@svc/testkit/contract/service"
import { fetchedFolder, missing } from "@svc/testkit/fetched"
import { Effect, Schema } from "effect"
import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"

const Answer = Schema.Struct({ result: Schema.Struct({ structuredContent: Schema.Record(Schema.String, Schema.Json) }) })
const decode = Schema.decodeEffect(Schema.fromJsonString(Answer))

/** What a call answers, and what it cost in cents. */
const call = Effect.fnUntraced(function*(key: string, args: object, mode = "standard") {
  const params = { name: "svc_document_parsing", arguments: args }
  const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params }
  const answer = yield* send("POST", "/mcp", { key, headers: { "X-Agent-Mode": mode }, body })
  const { result } = yield* decode(answer.text)
  return { content: result.structuredContent, cents: Number(answer.headers["x-svc-request-cost"] ?? 0) }
})

const Chunk = Schema.Struct({ start: Schema.Int, end: Schema.Int, text: Schema.String, page: Schema.Int })
const decodeChunks = Schema.decodeUnknownEffect(Schema.Array(Chunk))

/** The address of these bytes. */
const served = (bytes: Uint8Array) =>
  Effect.acquireRelease(
    Effect.callback<Server>((resume) => {
      const server = createServer(({ url }, response) => response.writeHead(url === "/" ? 200 : 404).end(url === "/" ? bytes : ""))
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) => Effect.sync(() => void server.close())
  ).pipe(Effect.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`))

const newCaller = Effect.gen(function*() {
  const caller = yield* openCaller("Acme")
  yield* grantCredits(caller, 1_000)
  return caller.key
})

const base64 = (bytes: Uint8Array) => ({ document_base64: Buffer.from(bytes).toString("base64") })

const readsOn = (rung: string, environment: Readonly<Record<string, string>>) =>
  layer(layerWith(environment), { excludeTestServices: true, timeout: "60 seconds" })(rung, (it) => {
    it.effect("reads a document, and is paid for it", () =>
      Effect.gen(function*() {
        const key = yield* newCaller
        const bytes = yield* Effect.promise(() => pdfOfPdfKit())
        const { cents, content } = yield* call(key, base64(bytes))
        assert.deepInclude(content, {
          format_detected: "pdf",
          byte_size: bytes.length,
          page_count: 2,
          table_count: 1,
          truncated: false,
          untrusted: true
        })
        assert.include(String(content["markdown"]), "# Invoice 17")
        assert.match(String(content["engine"]), /^unpdf, (bubblewrap|Node\.js) \d/u)
        assert.notProperty(content, "chunks")
        const lite = yield* call(key, base64(yield* Effect.promise(docxOfDocx)), "lite")
        assert.deepInclude(lite.content, { format_detected: "docx" })
        assert.deepStrictEqual([cents, lite.cents], [2, 1])
      }))
  })

describe.skipIf(bubblewrapPath() === undefined)(bubblewrapPath() === undefined ? BUBBLEWRAP_MISSING : "reading documents", () => {
  readsOn("within bubblewrap", { CONFINED: "bubblewrap" })

  layer(layerWith({ CONFINED: "bubblewrap", TOOLS_EGRESS_ALLOW: "127.0.0.1" }), { excludeTestServices: true, timeout: "60 seconds" })(
    "at a door",
    (it) => {
      it.effect("reads a document by its URL that is larger than a message may be", () =>
        Effect.gen(function*() {
          const document = Buffer.from("Zürich 12345\n".repeat(900_000))
          const { cents, content } = yield* call(yield* newCaller, { document_url: yield* served(document) })
          assert.isAbove(document.length, 8 * 1024 ** 2)
          assert.deepInclude(content, { format_detected: "text", byte_size: document.length, truncated: true })
          assert.strictEqual(cents, 2)
        }))

      it.effect("gives an engineer chunks, and what a schema asks for", () =>
        Effect.gen(function*() {
          const json_schema = {
            type: "object",
            properties: { total_due: { type: "string" }, iban: { type: "string" } },
            required: ["total_due", "iban"]
          }
          const args = { ...base64(yield* Effect.promise(() => pdfOfPdfLib())), json_schema }
          const { cents, content } = yield* call(yield* newCaller, args, "engineer")
          const start = String(content["markdown"]).indexOf("42.00 EUR")
          assert.deepStrictEqual(content["extracted"], {
            valid: false,
            parsed: { total_due: "42.00 EUR", iban: null },
            schema_errors: ["/iban must be string"],
            spans: { "/total_due": { start, end: start + "42.00 EUR".length } }
          })
          const chunks = yield* decodeChunks(content["chunks"])
          assert.deepStrictEqual(chunks.map(({ page }) => page), [1, 2])
          for (const { end, start, text } of chunks) assert.strictEqual(text, String(content["markdown"]).slice(start, end))
          assert.strictEqual(cents, 10)
        }))

      it.effect("charges nothing where nothing is found of what a schema asks for", () =>
        Effect.gen(function*() {
          const json_schema = { type: "object", properties: { iban: { type: "string" }, total_due: { type: "boolean" } } }
          const args = { ...base64(yield* Effect.promise(() => pdfOfPdfLib())), json_schema }
          const { cents, content } = yield* call(yield* newCaller, args, "engineer")
          assert.deepInclude(content["error"], { code: "nothing_extracted", retryable: false })
          assert.strictEqual(cents, 0)
        }))

      it.effect("refuses by name what is no document of its kind, and charges nothing", () =>
        Effect.gen(function*() {
          const key = yield* newCaller
          const encrypted = yield* Effect.promise(() => pdfOfPdfKit({ userPassword: "secret", pdfVersion: "1.7" }))
          const scanned = yield* Effect.promise(scannedPdf)
          const refusals = [
            ["document_encrypted", base64(encrypted)],
            ["document_empty", { document_base64: "ICA=" }],
            ["document_unknown", base64(spreadsheetOfSheetJs("xls"))],
            ["document_without_text", base64(scanned)],
            ["document_without_text", base64(WHITE_PNG)],
            ["unreadable", base64(Buffer.from("%PDF-1.7\n"))],
            ["invalid_request", { document_base64: "not base64!" }],
            ["invalid_url", { document_url: "http://10.0.0.1/a.pdf" }],
            ["fetch_failed", { document_url: `${yield* served(Buffer.from(""))}/missing` }],
            ["invalid_fields", { document_base64: "YQ==", json_schema: {} }]
          ] as const
          for (const [code, args] of refusals) {
            const { cents, content } = yield* call(key, args)
            assert.deepInclude(content["error"], { code }, JSON.stringify(content))
            assert.strictEqual(cents, 0)
          }
        }))
    }
  )
})

const hasOcr = bubblewrapPath() !== undefined && ["/usr/bin/tesseract", "/usr/bin/gs"].every((path) => existsSync(path))
const OCR_MISSING =
  "skipped: OCR is tested with bubblewrap, Tesseract and Ghostscript: apt-get install bubblewrap tesseract-ocr ghostscript"
/** The first page of a PDF. */
const picture = (pdf: Buffer): Buffer =>
  spawnSync("/usr/bin/gs", ["-q", "-sDEVICE=pnggray", "-r150", "-dLastPage=1", "-o", "-", "-"], { input: pdf }).stdout

describe.skipIf(!hasOcr)(hasOcr ? "a picture" : OCR_MISSING, () => {
  layer(layerWith({ CONFINED: "bubblewrap" }), { excludeTestServices: true, timeout: "60 seconds" })("of a page", (it) => {
    it.effect("gives its text to an engineer, and is billed only where it has some", () =>
      Effect.gen(function*() {
        const key = yield* newCaller
        const page = picture(yield* Effect.promise(() => pdfOfPdfKit()))
        const json_schema = { type: "object", properties: { total_due: { type: "number" } } }
        const { cents, content } = yield* call(key, { ...base64(page), json_schema }, "engineer")
        assert.deepInclude(content, { format_detected: "png", page_count: null, ocr_text: content["markdown"] })
        assert.include(String(content["ocr_text"]), "Total due: 42.00 EUR")
        assert.deepInclude(content["extracted"], { parsed: { total_due: 42 } })
        assert.match(String(content["engine"]), /^tesseract \d.*, bubblewrap \d/u)
        const blank = yield* call(key, base64(picture(yield* Effect.promise(scannedPdf))), "engineer")
        assert.deepInclude(blank.content["error"], { code: "document_without_text" })
        assert.deepStrictEqual([cents, blank.cents], [10, 0])
      }))
  })
})

const canMakePictures = existsSync("/usr/bin/gs")
const hasPackages = canMakePictures && await fetchedFolder(ocrPackages) !== undefined && await fetchedFolder(newerNode) !== undefined
const PACKAGES_MISSING = canMakePictures ? missing(ocrPackages) : OCR_MISSING

describe.skipIf(!hasPackages)(hasPackages ? "a picture without Debian's Tesseract" : PACKAGES_MISSING, () => {
  layer(layerWith({ CONFINED: "webassembly" }), { excludeTestServices: true, timeout: "60 seconds" })("of a page", (it) => {
    it.effect("gives its text to an engineer, and is billed only where it has some", () =>
      Effect.gen(function*() {
        const key = yield* newCaller
        const page = picture(yield* Effect.promise(() => pdfOfPdfKit()))
        const { cents, content } = yield* call(key, base64(page), "engineer")
        assert.deepInclude(content, { format_detected: "png", ocr_text: content["markdown"] })
        assert.include(String(content["ocr_text"]), "Total due: 42.00 EUR")
        assert.match(String(content["engine"]), /^tesseract\.js-core \d.*, Node\.js \d/u)
        const blank = yield* call(key, base64(picture(yield* Effect.promise(scannedPdf))), "engineer")
        assert.deepInclude(blank.content["error"], { code: "document_without_text" })
        const broken = yield* call(key, base64(page.subarray(0, 200)), "engineer")
        assert.deepInclude(broken.content["error"], { code: "unreadable" })
        assert.deepStrictEqual([cents, blank.cents, broken.cents], [10, 0, 0])
      }))
  })
})

const newerPath = newerNodePath()
describe.skipIf(newerPath === undefined)(newerPath === undefined ? NEWER_NODE_MISSING : "reading documents without bubblewrap", () => {
  readsOn("in a newer Node.js", { CONFINED: "webassembly", CONFINED_NODE: newerPath ?? "" })
})

layer(layerWith({ CONFINED: "none" }), { excludeTestServices: true, timeout: "60 seconds" })("without any wall", (it) => {
  it.effect("nothing is read, nothing is charged, and the answer says what would change that", () =>
    Effect.gen(function*() {
      const { cents, content } = yield* call(yield* newCaller, { document_base64: "YQ==" })
      assert.deepInclude(content, { _not_configured: true, reason: "backend_absent", remediation: "Set CONFINED to best." })
      assert.strictEqual(cents, 0)
    }))
})
