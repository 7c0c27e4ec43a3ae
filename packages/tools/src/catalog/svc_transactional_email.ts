/** One mail to somebody who expects it; or what a domain needs so that its mails arrive. */
import { EMAIL_ADDRESS_EXAMPLES, EMAIL_ADDRESS_EXPECTED, isEmailAddress } from "@svc/kernel/values/email-address"
import { engineerOnly, InvalidFields } from "@svc/stores/model"
import { backend } from "@svc/tool-kit/backend"
import { may, text, upTo } from "@svc/tool-kit/fields"
import { FetchFailed, InvalidRequest } from "@svc/tool-kit/services/errors"
import { Mailer, SenderSetup, Sent } from "@svc/tool-kit/services/mailer"
import { tool } from "@svc/tool-kit/tool"
import { Effect, Schema } from "effect"

const Address = upTo(254).check(Schema.makeFilter(isEmailAddress, {
  message: EMAIL_ADDRESS_EXPECTED,
  toJsonSchema: () => ({ format: "idn-email" }),
  arbitraryConstraint: { patterns: [EMAIL_ADDRESS_EXAMPLES] }
}))
const Body = upTo(1024 * 1024)
const Domain = upTo(253).check(Schema.isPattern(/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/u, { toJsonSchema: () => ({}) }))

const missing = (what: string) =>
  new InvalidRequest({
    message: `${what} is missing. A mail needs to, subject, and body_html or body_text; a setup needs domain in engineer mode.`
  })

export const svc_transactional_email = tool({
  name: "svc_transactional_email",
  title: "Send a mail",
  description: "Sends a mail. engineer takes domain and sends nothing: returns its SPF, DKIM and DMARC records.",
  auth: "key",
  kind: "outside",
  // Mails lie in an outbox, and pass servers of others.
  keepsText: true,
  prices: { standard: 2, lite: 1, engineer: 50 },
  hints: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
  limits: { seconds: 30, bytes: 4 * 1024 * 1024 },
  payload: Schema.Struct({
    to: may(Schema.Union([Address, Schema.Array(Address).check(Schema.isMinLength(1), Schema.isMaxLength(50))])),
    subject: may(text(998)),
    body_html: may(Body),
    body_text: may(Body),
    reply_to: may(Address),
    domain: may(Domain),
    provider: may(text(50)),
    dkim_selector: may(text(63)),
    dmarc_policy: may(Schema.Literals(["none", "quarantine", "reject"]))
  }),
  result: Schema.Union([Sent, SenderSetup]),
  error: Schema.Union([FetchFailed, InvalidFields, InvalidRequest]),
  examples: [{ to: "ada@example.com", subject: "Your receipt", body_text: "Paid. Thank you." }],
  services: [Mailer],
  ready: backend(Mailer),
  readsOnly: ({ domain }) => domain !== undefined,
  run: Effect.fnUntraced(function*({ dkim_selector, dmarc_policy, domain, provider, subject, to, ...mail }, call) {
    const mailer = yield* backend(Mailer)
    if (call.mode === "engineer") {
      if (domain === undefined) return yield* missing("domain")
      return yield* mailer.setup({
        domain,
        ...(provider === undefined ? {} : { provider }),
        ...(dkim_selector === undefined ? {} : { dkim_selector }),
        ...(dmarc_policy === undefined ? {} : { dmarc_policy })
      })
    }
    yield* engineerOnly(call.mode, { domain, provider, dkim_selector, dmarc_policy })
    if (to === undefined) return yield* missing("to")
    if (subject === undefined) return yield* missing("subject")
    if (mail.body_html === undefined && mail.body_text === undefined) return yield* missing("body_text")
    return yield* mailer.send({ to: typeof to === "string" ? [to] : to, subject, ...mail }, call)
  })
})
