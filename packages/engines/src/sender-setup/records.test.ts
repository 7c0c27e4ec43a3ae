/** A mail that is signed with the key, from a server that SPF names, passes where the records are published. Judged by mailauth. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { authenticate } from "mailauth"
import { createTransport } from "nodemailer"
import { senderSetup, SetupRefused } from "./records.ts"

const domain = "shop.example"
const ADDRESS = "203.0.113.7"

const mail = (privateKey: string, keySelector: string) =>
  Effect.promise(async () => {
    const transport = createTransport({
      streamTransport: true,
      buffer: true,
      newline: "windows",
      dkim: { domainName: domain, keySelector, privateKey }
    })
    const { message } = await transport.sendMail({
      from: `Shop <hello@${domain}>`,
      to: "ada@example.com",
      subject: "Hello",
      text: "Hello."
    })
    return Buffer.isBuffer(message) ? message : Buffer.from("")
  })

const judged = (message: Buffer, records: Readonly<Record<string, string>>, ip = ADDRESS) =>
  Effect.promise(async () => {
    const { dkim, dmarc, spf } = await authenticate(message, {
      ip,
      helo: domain,
      sender: `bounce@${domain}`,
      mta: "mx.example.com",
      disableArc: true,
      disableBimi: true,
      resolver: async (name: string, type: string) => {
        const found = type === "A" && name === domain ? [ADDRESS] : type === "TXT" && records[name] !== undefined ? [[records[name]]] : []
        if (found.length === 0) throw Object.assign(new Error("no such record"), { code: "ENOTFOUND" })
        return found
      }
    })
    return {
      dkim: dkim?.results?.map(({ status }) => status.result),
      dmarc: dmarc ? dmarc.status.result : undefined,
      spf: spf ? spf.status.result : undefined
    }
  })

describe("the records of a sender", () => {
  it.live("make a mail pass SPF, DKIM and DMARC, and make a forged one fail", () =>
    Effect.gen(function*() {
      const setup = yield* senderSetup({ domain, dkim_selector: "s1", dmarc_policy: "reject" })
      const records = Object.fromEntries(setup.records.map(({ name, value }) => [name, value]))
      const message = yield* mail(setup.dkim_private_key, "s1")
      assert.deepStrictEqual(yield* judged(message, records), { dkim: ["pass"], dmarc: "pass", spf: "pass" })
      const forged = Buffer.from(message.toString().replace("Hello.", "Pay me."))
      assert.deepStrictEqual(yield* judged(forged, records, "198.51.100.1"), { dkim: ["neutral"], dmarc: "fail", spf: "softfail" })
    }))

  it.live("have another key each time, and name the provider's servers", () =>
    Effect.gen(function*() {
      const [one, other] = [yield* senderSetup({ domain, provider: "SES" }), yield* senderSetup({ domain, provider: "ses" })]
      assert.notStrictEqual(one.dkim_private_key, other.dkim_private_key)
      assert.strictEqual(one.records[0]?.value, "v=spf1 include:amazonses.com ~all")
    }))

  it.live.each([{ domain: "localhost" }, { domain: "a b.example" }, { domain, provider: "pigeons" }, { domain, dkim_selector: "a;b" }])(
    "%o is refused",
    (request) => Effect.map(Effect.flip(senderSetup(request)), (error) => assert.instanceOf(error, SetupRefused))
  )
})
