/** The mail that brings an invitation. */
import type { EmailMessage } from "@svc/platform/email/model"
import { MAILED_HOURS } from "../model.ts"

export interface InvitationLetter {
  readonly to: string
  readonly link: string
  /** What the person is invited to. */
  readonly place: string
  /** Of a sandbox, whose mails reach nobody. */
  readonly rehearsal: boolean
}

export const letterOf = ({ link, place, rehearsal, to }: InvitationLetter): EmailMessage => ({
  to: [to],
  subject: `You are invited to ${place}`,
  text: [
    `You are invited to sign in to ${place}. Open this link to join:`,
    "",
    link,
    "",
    `It works once, within ${MAILED_HOURS} hours. If you do not know who invited you, leave it alone.`
  ].join("\n"),
  rehearsal
})
