/** The mail that tells people what needs them. Pure. */
import type { AttentionMail } from "@svc/accounts/attention-notices/model"
import type { AttentionItem } from "@svc/accounts/attention/model"
import { minute } from "@svc/design/format"
import { html } from "@svc/design/html"
import { defaultLocale } from "@svc/design/locale"
import { palette } from "@svc/design/tokens"
import type { EmailMessage } from "@svc/platform/email/model"
import { messagesOf } from "../i18n/messages.ts"
import type { HomeTexts } from "../i18n/shapes/home.ts"

const { light: { danger, ground, line, muted, surface, text: ink } } = palette

/** What is the matter, in words. */
export const saidOf = ({ attention }: Pick<HomeTexts, "attention">, { count, kind }: Pick<AttentionItem, "kind" | "count">): string => {
  const kinds: Readonly<Record<string, (count: number) => string>> = attention.kinds
  return kinds[kind]?.(count) ?? attention.other(kind, count)
}

/** Names of accounts are the merchant's, and a subject is one line. */
const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}]+/gu, " ").slice(0, 200)

/** Sent again, it is the same email. `base_url` is where the desk is. */
export const attentionLetter = (
  { account_name, email, id, items, sandbox }: AttentionMail & { readonly email: string },
  base_url: string
): EmailMessage => {
  const texts = messagesOf(defaultLocale)
  const { attention, mail } = texts.home
  const facts = items.map((item) => ({
    said: saidOf(texts.home, item),
    when: [
      `${attention.since} ${minute(defaultLocale, item.since)}`,
      ...(item.due_at === null ? [] : [`${attention.due} ${minute(defaultLocale, item.due_at)}`])
    ].join(" · "),
    url: `${base_url}${item.desk_path}`
  }))
  const greeting = mail.greeting(account_name)
  const text = [
    ...(sandbox ? [texts.testMode] : []),
    greeting,
    ...facts.map(({ said, url, when }) => `- ${said}\n  ${when}\n  ${url}`),
    `${mail.open}: ${base_url}/desk`,
    mail.why
  ].join("\n\n")
  // Mail programs keep no style sheets: the design's colours stand at the elements.
  const [quiet, link] = [`color:${muted};font-size:14px`, `color:${ink};font-weight:600`]
  const card =
    `background:${surface};border:1px solid ${line};border-left:4px solid ${danger};border-radius:8px;padding:12px 16px;margin:12px 0`
  const cards = facts.map(({ said, url, when }) =>
    html`<div style="${card}"><a href="${url}" style="${link}">${said}</a><br><span style="${quiet}">${when}</span></div>`
  )
  const main = [
    sandbox ? html`<p style="${quiet}">${texts.testMode}</p>` : null,
    html`<h1 style="font-size:20px">${greeting}</h1>${cards}`,
    html`<p><a href="${base_url}/desk" style="${link}">${mail.open}</a></p><p style="${quiet}">${mail.why}</p>`
  ]
  const body = `margin:0;background:${ground};color:${ink};font:16px/1.5 system-ui,sans-serif`
  const inner = html`<div style="max-width:36rem;margin:0 auto;padding:24px 16px">${main}</div>`
  const page = html`<html lang="en"><body style="${body}">${inner}</body></html>`
  return {
    id: `attention:${id}:${email}`,
    to: [email],
    subject: oneLine(mail.subject(account_name, items.length)),
    text: `${text}\n`,
    html: `<!doctype html>${page.text}\n`,
    // A sandbox belongs to anybody who opened it.
    rehearsal: sandbox
  }
}
