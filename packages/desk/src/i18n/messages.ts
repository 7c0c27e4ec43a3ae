/** The texts in the language of a page. */
import type { Locale, PageLocale } from "@svc/design/locale"
import { ar } from "./ar.ts"
import { de } from "./de.ts"
import { en } from "./en.ts"
import { es } from "./es.ts"
import { fr } from "./fr.ts"
import { ja } from "./ja.ts"
import type { DeskMessages } from "./shape.ts"

const all: Readonly<Record<Locale, DeskMessages>> = { en, de, fr, es, ja, ar }

export const messagesOf = ({ locale }: Pick<PageLocale, "locale">): DeskMessages => all[locale]
