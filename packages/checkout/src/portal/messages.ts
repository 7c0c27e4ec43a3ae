/** The portal's messages in each language. */
import type { Locale } from "../i18n/locale.ts"
import { ar } from "./messages/ar.ts"
import { de } from "./messages/de.ts"
import { en } from "./messages/en.ts"
import { es } from "./messages/es.ts"
import { fr } from "./messages/fr.ts"
import { ja } from "./messages/ja.ts"
import type { PortalMessages } from "./said.ts"

const all: Readonly<Record<Locale, PortalMessages>> = { en, de, fr, es, ja, ar }

export const portalMessagesOf = ({ locale }: { readonly locale: Locale }): PortalMessages => all[locale]
