/** The pages of the desk that are written by hand, over the whole service: what they say, and what people do there. */
import { assert, layer } from "@effect/vitest"
import { ClockWorker } from "@svc/kernel/clocks/worker"
import { listen } from "@svc/server/listener"
import * as routes from "@svc/server/routes"
import * as tools from "@svc/server/tools"
import { Context, Effect, Layer } from "effect"
import { HttpServer } from "effect/http"
import { randomUUID } from "node:crypto"
import { issueAgent } from "../agents/service.ts"
import { field } from "../clients/conformance/parts.ts"
import { itemsOf, jsonOf, layerLog, layerService, must, openMerchant, send, Service } from "../contract/service.ts"
import { makeWire, type Wire } from "../contract/wire.ts"
import { servicesWith } from "../services.ts"
import { formHeaders, sendForm, type SignedIn, signedIn } from "./people.ts"

/** A connection to the tool server, beside the one to the payments API. */
class ToolServer extends Context.Service<ToolServer, Wire>()("@svc/testkit/desk/ToolServer") {}

const toolServer = Layer.effect(
  ToolServer,
  Effect.flatMap(HttpServer.HttpServer, ({ address }) => makeWire(Number(new URL(HttpServer.formatAddress(address)).port), 2))
).pipe(
  Layer.provide(listen(tools.layer, { port: 0, host: "127.0.0.1", variable: "TOOLS_PORT" })),
  Layer.provide(tools.listening)
)

const world = layerService.pipe(
  Layer.provideMerge(listen(routes.layer, { port: 0, host: "127.0.0.1", variable: "API_PORT" })),
  Layer.provideMerge(toolServer),
  Layer.provideMerge(ClockWorker.layer),
  Layer.provideMerge(servicesWith()),
  Layer.provideMerge(layerLog)
)

const open = Effect.gen(function*() {
  const merchant = yield* openMerchant("Nordlicht Keramik")
  const person = yield* signedIn(merchant.id, "owner")
  const post = (path: string, body: object = {}) =>
    must("POST", path, { key: merchant.key, body: { ...body, idempotency_key: randomUUID() } })
  const pay = Effect.fnUntraced(function*(token = "tok_visa") {
    const { id } = yield* post("/v1/payment_intents", { amount: 1999, currency: "EUR", metadata: { order: "<b>6735</b>" } })
    const paid = yield* send("POST", `/v1/payment_intents/${String(id)}/authorize`, {
      key: merchant.key,
      body: { payment_method_id: token, capture: true, idempotency_key: randomUUID() }
    })
    return jsonOf(paid)
  })
  return { ...merchant, person, post, pay }
})

/** A page as the person sees it: its text without its tags and with its entities as they read. */
const look = Effect.fnUntraced(function*({ cookie }: SignedIn, path: string, status = 200) {
  const { text, ...answer } = yield* send("GET", path, { headers: { cookie } })
  assert.strictEqual(answer.status, status, text)
  return text
})

const textOf = (page: string): string =>
  page.replace(/<(style|script)[^>]*>.*?<\/\1>/gsu, "").replace(/<[^>]+>/gu, " ").replace(/&#39;/gu, "'").replace(/\s+/gu, " ")

/** The value of a hidden input. */
const hiddenIn = (page: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`, "u").exec(page)?.[1] ?? assert.fail(`no input ${name}`)

const submit = (person: SignedIn, path: string, fields: Readonly<Record<string, string>>) =>
  sendForm(path, formHeaders(person), new URLSearchParams({ token: person.token, ...fields }).toString())

interface Upload {
  readonly name: string
  readonly type: string
  readonly bytes: Buffer
}

/** A form with files, as browsers send it. */
const submitFiles = (person: SignedIn) =>
  Effect.fnUntraced(function*(
    path: string,
    fields: Readonly<Record<string, string>>,
    input: string,
    files: ReadonlyArray<Upload>
  ) {
    const boundary = `----desk${randomUUID()}`
    const part = (head: string, body: Buffer) =>
      Buffer.concat([Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; ${head}\r\n\r\n`), body, Buffer.from("\r\n")])
    const body = Buffer.concat([
      ...Object.entries({ token: person.token, ...fields }).map(([name, value]) => part(`name="${name}"`, Buffer.from(value))),
      ...files.map(({ bytes, name, type }) => part(`name="${input}"; filename="${name}"\r\ncontent-type: ${type}`, bytes)),
      Buffer.from(`--${boundary}--\r\n`)
    ])
    const headers = { ...formHeaders(person), "content-type": `multipart/form-data; boundary=${boundary}` }
    return yield* Effect.orDie((yield* Service).send({ method: "POST", target: path, headers: Object.entries(headers), body }))
  })

const PDF = Buffer.from("%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n")

layer(world, { excludeTestServices: true, timeout: "120 seconds" })("pages of the desk", (it) => {
  it.effect("a declined payment says why and what to do; a captured one what happened, and the books of it", () =>
    Effect.gen(function*() {
      const { key, pay, person } = yield* open
      const { data } = yield* must("GET", "/v1/payment_intents", { key })
      assert.deepStrictEqual(data, [])
      yield* pay("tok_insufficient_funds")
      const [declined] = itemsOf(yield* must("GET", "/v1/payment_intents", { key }))
      const page = textOf(yield* look(person, `/desk/payments/${String(field(declined, "id"))}`))
      for (const says of ["The payment was declined", "insufficient_funds", "There is not enough money", "Ask for another card", "Score"]) {
        assert.include(page, says)
      }
      const { id } = yield* pay()
      yield* must("POST", `/v1/payment_intents/${String(id)}/refund`, { key, body: { amount: 500, idempotency_key: randomUUID() } })
      const markup = yield* look(person, `/desk/payments/${String(id)}`)
      const captured = textOf(markup)
      const order = ["Created", "Tried with card_a: Approved", "Captured", "Refund: Succeeded"].map((title) =>
        captured.indexOf(title, captured.indexOf("Timeline"))
      )
      assert.deepStrictEqual(order, order.toSorted((one, other) => one - other), captured)
      assert.notInclude(order, -1)
      for (const says of ["Ledger entries", "Available", "Pending", "Reserved", "Payment refunded"]) assert.include(captured, says)
      assert.include(markup, "&lt;b&gt;6735&lt;/b&gt;")
      assert.include(markup, `/desk/payments/${String(id)}/do/refund`)
      yield* look(person, "/desk/payments/pi_none", 404)
    }))

  it.effect("a refund is given by its form, and the page shows it", () =>
    Effect.gen(function*() {
      const { key, pay, person } = yield* open
      const { id } = yield* pay()
      const path = `/desk/payments/${String(id)}`
      const form = yield* look(person, `${path}/do/refund`)
      const done = yield* submit(person, `${path}/do/refund`, {
        amount: "5.00",
        idempotency_key: hiddenIn(form, "idempotency_key"),
        version: hiddenIn(form, "version")
      })
      assert.strictEqual(done.status, 303, done.text)
      assert.include(yield* must("GET", `/v1/payment_intents/${String(id)}`, { key }), { refunded_amount: 500 })
      assert.include(textOf(yield* look(person, path)), "Refund: Succeeded")
      const viewer = yield* signedIn((yield* must("GET", "/v1/account", { key }))["id"] as string, "viewer")
      assert.notInclude(yield* look(viewer, path), "/do/refund")
    }))

  it.effect("a dispute is answered with texts and files, which are kept, and sent once", () =>
    Effect.gen(function*() {
      const { key, pay, person, post } = yield* open
      const { id: payment } = yield* pay()
      const { id } = yield* post("/v1/disputes/simulate", { payment_intent_id: payment, reason: "13.1" })
      const path = `/desk/disputes/${String(id)}`
      const page = yield* look(person, path)
      for (const says of ["Answer by", "did not get what they paid for", "Show delivery", "Held while it is open"]) {
        assert.include(textOf(page), says)
      }
      const fields = { idempotency_key: hiddenIn(page, "idempotency_key"), version: hiddenIn(page, "version") }
      const files = [{ name: "receipt.pdf", type: "application/pdf", bytes: PDF }]
      const texts = { ...fields, act: "evidence", shipping_documentation: "Carrier X, <script>alert(1)</script>" }
      const kept = yield* submitFiles(person)(`${path}/evidence`, texts, "files", files)
      assert.strictEqual(kept.status, 303, kept.text)
      const shown = yield* look(person, path)
      assert.include(shown, "Carrier X, &lt;script&gt;")
      const file = /\/desk\/dispute-files\/file_\w+/u.exec(shown)?.[0] ?? assert.fail(shown)
      const saved = yield* send("GET", file, { headers: { cookie: person.cookie } })
      assert.deepStrictEqual([saved.status, saved.headers["content-type"], saved.text], [200, "application/pdf", PDF.toString()])
      assert.match(String(saved.headers["content-disposition"]), /^attachment/u)

      // Another tab has the version from before.
      const stale = yield* submitFiles(person)(`${path}/evidence`, { ...texts, idempotency_key: randomUUID() }, "files", [])
      assert.strictEqual(stale.status, 409, stale.text)
      const wrong = yield* submitFiles(person)(
        `${path}/evidence`,
        { ...fields, idempotency_key: randomUUID(), version: hiddenIn(shown, "version") },
        "files",
        [{ name: "evil.html", type: "text/html", bytes: Buffer.from("<script>") }]
      )
      assert.isAtLeast(wrong.status, 400)
      assert.include(wrong.text, "evil.html")
      const huge = { name: "huge.pdf", type: "application/pdf", bytes: Buffer.alloc(33 * 1024 * 1024) }
      const tooLarge = yield* submitFiles(person)(`${path}/evidence`, { ...texts, idempotency_key: randomUUID() }, "files", [huge])
      assert.strictEqual(tooLarge.status, 413)
      const foreign = yield* submitFiles({ ...person, token: "another" })(`${path}/evidence`, texts, "files", files)
      assert.strictEqual(foreign.status, 403)

      const last = { idempotency_key: randomUUID(), version: hiddenIn(shown, "version"), act: "submit" }
      const sent = yield* submitFiles(person)(`${path}/evidence`, last, "files", [])
      assert.strictEqual(sent.status, 303, sent.text)
      const dispute = yield* must("GET", `/v1/disputes/${String(id)}`, { key })
      assert.strictEqual(dispute["status"], "under_review")
      assert.match(JSON.stringify(dispute["evidence"]), /Carrier X.*file_/u)
      const after = yield* look(person, path)
      assert.include(textOf(after), "The evidence was sent")
      assert.notInclude(after, `${path}/evidence`)
    }))

  it.effect("a dispute is accepted only by who says so", () =>
    Effect.gen(function*() {
      const { key, pay, person, post } = yield* open
      const { id: payment } = yield* pay()
      const { id } = yield* post("/v1/disputes/simulate", { payment_intent_id: payment })
      const path = `/desk/disputes/${String(id)}/accept`
      yield* submit(person, path, { idempotency_key: randomUUID() })
      assert.include(yield* must("GET", `/v1/disputes/${String(id)}`, { key }), { status: "open" })
      assert.strictEqual((yield* submit(person, path, { idempotency_key: randomUUID(), sure: "yes" })).status, 303)
      assert.include(yield* must("GET", `/v1/disputes/${String(id)}`, { key }), { status: "accepted" })
    }))

  it.effect("a statement is uploaded, its mismatches stand side by side, and are resolved with a note", () =>
    Effect.gen(function*() {
      const { pay, person } = yield* open
      const [one, other] = [yield* pay(), yield* pay()]
      const line = (payment: Readonly<Record<string, unknown>>, amount: number) =>
        `capture,${String(payment["provider_reference"])},${amount},EUR,${String(payment["updated_at"])}`
      const day = String(one["updated_at"]).slice(0, 10)
      const period = { source: "card_a", from: day, to: day }
      const broken = yield* submitFiles(person)("/desk/reconciliation", period, "file", [
        { name: "report.csv", type: "application/vnd.ms-excel", bytes: Buffer.from("type,amount\nnothing") }
      ])
      assert.strictEqual(broken.status, 400, broken.text)
      assert.include(textOf(broken.text), "Nothing was compared")
      const csv = [
        "type,provider_reference,amount,currency,occurred_at",
        line(one, 1990),
        line(other, 1999),
        "capture,nobody_knows,5,EUR," + day + "T00:00:01.000Z"
      ]
      const uploaded = yield* submitFiles(person)("/desk/reconciliation", period, "file", [
        { name: "report.csv", type: "text/csv", bytes: Buffer.from(csv.join("\n")) }
      ])
      assert.strictEqual(uploaded.status, 303, uploaded.text)
      const path = String(uploaded.headers["location"])
      assert.include(textOf(yield* look(person, "/desk/reconciliation")), "card_a")
      const page = yield* look(person, path)
      for (const says of ["Amounts differ", "Only the provider has it", "€19.99", "€19.90", "-€0.09", "Sums"]) {
        assert.include(textOf(page), says)
      }
      const narrow = textOf(yield* look(person, `${path}?type=amount`))
      assert.include(narrow, "Amounts differ · Capture")
      assert.notInclude(narrow, "Only the provider has it · Capture")

      const choice = /name="(m-rm_\w+)"/u.exec(yield* look(person, `${path}?type=amount`))?.[1] ?? assert.fail(page)
      const note = { resolution: "accept_internal", note: "The provider corrects its file." }
      const none = yield* submit(person, `${path}/resolve`, { ...note, which: "chosen" })
      assert.include(textOf(none.text), "Nothing was chosen")
      const done = yield* submit(person, `${path}/resolve`, { ...note, which: "chosen", [choice]: "yes", "asked-type": "amount" })
      assert.deepStrictEqual([done.status, done.headers["location"]], [303, `${path}?type=amount`], done.text)
      assert.include(textOf(yield* look(person, `${path}?status=resolved`)), "The provider corrects its file.")
      const rest = yield* submit(person, `${path}/resolve`, { resolution: "manual", note: "", which: "shown" })
      assert.strictEqual(rest.status, 303, rest.text)
      assert.include(textOf(yield* look(person, `${path}?status=open`)), "No mismatches here")
    }))

  it.effect("the test clock is given, goes to the next thing due and by a day, and shows what happened on the way", () =>
    Effect.gen(function*() {
      const { key, pay, person } = yield* open
      assert.include(textOf(yield* look(person, "/desk/test-clocks")), "lives by the world's time")
      assert.strictEqual((yield* submit(person, "/desk/test-clocks", {})).status, 303)
      yield* pay()
      const page = yield* look(person, "/desk/test-clocks")
      const id = hiddenIn(page, "id")
      const due = field(yield* must("GET", `/v1/test_clocks/${id}`, { key }), "next_due_at")
      const moved = yield* submit(person, "/desk/test-clocks/advance", { id, by: "next" })
      assert.strictEqual(moved.status, 303, moved.text)
      yield* must("POST", `/v1/test_clocks/${id}/cancel`, { key })
      const clock = yield* must("GET", `/v1/test_clocks/${id}`, { key })
      assert.strictEqual(clock["now"], due)
      const watched = textOf(yield* look(person, String(moved.headers["location"])))
      assert.include(watched, "What happened on the way")
      assert.include(watched, "Settlement: Processing")
      assert.notInclude(watched, "Payment intent: Captured")
      assert.strictEqual((yield* submit(person, "/desk/test-clocks/advance", { id, by: "day" })).status, 303)
      const back = yield* submit(person, "/desk/test-clocks/advance", { id, to: "2020-01-01T00:00" })
      assert.strictEqual(back.status, 400, back.text)
      assert.include(textOf(back.text), "The clock was not moved")
    }))

  it.effect("the books are verified and drawn, broken where they are, and exported", () =>
    Effect.gen(function*() {
      const { key, pay, person } = yield* open
      yield* pay()
      const page = yield* look(person, "/desk/ledger/verify")
      const { head_hash, last_sequence_id } = yield* must("GET", "/v1/ledger/verify", { key })
      assert.include(textOf(page), "The books hold")
      assert.include(page, String(head_hash))
      assert.include(textOf(page), `Entries 1–${String(last_sequence_id)}`)
      const exported = yield* send("GET", "/desk/ledger/export", { headers: { cookie: person.cookie } })
      const own = yield* send("GET", "/v1/ledger/export", { key })
      assert.strictEqual(exported.status, 200, exported.text)
      assert.include(String(exported.headers["content-disposition"]), ".ndjson")
      assert.strictEqual(exported.text.split("\n")[1], own.text.split("\n")[1])
    }))

  it.effect("a call that was paid by a 402 is drawn from the price to the receipt", () =>
    Effect.gen(function*() {
      const { id, key, person } = yield* open
      const agent = yield* issueAgent({ id }, {})
      const wire = yield* ToolServer
      const call = Effect.fnUntraced(function*(meta: object) {
        const body = [{ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "ping_payment", arguments: {}, ...meta } }]
        const headers = [["X-Svc-Key", agent.token], ["Content-Type", "application/json"], ["Accept", "application/json"]] as const
        const answer = yield* Effect.orDie(wire.send({ method: "POST", target: "/mcp", headers, body: Buffer.from(JSON.stringify(body)) }))
        return field(jsonOf({ text: answer.text.slice(1, -1) }), "result")
      })
      const challenges = field(yield* call({}), "_meta", "org.paymentauth/payment-required", "challenges")
      const challenge: unknown = Array.isArray(challenges) ? challenges.find((one) => field(one, "method") === "stripe") : undefined
      yield* call({ _meta: { "org.paymentauth/credential": { challenge, payload: { spt: "spt_test_1" } } } })
      const [made] = itemsOf(yield* must("GET", "/v1/tool_calls", { key }))
      const path = `/v1/tool_calls/${String(field(made, "id"))}`
      assert.deepInclude(yield* must("GET", path, { key }), {
        tool: "ping_payment",
        paid_by: "card",
        state: "settled",
        agent_key_id: agent.id
      })
      assert.strictEqual((yield* send("GET", path, { key: (yield* open).key })).status, 404)

      const usage = textOf(yield* look(person, "/desk/tool-calls"))
      for (const says of ["ping_payment", "$0.01", "Paid calls"]) assert.include(usage, says)
      const page = yield* look(person, `/desk/tool-calls/${String(field(made, "id"))}`)
      const text = textOf(page.slice(page.lastIndexOf("</svg>")))
      const steps = [
        "Calls ping_payment",
        "402: pay $0.01",
        "Accepts card, stablecoin",
        "pays: Card",
        "Runs the tool",
        "Takes $0.01",
        "Answers with result and receipt"
      ]
      const places = steps.map((says) => text.indexOf(says))
      assert.deepStrictEqual(places, places.toSorted((one, other) => one - other), text)
      assert.notInclude(places, -1, text)
      assert.include(page, "<svg")
      assert.include(page, agent.id)
    }))

  it.effect("speaks the language of the browser, until a person chooses another", () =>
    Effect.gen(function*() {
      const { pay, person } = yield* open
      const paid = yield* pay()
      const asked = Effect.fnUntraced(function*(path: string, language: string, cookie = "") {
        const { text } = yield* send("GET", path, { headers: { cookie: `${person.cookie}; ${cookie}`, "accept-language": language } })
        return text
      })
      const german = yield* asked(`/desk/payments/${String(paid["id"])}`, "de-AT,en;q=0.5")
      assert.include(german, "<html lang=\"de-AT\"")
      for (const says of ["Eingezogen", "Einträge im Hauptbuch", "19,99"]) assert.include(german, says)
      assert.include(yield* asked("/desk", "tlh, fr;q=0.9"), "Se déconnecter")
      const chosen = yield* submit(person, "/desk/you/language", { language: "ar" })
      const cookie = /desk-language=ar/u.exec(String(chosen.headers["set-cookie"]))?.[0] ?? assert.fail("no cookie")
      const arabic = yield* asked("/desk/payments", "de", cookie)
      assert.include(arabic, "<html lang=\"ar\" dir=\"rtl\"")
      assert.include(arabic, "الدفعات")
      assert.include(yield* asked("/desk", "en", "desk-language=%3Cscript%3E"), "Sign out")
      assert.isUndefined((yield* submit(person, "/desk/you/language", { language: "xx" })).headers["set-cookie"])
    }))
})
