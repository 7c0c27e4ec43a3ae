/** The fields of an object, as a list that people read: name, type, bounds, meaning. */
import { type Content, type Html, html } from "@svc/design/html"
import { type Contract, type Shape, shapeOf } from "./contract.ts"

type Components = Contract["components"]

/** Lists of values that are longer, such as all currencies, are told by their description. */
const MOST_VALUES = 40
/** Objects in objects are shown to this depth; a deeper one is named. */
const MOST_LEVELS = 4

/** Text in which `code` is marked by backticks. */
export const prose = (text: string): Content => text.split("`").map((part, at) => at % 2 === 1 ? html`<code>${part}</code>` : part)

export const paragraphs = (text: string): Content => text.split("\n\n").map((one) => html`<p>${prose(one)}</p>`)

/** A union with null, as the other member and whether null is one. */
const withoutNull = (
  components: Components,
  shape: Shape
): { readonly shape: Shape; readonly name?: string; readonly nullable: boolean } => {
  const members = shape.anyOf?.filter(({ type }) => type !== "null") ?? []
  const nullable = shape.anyOf !== undefined && members.length < shape.anyOf.length
  const [only] = members
  if (only === undefined || members.length > 1) return { shape, nullable }
  const inner = shapeOf(components, only)
  return { ...inner, shape: { ...inner.shape, ...(shape.description === undefined ? {} : { description: shape.description }) }, nullable }
}

const flat = ({ allOf = [], ...shape }: Shape): Shape => Object.assign({}, ...allOf, shape)

const typeOf = (components: Components, written: Shape): string => {
  const { nullable, shape } = withoutNull(components, shapeOf(components, written).shape)
  const { anyOf, enum: values, items, type } = flat(shape)
  const name = items !== undefined
    ? `list of ${typeOf(components, items)}`
    : anyOf !== undefined
    ? Array.from(new Set(anyOf.map((member) => typeOf(components, member)))).join(" or ")
    : type === undefined
    ? values === undefined ? "any JSON" : "string"
    : [type].flat().join(" or ")
  return nullable ? `${name} or null` : name
}

/** Bounds beyond which JavaScript's integers are not exact say nothing of a field. */
const isBound = (limit: number | undefined): limit is number => limit !== undefined && Math.abs(limit) < Number.MAX_SAFE_INTEGER

const range = (least: number | undefined, most: number | undefined, unit: string): string | undefined => {
  const [from, to] = [isBound(least) ? least.toLocaleString("en") : undefined, isBound(most) ? most.toLocaleString("en") : undefined]
  const words = from !== undefined && to !== undefined
    ? from === to ? `exactly ${to}` : `${from} to ${to}`
    : from !== undefined
    ? `at least ${from}`
    : to === undefined
    ? undefined
    : `at most ${to}`
  return words === undefined ? undefined : `${words}${unit}`
}

const boundsOf = (shape: Shape): ReadonlyArray<string> =>
  [
    range(shape.exclusiveMinimum === undefined ? shape.minimum : shape.exclusiveMinimum + 1, shape.maximum, ""),
    range(shape.minLength, shape.maxLength, " characters"),
    range(shape.minItems, shape.maxItems, " items"),
    shape.default === undefined ? undefined : `${JSON.stringify(shape.default)} when left out`
  ].filter((words) => words !== undefined)

/** How fields are read. */
export interface Reader {
  readonly components: Components
  /** Objects that the page shows by themselves: a field that holds one refers to it. */
  readonly shown: ReadonlySet<string>
  /** What is said of a field by whether its object requires it. */
  readonly note: (required: boolean) => string | undefined
}

const inside = (reader: Reader, written: Shape, level: number): Content => {
  const { name, shape } = shapeOf(reader.components, written)
  const only = withoutNull(reader.components, shape)
  const { anyOf: members = [], items, properties = {}, ...rest } = flat(only.shape)
  const title = only.name ?? name
  if (items !== undefined) return inside(reader, items, level)
  if (title !== undefined && reader.shown.has(title)) return html`<p>See <a href="#${title}">${title}</a>.</p>`
  if (members.length > 0) return members.map((member) => inside(reader, member, level))
  if (Object.keys(properties).length === 0) return null
  if (level >= MOST_LEVELS) return title === undefined ? null : html`<p>The fields of <code>${title}</code>.</p>`
  return html`<details><summary>Fields of ${title ?? "it"}</summary>${fieldsOf(reader, { ...rest, properties }, level + 1)}</details>`
}

interface Field {
  readonly name: string
  readonly written: Shape
  readonly required: boolean
}

const fieldOf = (reader: Reader, { name, required, written }: Field, level: number): Html => {
  const { components, note } = reader
  const shape = flat(withoutNull(components, shapeOf(components, written).shape).shape)
  const values = shape.enum ?? (shape.items === undefined ? [] : flat(shapeOf(components, shape.items).shape).enum ?? [])
  const facts = [typeOf(components, written), note(required), ...boundsOf(shape)].filter((fact) => fact !== undefined).join(" · ")
  return html`<div><dt><code>${name}</code> <small>${facts}</small></dt><dd>${
    shape.description === undefined ? null : html`<p>${prose(shape.description)}</p>`
  }${
    values.length === 0 || values.length > MOST_VALUES
      ? null
      : html`<p>One of ${values.map((value, at) => [at === 0 ? null : ", ", html`<code>${String(value)}</code>`])}.</p>`
  }${inside(reader, written, level)}</dd></div>`
}

/** The fields of an object. */
export const fieldsOf = (reader: Reader, { properties = {}, required = [] }: Shape, level = 0): Html =>
  html`<dl class="facts">${
    Object.entries(properties).map(([name, written]) => fieldOf(reader, { name, written, required: required.includes(name) }, level))
  }</dl>`
