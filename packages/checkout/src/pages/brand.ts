/** The brand of the account on its pages. */
import type { Account } from "@svc/accounts/accounts/model"
import { hasPlainHost } from "@svc/accounts/accounts/settings"
import type { Brand } from "@svc/design/components"
import { isolated } from "@svc/design/format"

export const brandOf = ({ name, settings: { branding } }: Pick<Account, "name" | "settings">): Brand => ({
  name: branding.name ?? name,
  color: branding.color,
  // Earlier versions stored addresses whose host would be several sources in the content security policy of the page.
  logo_url: branding.logo_url !== null && hasPlainHost(branding.logo_url) ? branding.logo_url : null
})

/** The name of the merchant, as a part of a sentence. */
export const merchantOf = ({ account }: { readonly account: Pick<Account, "name" | "settings"> }): string => isolated(brandOf(account).name)
