/**
 * HTML as a value. What is put into a template is escaped, unless it is HTML made by a template itself: so nobody has to remember.
 * Effect's own `HttpTemplate` puts text in as it is.
 */

/** Markup that may be sent as it is. Only templates and {@link raw} make it. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** What a template takes. `null`, `undefined` and `false` are nothing; a list is its items, one after another. */
export type Content = Html | string | number | null | undefined | false | ReadonlyArray<Content>

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;" }

/** Text that means itself, between tags and inside a quoted attribute. */
export const escaped = (text: string): string => text.replace(/[&<>"']/gu, (character) => entities[character] ?? "")

const textOf = (content: Content): string => {
  if (content === null || content === undefined || content === false) return ""
  if (content instanceof Html) return content.text
  if (typeof content === "string") return escaped(content)
  return typeof content === "number" ? String(content) : content.map(textOf).join("")
}

/** A piece of a page: html`<p>${anything}</p>`. Attributes with a value in them are quoted. */
export const html = (parts: TemplateStringsArray, ...values: ReadonlyArray<Content>): Html =>
  new Html(parts.reduce((text, part, at) => `${text}${textOf(values[at - 1])}${part}`))

/** Markup of the project's own, such as an icon. Never text that came from outside. */
export const raw = (markup: string): Html => new Html(markup)

export type Attributes = Readonly<Record<string, string | number | boolean | null | undefined>>

/** Attributes, each with a space before it: `true` is the name alone, `false`, `null` and `undefined` are none. */
export const attributes = (all: Attributes): Html =>
  new Html(
    Object.entries(all).map(([name, value]) =>
      value === false || value === null || value === undefined ? "" : value === true ? ` ${name}` : ` ${name}="${escaped(String(value))}"`
    ).join("")
  )
