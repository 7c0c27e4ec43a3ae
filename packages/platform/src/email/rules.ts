/** What an email must be before it goes anywhere. What could break out of a header is refused, and never cleaned. */
import { isEmailAddress } from "@svc/kernel/values/email-address"
import { Result } from "effect"
import { type EmailMessage, EmailRefused, MAX_ATTACHMENT_BYTES, MAX_BODY_BYTES, MAX_RECIPIENTS, MAX_SUBJECT, type Sender } from "./model.ts"

/** Control characters, line ends of Unicode, marks that turn the direction of text, and halves of surrogate pairs. */
const UNSEEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/u

const isOneLine = (text: string, most: number): boolean => text.trim() !== "" && text.length <= most && !UNSEEN.test(text)

const bytesOf = (text: string): number => Buffer.byteLength(text)

/** `type/subtype`, without parameters. */
const CONTENT_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/u

interface Wrong {
  readonly code: string
  readonly what: string
}

const wrongAddresses = (code: string, addresses: ReadonlyArray<string>): Wrong | undefined => {
  const at = addresses.findIndex((address) => !isEmailAddress(address))
  return at < 0
    ? undefined
    : { code, what: `${addresses.length === 1 ? "it" : `its entry ${at + 1}`} is no email address such as ada@example.com` }
}

const wrongAttachments = (attachments: NonNullable<EmailMessage["attachments"]>): Wrong | undefined => {
  const code = "attachments"
  if (attachments.some(({ filename }) => !isOneLine(filename, 255) || /[/\\]/u.test(filename))) {
    return { code, what: "a name must be one line of at most 255 characters without slashes" }
  }
  if (attachments.some(({ content_type }) => !CONTENT_TYPE.test(content_type))) {
    return { code, what: "a content type must be such as application/pdf" }
  }
  return attachments.reduce((sum, { content }) => sum + content.byteLength, 0) > MAX_ATTACHMENT_BYTES
    ? { code, what: `they take more than ${MAX_ATTACHMENT_BYTES / 1024 ** 2} MiB together` }
    : undefined
}

const wrongIn = ({ attachments = [], bcc = [], cc = [], html = "", reply_to, subject, text = "", to }: EmailMessage): Wrong | undefined => {
  if (to.length === 0) return { code: "to", what: "nobody is named" }
  if (to.length + cc.length + bcc.length > MAX_RECIPIENTS) {
    return { code: "to", what: `to, cc and bcc name more than ${MAX_RECIPIENTS} people` }
  }
  const address = wrongAddresses("to", to) ?? wrongAddresses("cc", cc) ?? wrongAddresses("bcc", bcc) ??
    wrongAddresses("reply_to", reply_to === undefined ? [] : [reply_to])
  if (address !== undefined) return address
  if (!isOneLine(subject, MAX_SUBJECT)) return { code: "subject", what: `it must be one line of 1 to ${MAX_SUBJECT} characters` }
  if (text === "" && html === "") return { code: "text", what: "there is no text, and no html in its place" }
  if (bytesOf(text) > MAX_BODY_BYTES) return { code: "text", what: "it takes more than 1 MiB" }
  if (bytesOf(html) > MAX_BODY_BYTES) return { code: "html", what: "it takes more than 1 MiB" }
  return wrongAttachments(attachments)
}

/** The email, or why it can never be sent. The refusal repeats nothing of it. */
export const checkMessage = (message: EmailMessage): Result.Result<EmailMessage, EmailRefused> => {
  const wrong = wrongIn(message)
  return wrong === undefined
    ? Result.succeed(message)
    : Result.fail(new EmailRefused({ code: wrong.code, message: `${wrong.code}: ${wrong.what}. Correct it and send again.` }))
}

/** `Acme Billing <billing@acme.example>`, or the address alone; undefined for anything else. */
export const senderIn = (text: string): Sender | undefined => {
  const [, written = "", address = ""] = /^([^<>"]*)<([^<>]*)>$/u.exec(text) ?? []
  const name = written.trimEnd()
  const sender = { name, address: address === "" ? text : address }
  return isEmailAddress(sender.address) && (name === "" || isOneLine(name, 200)) ? sender : undefined
}
