/** What a form offers for a field that names something else: rows, as choices that people can tell apart. Pure. */
import { attributes, type Html, html } from "@svc/design/html"
import type { Choosable, Input, Shown, View } from "@svc/kernel/resource/view"
import { keyOf } from "../api/endpoints.ts"
import { wordsOf } from "../i18n/words.ts"
import { viewNamed } from "./addresses.ts"
import { type Json, textAt, valueAt } from "./json.ts"
import { worded } from "./values.ts"
import type { Visit } from "./visit.ts"

/** A value of the request, and how people call it. */
export interface Offer {
  readonly value: string
  readonly label: string
}

/** By the field that they are offered for. A field without any is free text. */
export type Offers = Readonly<Record<string, ReadonlyArray<Offer>>>

/** How the rows of a field are told apart; undefined where nothing is offered for it. */
export const choosableOf = ({ offers }: Input<string>): Choosable<string> | undefined =>
  offers === undefined ? undefined : "held" in offers ? offers : viewNamed(offers.view)?.choosable

const labelOf = (visit: Visit, view: View, { choosable: { first, label }, row }: {
  readonly choosable: Choosable<string>
  readonly row: Json
}): string => {
  const told = label.map((field: Shown<string>) => worded(visit.pageLocale, field, row))
  const isFirst = first !== undefined && valueAt(row, first) === true
  return [...told, ...isFirst ? [wordsOf(view, visit.pageLocale).field(first)] : []].filter((text) => text !== "").join(" · ")
}

/** The rows that can be chosen, those that stand for what is usual before the others. */
export const offersIn = (visit: Visit, view: View, { input, rows }: {
  readonly input: Input<string>
  readonly rows: ReadonlyArray<Json>
}): ReadonlyArray<Offer> => {
  const choosable = choosableOf(input)
  if (choosable === undefined) return []
  const [{ first, where = {} }, of] = [choosable, input.offers]
  const other = of !== undefined && "view" in of ? viewNamed(of.view) ?? view : undefined
  const isFirst = (row: Json) => Number(first !== undefined && valueAt(row, first) === true)
  return rows.filter((row) => Object.entries(where).every(([field, value]) => textAt(row, field) === value))
    .toSorted((one, another) => isFirst(another) - isFirst(one))
    .map((row) => ({
      value: textAt(row, other === undefined ? "id" : keyOf(other)),
      label: labelOf(visit, other ?? view, { choosable, row })
    }))
}

/** What was chosen before stays in the form, also when it is not offered any more. */
export const withChosen = (offers: ReadonlyArray<Offer>, chosen: string): ReadonlyArray<Offer> =>
  chosen === "" || offers.some(({ value }) => value === chosen) ? offers : [...offers, { value: chosen, label: chosen }]

/** Beside a text: the browser offers these, and takes another. */
export const suggestions = (id: string, offers: ReadonlyArray<Offer>): Html =>
  html`<datalist id="${id}">${offers.map(({ label, value }) => html`<option${attributes({ value })}>${label}</option>`)}</datalist>`
