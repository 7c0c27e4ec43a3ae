/** Uploads: bytes of a type that is read, whole, not too many of them, and one file however often they are sent. */
import { assert, layer } from "@effect/vitest"
import { MOST_BYTES } from "@svc/payments/files/model"
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { jsonOf, layer as service, must, openMerchant, send, Service, upload } from "./service.ts"

const FILES = "/v1/files?purpose=dispute_evidence"
const pdf = (text = "") => Buffer.from(`%PDF-1.7\n${text}\n%%EOF\n`)
const png = Buffer.concat([
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  Buffer.from("IHDR 4242 4242 4242 4242 \0 \xff IEND", "latin1")
])
const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 1, 2, 0xff, 0xd9])

const disputed = Effect.fnUntraced(function*(key: string) {
  const post = (target: string, body: object) => must("POST", target, { key, body: { ...body, idempotency_key: randomUUID() } })
  const { id } = yield* post("/v1/payment_intents", { amount: 4900, currency: "USD" })
  yield* post(`/v1/payment_intents/${String(id)}/authorize`, { payment_method_id: "tok_visa", capture: true })
  const { id: dispute } = yield* post("/v1/disputes/simulate", { payment_intent_id: id })
  return `/v1/disputes/${String(dispute)}`
})

layer(service, { excludeTestServices: true, timeout: "60 seconds" })("an upload", (it) => {
  it.effect("comes back as it was sent, whatever its bytes look like, and is one file however often it is sent", () =>
    Effect.gen(function*() {
      const { key } = yield* openMerchant("uploads")
      const wire = yield* Service
      for (
        const [type, bytes] of [["application/pdf", pdf()], ["image/png", png], ["image/jpeg", jpeg], [
          "IMAGE/JPEG; q=1",
          Buffer.concat([jpeg, jpeg])
        ]] as const
      ) {
        const first = yield* upload(`${FILES}&filename=${encodeURIComponent("Quittung für Ana.pdf")}`, key, type, bytes)
        assert.strictEqual(first.status, 201, first.text)
        const file = jsonOf(first)
        assert.deepInclude(file, { size: bytes.length, purpose: "dispute_evidence", filename: "Quittung für Ana.pdf" })
        assert.strictEqual(jsonOf(yield* upload(FILES, key, type, bytes))["id"], file["id"])
        const content = yield* Effect.orDie(
          wire.send({ method: "GET", target: `/v1/files/${String(file["id"])}/content`, headers: [["Authorization", `Bearer ${key}`]] })
        )
        assert.deepStrictEqual([content.status, content.headers["content-type"]?.toLowerCase(), content.headers["content-length"]], [
          200,
          String(file["content_type"]),
          String(bytes.length)
        ])
        assert.include(content.headers["content-disposition"], "attachment")
      }
      assert.strictEqual((yield* must("GET", "/v1/files", { key }))["total"], 4)
    }))

  it.effect("is refused with what is wrong with it, and nothing is kept", () =>
    Effect.gen(function*() {
      const { key } = yield* openMerchant("uploads")
      const refused = Effect.fnUntraced(function*(type: string, bytes: Buffer, target = FILES) {
        const answer = yield* upload(target, key, type, bytes)
        const { code, error, message } = jsonOf(answer)
        return { status: answer.status, error, code, message: String(message) }
      })
      assert.deepInclude(yield* refused("image/png", pdf()), { status: 400, error: "validation_error", code: "body" })
      assert.include((yield* refused("image/png", pdf())).message, "does not begin as image/png")
      assert.include((yield* refused("application/pdf", Buffer.from("%PDF-1.7 cut"))).message, "Send the whole file")
      assert.include((yield* refused("application/pdf", Buffer.alloc(0))).message, "empty")
      const svg = yield* refused("image/svg+xml", Buffer.from("<svg/>"))
      assert.deepInclude(svg, { status: 415, error: "unsupported_media_type" })
      assert.match(svg.message, /^Content-Type: "image\/svg\+xml" is not read here\. Send application\/pdf, .* or image\/\w+\.$/)
      assert.deepInclude(yield* refused("application/pdf", pdf(), "/v1/files"), { status: 400, code: "purpose" })
      assert.deepInclude(yield* refused("application/pdf", pdf(), `${FILES}&filename=${encodeURIComponent("../etc/passwd")}`), {
        status: 400,
        code: "filename"
      })
      assert.deepInclude(yield* refused("application/pdf", pdf("x".repeat(MOST_BYTES))), { status: 413, error: "payload_too_large" })
      assert.include((yield* refused("application/pdf", pdf("x".repeat(MOST_BYTES)))).message, `${MOST_BYTES / 1024} KiB`)
      assert.strictEqual((yield* must("GET", "/v1/files", { key }))["total"], 0)
      // As large as it may be.
      assert.strictEqual((yield* upload(FILES, key, "application/pdf", pdf("x".repeat(MOST_BYTES - pdf().length)))).status, 201)
    }))

  it.effect("is evidence of its own merchant alone", () =>
    Effect.gen(function*() {
      const [{ key }, other] = [yield* openMerchant("uploads"), yield* openMerchant("somebody else")]
      const { id } = jsonOf(yield* upload(FILES, key, "application/pdf", pdf()))
      const { id: theirs } = jsonOf(yield* upload(FILES, other.key, "application/pdf", pdf()))
      assert.notStrictEqual(id, theirs)
      const dispute = yield* disputed(key)
      const answer = yield* send("POST", `${dispute}/evidence`, { key, body: { files: [theirs], idempotency_key: randomUUID() } })
      assert.deepStrictEqual([answer.status, jsonOf(answer)["code"]], [400, "files"], answer.text)
      const shown = yield* must("POST", `${dispute}/evidence`, { key, body: { files: [id], idempotency_key: randomUUID() } })
      assert.deepStrictEqual(shown["evidence"], { files: [id] })
      const submitted = yield* must("POST", `${dispute}/submit`, { key, body: { idempotency_key: randomUUID() } })
      assert.deepInclude(submitted, { status: "under_review", evidence: { files: [id] } })
      assert.strictEqual((yield* send("GET", `/v1/files/${String(theirs)}/content`, { key })).status, 404)
    }))
})
