/** An email as nodemailer takes it. */
import { hash } from "node:crypto"
import { domainToASCII } from "node:url"
import type { SendMailOptions } from "nodemailer"
import type { EmailMessage, Sender } from "./model.ts"

/** Of the sender's domain, as RFC 5322 advises; the same for the same name. */
const messageId = (id: string, { address }: Sender): string =>
  `<${hash("sha256", id).slice(0, 32)}@${domainToASCII(address.slice(address.indexOf("@") + 1))}>`

const listed = (addresses: ReadonlyArray<string> | undefined) =>
  addresses === undefined || addresses.length === 0 ? {} : { addresses: addresses.map((address) => ({ name: "", address })) }

/** The address that a composed email comes from. */
export const senderOf = ({ from }: SendMailOptions): string =>
  typeof from === "object" && !Array.isArray(from) && "address" in from ? String(from.address) : String(from)

/** `id` names the email, `date` is the present moment of the world. Nothing in here is read from a file or fetched. */
export const compose = (
  message: EmailMessage,
  from: Sender,
  { date, id }: { readonly date: Date; readonly id: string }
): SendMailOptions => {
  const { attachments = [], html, reply_to, subject, text } = message
  const { addresses: cc } = listed(message.cc)
  const { addresses: bcc } = listed(message.bcc)
  return {
    from: { name: from.name, address: from.address },
    to: message.to.map((address) => ({ name: "", address })),
    ...(cc === undefined ? {} : { cc }),
    ...(bcc === undefined ? {} : { bcc }),
    ...(reply_to === undefined ? {} : { replyTo: { name: "", address: reply_to } }),
    subject,
    ...(text === undefined ? {} : { text }),
    ...(html === undefined ? {} : { html }),
    attachments: attachments.map(({ content, content_type, filename }) => ({
      filename,
      contentType: content_type,
      content: Buffer.from(content)
    })),
    messageId: messageId(id, from),
    date,
    // Who gets it is said beside the message as well: it is not read out of its headers.
    envelope: { from: from.address, to: [...message.to, ...message.cc ?? [], ...message.bcc ?? []] },
    // A program wrote it: no out-of-office answers.
    headers: { "Auto-Submitted": "auto-generated" },
    textEncoding: "quoted-printable",
    disableFileAccess: true,
    disableUrlAccess: true
  }
}
