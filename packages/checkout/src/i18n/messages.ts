/** The messages in each language. */
import type { Locale } from "@svc/design/locale"
import { ar } from "./messages/ar.ts"
import { de } from "./messages/de.ts"
import { en } from "./messages/en.ts"
import { es } from "./messages/es.ts"
import { fr } from "./messages/fr.ts"
import { ja } from "./messages/ja.ts"
import type { Messages } from "./messages/shape.ts"

const all: Readonly<Record<Locale, Messages>> = { en, de, fr, es, ja, ar }

export const messagesOf = ({ locale }: { readonly locale: Locale }): Messages => all[locale]
