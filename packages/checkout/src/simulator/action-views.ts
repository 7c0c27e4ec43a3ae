/** The page of the simulator's bank, which a customer sees for a sandbox payment that asks for a step. Pure. */
import { badge, button, card, masthead, status } from "@svc/design/components"
import { isolated, money } from "@svc/design/format"
import { html } from "@svc/design/html"
import type { PageLocale } from "@svc/design/locale"
import type { Page } from "@svc/design/page"
import type { PaymentIntent } from "@svc/payments/payment-intents/model"
import { messagesOf } from "../i18n/messages.ts"
import type { Message } from "../i18n/messages/shape.ts"
import { languageOf, noBrand } from "../pages/message-page.ts"

const bankOf = (pageLocale: PageLocale): Pick<Page, "language" | "brand" | "header"> => {
  const { action, common } = messagesOf(pageLocale)
  return { language: languageOf(pageLocale), brand: noBrand, header: masthead({ ...noBrand, name: action.bank }, badge(common.testMode)) }
}

/** The bank asks whether the payment is meant. `url` is the page's own, with its query. */
export const questionPage = (pageLocale: PageLocale, { amount, currency }: PaymentIntent, merchant: string, url: string): Page => {
  const [path = "", query] = url.split("?")
  const to = (result: "pass" | "fail") => `${path}/${result}${query === undefined ? "" : `?${query}`}`
  const { confirm, question, refuse, title } = messagesOf(pageLocale).action
  const yes = button({ label: confirm, kind: "primary", wide: true, attributes: { formaction: to("pass") } })
  const no = button({ label: refuse, wide: true, attributes: { formaction: to("fail") } })
  return {
    ...bankOf(pageLocale),
    title,
    main: card(
      html`<h1>${title}</h1><p>${
        question(isolated(money(pageLocale, amount, currency)), isolated(merchant))
      }</p><form method="post" class="actions">${yes}${no}</form>`
    )
  }
}

/** The bank says how the step ended, where there is no page to go back to. */
export const resultPage = (pageLocale: PageLocale, { text, title }: Message, sign: "good" | "bad" | "waiting"): Page => ({
  ...bankOf(pageLocale),
  title,
  main: status({ title, text, sign })
})
