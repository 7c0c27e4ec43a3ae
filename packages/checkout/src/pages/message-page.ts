/** A page that says one thing, such as that an address leads nowhere, and belongs to no merchant. Pure. */
import { type Brand, status } from "@svc/design/components"
import type { PageLocale } from "@svc/design/locale"
import type { Page } from "@svc/design/page"
import type { Message } from "../i18n/messages/shape.ts"

/** The look of a page that belongs to no merchant. */
export const noBrand: Brand = { name: "", color: null, logo_url: null }

export const languageOf = ({ direction, tag }: PageLocale): Page["language"] => ({ direction, tag })

export const messagePage = (pageLocale: PageLocale, { text, title }: Message, sign: "bad" | "waiting" = "bad"): Page => ({
  title,
  language: languageOf(pageLocale),
  brand: noBrand,
  main: status({ title, text, sign })
})
