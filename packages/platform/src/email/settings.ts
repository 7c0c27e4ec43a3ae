/** How this installation sends email: `SMTP_URL` and `EMAIL_FROM`, both or neither. */
import { Config, Redacted, Schema } from "effect"
import type { Sender } from "./model.ts"
import { senderIn } from "./rules.ts"

const FROM_EXAMPLE = "Acme <billing@acme.example>"

/** A mail server, `smtp://` or `smtps://`. The text is never shown: it may hold a password. */
const isSmtp = (text: string): boolean => {
  const url = URL.parse(text)
  return url !== null && (url.protocol === "smtp:" || url.protocol === "smtps:") && url.hostname !== ""
}

const Settings = Schema.Struct({
  SMTP_URL: Schema.optionalKey(Schema.String.check(Schema.makeFilter((text) =>
    text === "" || isSmtp(text)
      ? undefined
      : "must be the address of a mail server, such as smtp://user:password@mail.example.com:587 or smtps://mail.example.com. Correct it, or leave it unset."
  ))),
  EMAIL_FROM: Schema.optionalKey(
    Schema.String.check(Schema.makeFilter((text) =>
      text === "" || senderIn(text) !== undefined
        ? undefined
        : `must be an address, or a name and an address, such as ${FROM_EXAMPLE}. Correct it, or leave it unset.`
    ))
  )
}).check(Schema.makeFilter(({ EMAIL_FROM = "", SMTP_URL = "" }) => {
  if ((EMAIL_FROM === "") === (SMTP_URL === "")) return undefined
  const [unset, set] = EMAIL_FROM === "" ? ["EMAIL_FROM", "SMTP_URL"] : ["SMTP_URL", "EMAIL_FROM"]
  return { path: [unset], issue: `is unset, and ${set} is not. Set both, or neither.` }
}))

const unset: typeof Settings.Type = {}

/** A mail server, and whom emails come from. */
export interface SmtpSettings {
  readonly url: Redacted.Redacted<string>
  readonly from: Sender
}

/** Undefined when the installation sends no email. */
export const EmailSettings: Config.Config<SmtpSettings | undefined> = Config.schema(Settings).pipe(
  Config.withDefault(unset),
  Config.map(({ EMAIL_FROM = "", SMTP_URL = "" }) => {
    const from = senderIn(EMAIL_FROM)
    return from === undefined ? undefined : { url: Redacted.make(SMTP_URL), from }
  })
)
