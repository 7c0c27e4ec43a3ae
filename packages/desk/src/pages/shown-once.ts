/** The answer to an act that holds a secret: it is on this page, and on no other. Pure. */
import * as design from "@svc/design/components"
import { attributes, type Html, html } from "@svc/design/html"
import type { View } from "@svc/kernel/resource/view"
import { fieldsOf } from "../api/endpoints.ts"
import { messagesOf } from "../i18n/messages.ts"
import { wordsOf } from "../i18n/words.ts"
import type { AnyAction } from "./action.ts"
import { actionAddress, placeOf } from "./addresses.ts"
import { type Json, textAt } from "./json.ts"
import type { Visit } from "./visit.ts"

/** What nobody reads later: the field that the action reveals, or those that the resource itself has not. */
const secretsIn = (view: View, { reveals }: AnyAction, json: Json): ReadonlyArray<readonly [field: string, text: string]> => {
  if (reveals !== undefined) return [[reveals, textAt(json, reveals)]]
  const known = fieldsOf(view)
  return Object.entries(json).flatMap(([field, value]) =>
    known.has(field) || (typeof value !== "string" && typeof value !== "number")
      ? []
      : [[field, String(value)] as const]
  )
}

interface Answered {
  readonly view: View
  readonly action: AnyAction
  /** With what it was done; undefined where it made one. */
  readonly resource: Json | undefined
  readonly json: Json
}

/** What comes next without a resource of its own has a page of its own, which takes what is shown here. */
const nextAddress = ({ action: { next }, view }: Answered): string | undefined =>
  next !== undefined && view.actions.some(({ endpoint, on }) => endpoint === next && on === "all") ? actionAddress(view, next) : undefined

export const shownOnceView = ({ pageLocale }: Visit, answered: Answered): Html => {
  const { action, json, resource, view } = answered
  const next = nextAddress(answered)
  const [{ action: texts }, words] = [messagesOf(pageLocale), wordsOf(view, pageLocale)]
  return html`${design.alert(texts.shownOnce.title, texts.shownOnce.text, "notice")}<div class="card stack">${
    secretsIn(view, action, json).map(([field, text]) => {
      const id = `secret-${field}`
      return html`<div class="field"><label for="${id}">${words.field(field)}</label><input${
        attributes({ id, value: text, readonly: true, autocomplete: "off", spellcheck: "false" })
      }><button${
        attributes({ type: "button", class: "button plain", hidden: true, "data-copy": id, "data-copied": texts.copied })
      }>${texts.copy}</button></div>`
    })
  }<div class="beside">${
    design.button({ label: texts.onward, href: placeOf(view, resource ?? json), kind: next === undefined ? "primary" : "plain" })
  }${next === undefined ? null : design.button({ label: words.action(action.next ?? ""), href: next, kind: "primary" })}</div></div>`
}
