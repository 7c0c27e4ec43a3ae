/** Whose pages they are: what an account says of its looks. */
import type { Account } from "@svc/accounts/accounts/model"
import { hasPlainHost } from "@svc/accounts/accounts/settings"
import type { Brand } from "@svc/design/components"

export const brandOf = ({ name, settings: { branding } }: Pick<Account, "name" | "settings">): Brand => ({
  name: branding.name ?? name,
  color: branding.color,
  // Of earlier versions an address may be stored whose host would be more than one source in the page's policy.
  logo_url: branding.logo_url !== null && hasPlainHost(branding.logo_url) ? branding.logo_url : null
})
