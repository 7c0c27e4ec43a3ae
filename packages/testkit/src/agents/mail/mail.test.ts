/** Mail by the tool server: a mail server of others takes it, and another library reads it. */
import { afterAll, assert, beforeAll, layer } from "@effect/vitest"
import { Accounts } from "@svc/accounts/accounts/service"
import { ApiKeys } from "@svc/accounts/api-keys/service"

import { Effect, Redacted } from "effect"
import { type ParsedMail, simpleParser } from "mailparser"
import { SMTPServer, type SMTPServerAddress } from "smtp-server"
import { jsonOf } from "../../contract/service.ts"
import { freePorts } from "../../ports.ts"
import { type Caller, grantCredits, layerWith } from "../service.ts"
import { call } from "../tenants/rows.ts"

const taken: Array<ParsedMail & { readonly recipients: ReadonlyArray<string> }> = []
const { smtp } = await Effect.runPromise(freePorts("smtp"))

/** Refuses `gone@` for good and `busy@` for now, and hangs up before it replies to a mail about `lost`. */
const server = new SMTPServer({
  disabledCommands: ["AUTH", "STARTTLS"],
  onRcptTo: ({ address }, _session, done) => {
    const responseCode = address.startsWith("gone@") ? 550 : 450
    return /^(?:gone|busy)@/u.test(address) ? done(Object.assign(new Error("no such user"), { responseCode })) : done()
  },
  onData: (stream, session, done) => {
    simpleParser(stream).then((mail) => {
      taken.push({ ...mail, recipients: session.envelope.rcptTo.map(({ address }: SMTPServerAddress) => address) })
      if (mail.subject !== "lost") return done()
      for (const connection of server.connections) connection.close()
    }, done)
  }
})

beforeAll(() => new Promise<void>((resolve) => void server.listen(smtp, "127.0.0.1", () => resolve())))
afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())))

/** A live account: what sandbox accounts send stays in the outbox. */
const openLive = Effect.fnUntraced(function*(name: string) {
  const { account } = yield* Effect.orDie((yield* Accounts).create({ name, sandbox: false }))
  const { secret } = yield* Effect.orDie((yield* ApiKeys).issue({ accountId: account.id, kind: "tool", name: "Tools", scopes: [] }))
  return { id: account.id, key: Redacted.value(secret) } satisfies Caller
})

interface Answer {
  readonly status?: string
  readonly from?: string
  readonly message_id?: string
  readonly domain?: string
  readonly rejected?: ReadonlyArray<object>
  readonly delivered_to?: ReadonlyArray<string>
  readonly error?: { readonly code: string; readonly message: string }
}

const send = Effect.fnUntraced(function*(who: Caller, args: object, headers: Readonly<Record<string, string>> = {}) {
  const answer = yield* call(who, "svc_transactional_email", args, headers)
  const { result, error } = jsonOf(answer) as { result?: { structuredContent: Answer }; error?: { message: string } }
  return { cost: answer.headers["x-svc-request-cost"], refused: error?.message, ...result?.structuredContent }
})

const mail = { to: "ada@example.com", subject: "Grüße", body_text: "Guten Tag, 日本.", body_html: "<p>Guten Tag, 日本.</p>" }

const environment = {
  SMTP_URL: `smtp://127.0.0.1:${smtp}`,
  EMAIL_FROM: "Acme <hello@acme.example>",
  EMAIL_RECIPIENTS_PER_DAY: "9",
  EMAIL_RECIPIENTS_PER_DAY_UNPAID: "3"
}

layer(layerWith(environment), { excludeTestServices: true, timeout: "60 seconds" })("mail by a tool", (it) => {
  it.effect("arrives whole, at those whom the mail server takes, and says who was refused", () =>
    Effect.scoped(Effect.gen(function*() {
      const who = yield* openLive("whole")
      const sent = yield* send(who, { ...mail, to: ["ada@example.com", "gone@example.com"], reply_to: "shop@acme.example" })
      const [got] = taken.slice(-1)
      assert.deepInclude(sent, {
        cost: "2",
        status: "sent",
        from: "hello@acme.example",
        delivered_to: ["ada@example.com"],
        rejected: [{ address: "gone@example.com", reason: "550 no such user", temporary: false }],
        message_id: got?.messageId ?? ""
      })
      assert.deepStrictEqual([got?.subject, got?.text?.trim(), got?.html, got?.replyTo?.text, got?.recipients], [
        mail.subject,
        mail.body_text,
        mail.body_html,
        "shop@acme.example",
        ["ada@example.com"]
      ])
      yield* send(who, { to: "ada@example.com", subject: "HTML alone", body_html: "<p>Hi</p>" })
      assert.deepStrictEqual(taken.slice(-1).map(({ html, subject }) => [subject, html || ""]), [["HTML alone", "<p>Hi</p>\n"]])
    })))

  it.effect("is billed and not sent again when the last reply is lost", () =>
    Effect.scoped(Effect.gen(function*() {
      const who = yield* openLive("lost")
      const before = taken.length
      const key = { "Idempotency-Key": "lost-1" }
      const lost = yield* send(who, { ...mail, subject: "lost" }, key)
      assert.deepInclude(lost, { cost: "2", status: "delivery_unknown", message_id: taken.at(-1)?.messageId ?? "" })
      assert.deepInclude(yield* send(who, { ...mail, subject: "lost" }, key), { status: "delivery_unknown" })
      assert.strictEqual(taken.length, before + 1)
    })))

  it.effect("that nobody gets, or that cannot be one, costs nothing", () =>
    Effect.scoped(Effect.gen(function*() {
      const who = yield* openLive("refused")
      const away = yield* send(who, { ...mail, to: "busy@example.com" })
      assert.deepInclude(away, { cost: "0" })
      assert.strictEqual(away.error?.code, "fetch_failed")
      const before = taken.length
      for (
        const [args, words] of [
          [{ ...mail, to: "gone@example.com" }, "to: the mail server does not write to gone@example.com"],
          [{ ...mail, subject: "Hello\r\nBcc: eve@example.com" }, "subject: it must be one line"],
          [{ ...mail, domain: "acme.example" }, "domain: only in engineer mode"]
        ] as const
      ) {
        const refused = yield* send(who, args)
        assert.include(refused.error?.message, words)
        assert.strictEqual(refused.cost, "0")
      }
      const two = yield* send(who, { ...mail, to: ["ada@example.com", "ada@example.com,b"] })
      assert.deepStrictEqual([two.cost, two.refused?.includes("`to.1` must be one email address")], ["0", true])
      const card = yield* send(who, { ...mail, body_text: "My card is 4111 1111 1111 1111." })
      assert.include(card.refused, "body_text: holds what looks like a card number")
      assert.strictEqual(taken.length, before)
      // What failed did not count.
      assert.deepInclude(yield* send(who, { ...mail, to: ["a@example.com", "b@example.com", "c@example.com"] }), { status: "sent" })
    })))

  it.effect("goes to so many people a day, to more once somebody has paid", () =>
    Effect.scoped(Effect.gen(function*() {
      const who = yield* openLive("quota")
      const to = (count: number) => ({ ...mail, to: Array.from({ length: count }, (_, n) => `a${n}@example.com`) })
      assert.include(
        (yield* send(who, to(4))).error?.message,
        "may write to 3 recipients a day until credits or a plan are bought, then to 9"
      )
      assert.lengthOf((yield* send(who, to(3))).delivered_to ?? [], 3)
      assert.isDefined((yield* send(who, to(1))).error)
      yield* grantCredits(who, 1000)
      const answers = yield* Effect.all(Array.from({ length: 4 }, () => send(who, to(2))), { concurrency: 4 })
      assert.lengthOf(answers.filter(({ error }) => error === undefined), 3)
    })))

  it.effect("is set up by records for a domain in engineer mode, which sends nothing", () =>
    Effect.scoped(Effect.gen(function*() {
      const who = yield* openLive("setup")
      const engineer = { "X-Agent-Mode": "engineer" }
      const before = taken.length
      const setup = yield* send(who, { domain: "acme.example", dkim_selector: "k1" }, engineer)
      assert.deepInclude(setup, { cost: "50", domain: "acme.example" })
      assert.include((yield* send(who, mail, engineer)).error?.message, "domain is missing")
      assert.strictEqual(taken.length, before)
    })))
})
