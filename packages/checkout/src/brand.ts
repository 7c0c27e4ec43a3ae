/** Whose pages they are: what an account says of its looks. */
import type { Account } from "@svc/accounts/accounts/model"
import type { Brand } from "./design/components.ts"

export const brandOf = ({ name, settings: { branding } }: Pick<Account, "name" | "settings">): Brand => ({
  name: branding.name ?? name,
  color: branding.color,
  logo_url: branding.logo_url
})
