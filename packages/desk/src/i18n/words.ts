/** The words of a view by the names that its data has, whose texts the compiler has seen to. */
import type { PageLocale } from "@svc/design/locale"
import type { View } from "@svc/kernel/resource/view"
import { messagesOf } from "./messages.ts"

type Words = Readonly<Record<string, string>>

export interface ViewWords {
  readonly many: string
  readonly one: string
  readonly none: string
  readonly field: (name: string) => string
  /** A column of a table on the page of a resource. */
  readonly row: (name: string) => string
  readonly action: (endpoint: string) => string
  /** A parameter of a list, such as `created_at[gte]`. */
  readonly filter: (name: string) => string
}

type Language = Pick<PageLocale, "locale">

/** What a webhook was answered with, such as `http_503`. */
const HTTP_STATUS = /^http_(\d{3})$/u

/** A word of the contract as people say it. One that has no text here, such as an account's own, is said as it is. */
export const wordOf = (state: string, language: Language): string => {
  const states: Words = messagesOf(language).states
  const [, status] = HTTP_STATUS.exec(state) ?? []
  if (status !== undefined) return `HTTP ${status}`
  return Object.hasOwn(states, state) ? states[state] ?? state : state
}

export const wordsOf = ({ name }: Pick<View, "name">, language: Language): ViewWords => {
  const texts = messagesOf(language)
  const views: Readonly<Record<string, Pick<ViewWords, "many" | "one" | "none">>> = texts.views
  const actions: Readonly<Record<string, Words>> = texts.actions
  const fields: Words = texts.fields
  const { many = name, none = "", one = name } = views[name] ?? {}
  const rows: Words = texts.detail.rows
  // The same name can be another thing in another resource.
  const field = (field: string) => fields[`${name}.${field}`] ?? fields[field] ?? field
  return {
    many,
    one,
    none,
    field,
    row: (name) => rows[name] ?? field(name),
    action: (endpoint) => actions[name]?.[endpoint] ?? endpoint,
    filter: (filter) => {
      const [, base = filter, bound] = /^(.+)\[(gte|gt|lt|lte)\]$/u.exec(filter) ?? []
      if (bound === undefined) return field(base)
      const isTime = base.endsWith("_at")
      if (bound.startsWith("g")) return isTime ? texts.list.from(field(base)) : texts.list.least(field(base))
      return isTime ? texts.list.before(field(base)) : texts.list.most(field(base))
    }
  }
}
