/** The page after an act that needs a second person: nothing has happened yet, and here is what waits. */
import * as design from "@svc/design/components"
import { html } from "@svc/design/html"
import { Effect } from "effect"
import { messagesOf } from "../i18n/messages.ts"
import { type Desk, shownPage } from "./router.ts"

export const waitingPath = (look: string): string => `/desk/second_looks/${encodeURIComponent(look)}/waits`

export const addSecondLook = ({ get }: Desk) =>
  get("/second_looks/:id/waits", ({ params: { id = "" }, visit }) =>
    Effect.sync(() => {
      const { open, text, title } = messagesOf(visit.pageLocale).waits
      const link = design.button({ label: open, href: `/desk/second_looks/${encodeURIComponent(id)}`, kind: "primary" })
      return shownPage(visit, {
        title,
        current: "second_looks",
        main: html`${design.alert(title, text, "notice")}<p class="actions">${link}</p>`
      })
    }))
