/** The portal's messages in each language. */
import type { Locale } from "@svc/design/locale"
import { ar } from "./portal-messages/ar.ts"
import { de } from "./portal-messages/de.ts"
import { en } from "./portal-messages/en.ts"
import { es } from "./portal-messages/es.ts"
import { fr } from "./portal-messages/fr.ts"
import { ja } from "./portal-messages/ja.ts"
import type { PortalMessages } from "./portal-messages/shape.ts"

const all: Readonly<Record<Locale, PortalMessages>> = { en, de, fr, es, ja, ar }

export const portalMessagesOf = ({ locale }: { readonly locale: Locale }): PortalMessages => all[locale]
