/** Links to what a customer agrees to, as the account's settings name them. */
import type { Account } from "@svc/accounts/accounts/model"
import { legalLinks } from "@svc/design/components"
import type { Html } from "@svc/design/html"
import type { PageLocale } from "@svc/design/locale"
import { messagesOf } from "../i18n/messages.ts"

export const legalView = ({ settings: { legal } }: Pick<Account, "settings">, pageLocale: PageLocale): Html | null => {
  const { label, ...names } = messagesOf(pageLocale).common.legal
  const links = [[names.terms, legal.terms_url], [names.privacy, legal.privacy_url], [names.imprint, legal.imprint_url]] as const
  return legalLinks(label, links.flatMap(([name, url]) => url === null ? [] : [[name, url] as const]))
}
