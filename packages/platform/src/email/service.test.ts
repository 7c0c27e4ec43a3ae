import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import { assert, describe, it } from "@effect/vitest"
import { listen, rawServer } from "@svc/kernel/egress/receiver.fixture"
import { EmailAddress } from "@svc/kernel/values/email-address"
import { Effect, FileSystem, Layer, Logger, Redacted, Schema } from "effect"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SMTPServer } from "smtp-server"
import { readLetter } from "./letter.ts"
import { type EmailMessage, unknownDelivery } from "./model.ts"
import { findInOutbox, KEPT, listOutbox } from "./outbox.ts"
import { mailServer, type Script } from "./receiver.fixture.ts"
import { Email, layerNone, layerOutbox, layerSmtp } from "./service.ts"

const from = { name: "Acme Bücher", address: "billing@acme.example" }
const message = {
  to: ["ada@example.com"],
  subject: "Rechnung über 19,99 €",
  text: "Guten Tag,\n\n.eine Zeile mit Punkt und 日本語.\n",
  html: "<p>Guten Tag</p>",
  attachments: [{ filename: "Rechnung 1.pdf", content_type: "application/pdf", content: new Uint8Array([37, 80, 68, 70]) }]
} satisfies EmailMessage

const by = (url: string, log: Array<string> = []) =>
  Layer.merge(
    layerSmtp({ url: Redacted.make(url), from }, join(tmpdir(), "svc-no-outbox")),
    Logger.layer([Logger.make((entry) => void log.push(Logger.formatJson.log(entry)))])
  )
const send = (sent: EmailMessage) => Email.use((email) => email.send(sent))
const files = Layer.merge(NodeFileSystem.layer, NodePath.layer)

describe("email by a mail server", () => {
  it.live("reaches it whole: text, HTML, attachment, and whom it is for", () =>
    Effect.gen(function*() {
      const { taken, url } = yield* mailServer()
      const receipt = yield* send({ ...message, cc: ["grace@example.com"], bcc: ["mary@example.com"], reply_to: "shop@acme.example" }).pipe(
        Effect.provide(by(url))
      )
      const everybody = ["ada@example.com", "grace@example.com", "mary@example.com"]
      assert.deepStrictEqual([receipt.accepted, receipt.rejected], [everybody, []])
      assert.deepStrictEqual(taken.map(({ to, from: by }) => [by, to]), [["billing@acme.example", everybody]])
      const data = (taken[0]?.data ?? "").replaceAll("\r\n..", "\r\n.")
      const letter = readLetter(Buffer.from(data, "latin1"))
      assert.deepStrictEqual(
        ["from", "to", "cc", "bcc", "reply-to", "subject", "message-id", "auto-submitted"].map((name) => letter.headers.get(name)),
        [
          "Acme Bücher <billing@acme.example>",
          "ada@example.com",
          "grace@example.com",
          undefined,
          "shop@acme.example",
          "Rechnung über 19,99 €",
          receipt.message_id,
          "auto-generated"
        ]
      )
      assert.strictEqual(letter.text, message.text.trimEnd())
      assert.deepStrictEqual(letter.attachments, [{ filename: "Rechnung 1.pdf", content_type: "application/pdf" }])
      assert.include(data, Buffer.from("%PDF").toString("base64"))
    }).pipe(Effect.scoped))

  it.effect("does not get what a sandbox sends: that lies in the outbox", () =>
    Effect.gen(function*() {
      const { taken, url } = yield* mailServer()
      const folder = yield* Effect.flatMap(FileSystem.FileSystem, (fs) => fs.makeTempDirectoryScoped())
      const layer = layerSmtp({ url: Redacted.make(url), from }, folder)
      yield* Effect.provide(send({ ...message, rehearsal: true }), layer)
      assert.strictEqual(taken.length, 0)
      assert.deepStrictEqual((yield* listOutbox(folder)).map(({ headers }) => headers.get("to")), ["ada@example.com"])
      yield* Effect.provide(send(message), layer)
      assert.deepStrictEqual([taken.length, (yield* listOutbox(folder)).length], [1, 1])
    }).pipe(Effect.scoped, Effect.provide(files)))

  it.live("has the same Message-ID when it is sent again under its name, and another under another", () =>
    Effect.gen(function*() {
      const { taken, url } = yield* mailServer()
      const ids = yield* Effect.forEach(["one", "one", "two", undefined, undefined], (id) =>
        Effect.map(send({ ...message, ...(id === undefined ? {} : { id }) }), ({ message_id }) => message_id)).pipe(Effect.provide(by(url)))
      assert.deepStrictEqual([ids[0] === ids[1], new Set(ids).size, taken.length], [true, 4, 5])
    }).pipe(Effect.scoped))

  it.live.each<readonly [string, Script, string, RegExp]>([
    ["nobody of that name", { "RCPT TO": "550 5.1.1 no such user" }, "EmailRefused", /^to: .*ada@example\.com: 550 5\.1\.1 no such user/],
    ["a full mailbox", { "RCPT TO": "452 4.2.2 mailbox full" }, "EmailUnavailable", /452 4\.2\.2 mailbox full/],
    ["an email that is refused", { end: "554 5.7.1 looks like spam" }, "EmailRefused", /554 5\.7\.1 looks like spam/],
    ["an email that is put off", { end: "451 4.7.1 come back later" }, "EmailUnavailable", /451 4\.7\.1 come back later/],
    ["a sender that is refused", { "MAIL FROM": "553 5.7.1 not yours" }, "EmailUnavailable", /EMAIL_FROM: 553 5\.7\.1 not yours/],
    ["a server that is busy", { EHLO: "421 4.3.2 busy", HELO: "421 4.3.2 busy" }, "EmailUnavailable", /./]
  ])("%s", ([, script, tag, says]) =>
    Effect.gen(function*() {
      const { taken, url } = yield* mailServer(script)
      const refused = yield* Effect.flip(send(message).pipe(Effect.provide(by(url))))
      assert.strictEqual(refused._tag, tag)
      assert.match(refused.message, says)
      assert.strictEqual(taken.length, 0)
    }).pipe(Effect.scoped))

  it.live("a reply that is lost leaves open whether it was sent, and says as what", () =>
    Effect.gen(function*() {
      const seen: Array<string> = []
      const server = new SMTPServer({
        disabledCommands: ["AUTH", "STARTTLS"],
        onData: (stream) => {
          stream.on("data", (chunk: Buffer) => seen.push(chunk.toString()))
          stream.on("end", () => server.connections.forEach((connection) => connection.close()))
        }
      })
      const port = yield* listen(server.server)
      const lost = yield* Effect.flip(send({ ...message, id: "mine" }).pipe(Effect.provide(by(`smtp://127.0.0.1:${port}`))))
      const { headers } = readLetter(Buffer.from(seen.join(""), "latin1"))
      assert.deepStrictEqual(unknownDelivery(lost), { from: from.address, message_id: headers.get("message-id") })
      const early = yield* rawServer((socket) => {
        socket.on("data", () => socket.destroy()).write("220 mail.test\r\n")
      })
      assert.isUndefined(unknownDelivery(yield* Effect.flip(send(message).pipe(Effect.provide(by(`smtp://127.0.0.1:${early}`))))))
    }).pipe(Effect.scoped))

  it.live("one of two is refused: the other gets it, and the receipt says so", () =>
    Effect.gen(function*() {
      const { taken, url } = yield* mailServer({ "RCPT TO:<gone@": "550 5.1.1 no such user" })
      const receipt = yield* send({ ...message, to: ["ada@example.com", "gone@example.com"] }).pipe(Effect.provide(by(url)))
      assert.deepStrictEqual(receipt.accepted, ["ada@example.com"])
      assert.deepStrictEqual(receipt.rejected, [{ address: "gone@example.com", temporary: false, reason: "550 5.1.1 no such user" }])
      assert.deepStrictEqual(taken.map(({ to }) => to), [["ada@example.com"]])
    }).pipe(Effect.scoped))

  it.live("a password is never sent in the clear, and never told", () =>
    Effect.gen(function*() {
      const { commands, port } = yield* mailServer({ EHLO: "250-mail.test\r\n250 AUTH PLAIN LOGIN", AUTH: "235 ok", STARTTLS: "502 no" })
      const log: Array<string> = []
      const refused = yield* Effect.flip(send(message).pipe(Effect.provide(by(`smtp://ada:hunter2@127.0.0.1:${port}`, log))))
      assert.strictEqual(refused._tag, "EmailUnavailable")
      assert.match(refused.message, /no encrypted connection/)
      assert.isFalse(commands.some((command) => command.startsWith("AUTH")))
      assert.notInclude(`${refused.message}${log.join("")}`, "hunter2")
    }).pipe(Effect.scoped))

  it.live("a server that is not there is for now, and says nothing of the network", () =>
    Effect.gen(function*() {
      const log: Array<string> = []
      const refused = yield* Effect.flip(send(message).pipe(Effect.provide(by("smtp://127.0.0.1:9", log))))
      assert.deepStrictEqual([refused._tag, refused.details], ["EmailUnavailable", { retry_after: 60 }])
      assert.match(refused.message, /cannot be reached/)
      assert.notInclude(refused.message, "127.0.0.1")
      assert.deepStrictEqual(log, [])
    }))
})

const isAddress = Schema.is(EmailAddress)

describe("emails that cannot be", () => {
  it.live.each<readonly [string, Partial<EmailMessage>]>([
    ["to", { to: [] }],
    ["to", { to: ["ada@example.com\r\nBcc: eve@example.com"] }],
    ["to", { to: ["ada@example.com, eve@example.com"] }],
    ["to", { to: ["Ada <ada@example.com>"] }],
    ["to", { to: ["\"ada@evil.example, x\"@example.com"] }],
    ["to", { to: ["ada@localhost"] }],
    ["to", { to: ["ada@[127.0.0.1]"] }],
    ["to", { to: ["ada..b@example.com"] }],
    ["to", { to: ["-oQ/tmp@example.com "] }],
    ["to", { to: Array.from({ length: 51 }, (_, n) => `a${n}@example.com`) }],
    ["cc", { cc: ["ada@example.com", "nobody"] }],
    ["bcc", { bcc: ["ada@example.com\n"] }],
    ["reply_to", { reply_to: "a@example.com\u2028b" }],
    ["subject", { subject: "" }],
    ["subject", { subject: "Hello\r\nBcc: eve@example.com" }],
    ["subject", { subject: "Hello\u0000" }],
    ["subject", { subject: "gpj.\u202Efdp" }],
    ["subject", { subject: "x".repeat(999) }],
    ["text", { text: "x".repeat(1024 * 1024 + 1) }],
    ["html", { html: "é".repeat(600_000) }],
    ["attachments", { attachments: [{ filename: "../../etc/passwd", content_type: "text/plain", content: new Uint8Array() }] }],
    ["attachments", { attachments: [{ filename: "a\r\nX: y", content_type: "text/plain", content: new Uint8Array() }] }],
    ["attachments", { attachments: [{ filename: "a", content_type: "text/html\r\nX: y", content: new Uint8Array() }] }],
    ["attachments", { attachments: [{ filename: "a", content_type: "text/plain", content: new Uint8Array(7 * 1024 * 1024 + 1) }] }]
  ])("%s, case %#: refused before anybody is called", ([code, part]) =>
    Effect.gen(function*() {
      const refused = yield* Effect.flip(send({ ...message, ...part }).pipe(Effect.provide(layerNone)))
      assert.strictEqual(refused._tag, "EmailRefused")
      assert.deepInclude(refused, { code })
      assert.notInclude(refused.message, "eve@")
    }))

  // Whatever is taken for an address is one, without anything that ends a header or a command.
  it.effect.prop("no address or subject gets another line into the message", {
    local: Schema.String.check(Schema.isPattern(/^[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,20}$/u)),
    tail: Schema.Literals(["", "", "\r\nBcc: eve@b.example", "\nX: y", ",eve@b.example", ">\r\nDATA", "\u0000", " "]),
    subject: Schema.String
  }, ({ local, subject, tail }) =>
    Effect.gen(function*() {
      const address = `${local}@example.com${tail}`
      const { folder, kept } = yield* inOutbox
      const sent = yield* Effect.result(send({ ...message, to: [address], subject }).pipe(Effect.provide(layerOutbox(folder))))
      const letters = yield* kept
      const isFine = isAddress(address) && subject.trim() !== "" && !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/u.test(subject)
      assert.deepStrictEqual([sent._tag, letters.length], isFine ? ["Success", 1] : ["Failure", 0])
      for (const { headers } of letters) {
        assert.strictEqual(headers.get("to")?.toLowerCase(), address.toLowerCase())
        assert.sameMembers([...headers.keys()], [
          "from",
          "to",
          "subject",
          "message-id",
          "date",
          "mime-version",
          "content-type",
          "auto-submitted"
        ])
      }
    }).pipe(Effect.scoped, Effect.provide(files)), { arbitrary: { runs: 50 } })

  it.live("without a mail server a good email is refused with what to set", () =>
    Effect.gen(function*() {
      const refused = yield* Effect.flip(send(message).pipe(Effect.provide(layerNone)))
      assert.strictEqual(refused._tag, "EmailNotConfigured")
      assert.match(refused.message, /SMTP_URL.*EMAIL_FROM/)
    }))
})

const inOutbox = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const folder = `${yield* fs.makeTempDirectoryScoped({ prefix: "svc-outbox-" })}/outbox`
  return { folder, kept: listOutbox(folder) }
})

describe("the outbox", () => {
  it.live("keeps what was sent, newest first, for its owner alone", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const { folder, kept } = yield* inOutbox
      assert.deepStrictEqual(yield* kept, [])
      const receipts = yield* Effect.forEach(["one", "two"], (subject) => send({ ...message, subject, bcc: ["mary@example.com"] })).pipe(
        Effect.provide(layerOutbox(folder))
      )
      const found = yield* kept
      assert.deepStrictEqual(found.map(({ headers }) => headers.get("subject")), ["two", "one"])
      assert.deepStrictEqual(
        found.map(({ headers }) => headers.get("message-id")),
        receipts.map(({ message_id }) => message_id).toReversed()
      )
      const [newest] = found
      assert.deepStrictEqual([newest?.text, newest?.headers.get("bcc")], [message.text.trimEnd(), "mary@example.com"])
      assert.strictEqual(((yield* fs.stat(newest?.file ?? "")).mode ?? 0) & 0o077, 0)
      assert.deepStrictEqual((yield* findInOutbox(folder, newest?.name ?? ""))?.headers, newest?.headers)
      for (const name of ["eml_01M7XZKEW0V10Z4AEDM6YQZTYA", "../outbox", "x"]) assert.isUndefined(yield* findInOutbox(folder, name))
    }).pipe(Effect.scoped, Effect.provide(files)))

  it.live("keeps no more than its number, and leaves other files alone", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const { folder, kept } = yield* inOutbox
      yield* fs.makeDirectory(folder, { recursive: true })
      yield* fs.writeFileString(`${folder}/notes.txt`, "mine")
      yield* Effect.forEach(Array.from({ length: KEPT }, (_, n) => n), (n) =>
        fs.writeFileString(`${folder}/eml_${String(n).padStart(26, "0")}.eml`, "Subject: old\r\n\r\n"))
      yield* send(message).pipe(Effect.provide(layerOutbox(folder)))
      const found = yield* kept
      assert.deepStrictEqual([found.length, found[0]?.headers.get("subject")], [KEPT, message.subject])
      assert.isFalse(yield* fs.exists(`${folder}/eml_${"0".repeat(26)}.eml`))
      assert.isTrue(yield* fs.exists(`${folder}/notes.txt`))
    }).pipe(Effect.scoped, Effect.provide(files)))

  it.live("that cannot be written refuses for now", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const { folder } = yield* inOutbox
      yield* fs.writeFileString(folder, "a file in its place")
      const refused = yield* Effect.flip(send(message).pipe(Effect.provide(Layer.merge(layerOutbox(folder), Logger.layer([])))))
      assert.strictEqual(refused._tag, "EmailUnavailable")
    }).pipe(Effect.scoped, Effect.provide(files)))
})
