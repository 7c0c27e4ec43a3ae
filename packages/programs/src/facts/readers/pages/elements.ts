/** Elements that say something of a page, of HTML and of templates that are nearly HTML. */
import { Parser } from "htmlparser2"
import { posix } from "node:path"
import { membersOf } from "../../code/literals.ts"
import { attributeOf, type Attributes, classNamesOf, elementFact, isTold, isWithText, propsOf } from "../../markup.ts"
import { type AnyFact, fact, type Field, type Span } from "../../model.ts"
import { lineAt, spanBetween } from "../../positions.ts"
import { clip } from "../../text.ts"
import { readerOf } from "../reader.ts"

const MOST = 2000
const MOST_TEXT = 1000
/** Elements within each other whose text is gathered. */
const MOST_OPEN = 8
const MOST_CLASSES = 80

interface Open {
  readonly name: string
  readonly attributes: Attributes
  readonly start: number
  text: string
}

/** One component a file. */
const COMPONENT = /^([^/]+)\.(vue|svelte|astro)$/u

/** `defineProps<{ size: number }>()` of Vue, `export let size` of Svelte. */
const declaredProps = (text: string): ReadonlyArray<Field> => {
  const at = text.search(/\bdefineProps\s*(?:<|\(\s*\{)/u)
  const end = at === -1 ? -1 : text.indexOf("}", at)
  const members = end === -1 ? [] : membersOf(text.slice(at, Math.min(end + 1, at + MOST_TEXT)))
  const lets = Array.from(text.matchAll(/^[ \t]{0,8}export let (\w{1,60})(?:: ([^=\n]{1,80}))?(?: = [^\n]*)?$/gmu))
  return [
    ...members.map(({ name, optional, value }) => ({ name, type: value, required: !optional })),
    ...lets.map(([line, name = "", type = "unknown"]) => ({ name, type: clip(type), required: !line.includes(" = ") }))
  ]
}

const isComponentName = (name: string): boolean => /^[A-Z]|-/u.test(name)

/** What the tags of one file come to. */
const tagsOf = (path: string, text: string, component: string | null) => {
  const span = ((line) => (start: number, end: number): Span => spanBetween(path, line, start, end))(lineAt(text))
  const facts: Array<AnyFact> = []
  const open: Array<Open> = []
  const classNames = new Set<string>()
  let classesAt: Span | undefined
  let drawings = 0
  const add = (found: AnyFact) => {
    if (facts.length < MOST) facts.push(found)
  }
  const addText = (data: string) => {
    for (const element of open.slice(-MOST_OPEN)) if (element.text.length < MOST_TEXT) element.text += data
  }
  const parser = new Parser({
    onopentag: (name, written) => {
      if (name === "svg") drawings++
      const pairs = Object.entries(written).map(([key, value]) => attributeOf(key, value))
      const attributes: Attributes = Object.fromEntries(pairs)
      const start = parser.startIndex
      for (const one of classNamesOf(attributes["class"] ?? "")) {
        if (classNames.size < MOST_CLASSES) classNames.add(one)
        classesAt ??= span(start, parser.endIndex + 1)
      }
      if (isComponentName(name)) {
        addText(` <${name}> `)
        add(fact("render", clip(name), { within: component, props: propsOf(Object.keys(written)) }, span(start, parser.endIndex + 1)))
      }
      if (name === "slot") addText(" <slot> ")
      if (attributes["alt"] !== undefined) addText(` ${attributes["alt"]} `)
      // The title of a drawing names the drawing.
      if (!isTold({ name, attributes }) || name === "title" && drawings > 0) return
      if (isWithText({ name, attributes })) open.push({ name, attributes, start, text: "" })
      else add(elementFact({ name, attributes, text: "" }, span(start, parser.endIndex + 1)))
    },
    ontext: addText,
    onclosetag: (name) => {
      if (name === "svg") drawings--
      if (open.at(-1)?.name !== name || name === "title" && drawings > 0) return
      const closed = open.pop()
      if (closed !== undefined) add(elementFact(closed, span(closed.start, parser.endIndex + 1)))
    }
  }, component === null ? {} : { lowerCaseTags: false, recognizeSelfClosing: true })
  parser.end(text)
  if (classesAt !== undefined) facts.push(fact("classes", component ?? path, { names: [...classNames] }, classesAt))
  return facts
}

export const elements = readerOf(/\.(?:html?|hbs|handlebars|mustache|vue|svelte|ejs|njk|liquid|twig|astro)$/iu, (path, text) => {
  const [, component, framework] = COMPONENT.exec(posix.basename(path)) ?? []
  const facts = tagsOf(path, text, component ?? null)
  if (component === undefined || framework === undefined) return facts
  const whole = spanBetween(path, lineAt(text), 0, text.trimEnd().length)
  return [fact("component", clip(component), { framework, props: declaredProps(text) }, whole), ...facts]
})
